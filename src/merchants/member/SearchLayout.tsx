import { type ReactNode, useEffect, useState } from 'react'
import { useLocation } from 'react-router'
import { useCopy } from '../../content/member/embed/use-copy.tsx'
import { useInBrowser } from '../../kit/web/in-browser.ts'
import { localKeys } from '../../kit/web/local-keys.ts'
import { recall } from '../../kit/web/storage.ts'
import { useMedia } from '../../kit/web/use-media.ts'
import { Button } from '../../ui/Button.tsx'
import styles from './SearchPage.module.css'

/** Below this the page shows the list or the map, not both. */
const bothFit = '(min-width: 861px)'

type Mode = 'MOBILE_LIST' | 'MOBILE_MAP'

/** What each entry of the history showed last. */
const modes = new Map<string, Mode>()

/** The restaurant that is pointed at, in the list or on the map. */
export interface Pointing {
  pointed: string | null
  onPoint: (merchantId: string | null) => void
}

export interface MapShown extends Pointing {
  /** Changes when the map is shown or hidden, so that it measures itself anew. */
  mode: string
}

interface Props {
  busy: boolean
  controls: ReactNode
  list: (pointing: Pointing) => ReactNode
  map: (shown: MapShown) => ReactNode
}

/** List and map side by side, or one of them on a phone, where the map comes when it is asked for and stays. */
export function SearchLayout({ busy, controls, list, map }: Props) {
  const t = useCopy()
  const { key } = useLocation()
  const [mode, setMode] = useState<Mode>(() => modes.get(key) ?? 'MOBILE_LIST')
  const [pointed, onPoint] = useState<string | null>(null)
  const wide = useMedia(bothFit)
  const [mapWanted, setMapWanted] = useState(mode === 'MOBILE_MAP')
  // Back from a restaurant leads to the map again, where it was opened from.
  useEffect(() => void modes.set(key, mode), [key, mode])
  // Whoever comes back from a restaurant finds it pointed at.
  useEffect(() => onPoint(recall(localKeys.selectedMerchant) || null), [])
  // The map needs a document, and comes after the list; the list says everything the map does.
  const inBrowser = useInBrowser()
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
      <div className={styles.map}>{inBrowser && (wide || mapWanted) && map({ ...pointing, mode })}</div>
      <div className={styles.toggle}>
        <Button type="button" onClick={toggle}>
          {t(mode === 'MOBILE_LIST' ? 'search.show_map' : 'search.change_search')}
        </Button>
      </div>
    </div>
  )
}
