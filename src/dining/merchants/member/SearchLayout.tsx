import { type ReactNode, useEffect, useState } from 'react'
import { useLocation } from '../../../platform/browser/router/RouterProvider.tsx'
import { getItem } from '../../../platform/browser/storage.ts'
import { storageKeys } from '../../../platform/browser/storage-keys.ts'
import { useHydrated } from '../../../platform/browser/use-hydrated.ts'
import { useMedia } from '../../../platform/browser/use-media.ts'
import { useCopy } from '../../../programs/content/member/embed/use-copy.tsx'
import { Button } from '../../../ui/Button.tsx'
import styles from './SearchPage.module.css'

/** Below this width the page shows either the list or the map. */
const bothFit = '(min-width: 861px)'

type Mode = 'MOBILE_LIST' | 'MOBILE_MAP'

/** The last mode of each history entry. */
const modes = new Map<string, Mode>()

/** The restaurant that is highlighted in the list and on the map. */
export interface Pointing {
  pointed: string | null
  onPoint: (merchantId: string | null) => void
}

export interface MapShown extends Pointing {
  /** Changes when the map is shown or hidden, so that it updates its size. */
  mode: string
}

interface Props {
  busy: boolean
  controls: ReactNode
  list: (pointing: Pointing) => ReactNode
  map: (shown: MapShown) => ReactNode
}

/**
 * Shows list and map side by side. A phone shows one of them; the map is loaded when first requested and then stays.
 */
export function SearchLayout({ busy, controls, list, map }: Props) {
  const t = useCopy()
  const { key } = useLocation()
  const [mode, setMode] = useState<Mode>(() => modes.get(key) ?? 'MOBILE_LIST')
  const [pointed, onPoint] = useState<string | null>(null)
  const [mapWanted, setMapWanted] = useState(mode === 'MOBILE_MAP')
  // Returning from a restaurant restores the mode in which it was opened.
  useEffect(() => void modes.set(key, mode), [key, mode])
  // Returning from a restaurant highlights it.
  useEffect(() => onPoint(getItem(storageKeys.selectedMerchant) || null), [])
  const pointing = { pointed, onPoint }
  function toggle(): void {
    setMode(mode === 'MOBILE_LIST' ? 'MOBILE_MAP' : 'MOBILE_LIST')
    setMapWanted(true)
  }
  return (
    <div className={styles.page} data-mode={mode}>
      <h1 className="visually-hidden">{t('search.title')}</h1>
      <div className={styles.controls}>{controls}</div>
      <div className={styles.results} aria-busy={busy}>
        {list(pointing)}
      </div>
      <div className={styles.map}>
        <MapSide isWanted={mapWanted} map={() => map({ ...pointing, mode })} />
      </div>
      <div className={styles.toggle}>
        <Button type="button" onClick={toggle}>
          {t(mode === 'MOBILE_LIST' ? 'search.show_map' : 'search.change_search')}
        </Button>
      </div>
    </div>
  )
}

/**
 * The map is rendered in the browser only, after the list, which has the same information. A component of its own: the list
 * would be rendered again, at once, when this one is hydrated.
 */
function MapSide({ isWanted, map }: { isWanted: boolean; map: () => ReactNode }) {
  const inBrowser = useHydrated()
  const isWide = useMedia(bothFit)
  return inBrowser && (isWide || isWanted) && map()
}
