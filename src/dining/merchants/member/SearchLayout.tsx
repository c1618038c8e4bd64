import { type ReactNode, useEffect, useState } from 'react'
import { useLocation, useNavigate, usePassedState } from '../../../platform/browser/router/RouterProvider.tsx'
import { getItem } from '../../../platform/browser/storage.ts'
import { storageKeys } from '../../../platform/browser/storage-keys.ts'
import { useHydrated } from '../../../platform/browser/use-hydrated.ts'
import { useMedia } from '../../../platform/browser/use-media.ts'
import { useCopy } from '../../../programs/content/member/embed/use-copy.tsx'
import { Button } from '../../../ui/Button.tsx'
import styles from './SearchPage.module.css'

/** Below this width the page shows either the list or the map. */
const bothFit = '(min-width: 861px)'

/** The fragment of the map of a phone: an entry of its own, so that Back leads to the list. */
const mapHash = '#map'

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
  const navigate = useNavigate()
  const { pathname, search, hash } = useLocation()
  const cameFromList = usePassedState<{ cameFromList: boolean }>().cameFromList === true
  // The server does not know the fragment.
  const isMap = useHydrated() && hash === mapHash
  const mode = isMap ? 'MOBILE_MAP' : 'MOBILE_LIST'
  const [pointed, onPoint] = useState<string | null>(null)
  const [wasMap, setWasMap] = useState(false)
  if (isMap && !wasMap) setWasMap(true)
  // Returning from a restaurant highlights it.
  useEffect(() => onPoint(getItem(storageKeys.selectedMerchant) || null), [])
  const pointing = { pointed, onPoint }
  function toggle(): void {
    if (!isMap) void navigate(mapHash, { state: { cameFromList: true }, preventScrollReset: true })
    else if (cameFromList) void navigate(-1)
    else void navigate(pathname + search, { replace: true, preventScrollReset: true })
  }
  return (
    <div className={styles.page} data-mode={mode}>
      <h1 className="visually-hidden">{t('search.title')}</h1>
      <div className={styles.controls}>{controls}</div>
      {/* Above the results: over them it would cover their links. */}
      <div className={styles.toggle}>
        <Button type="button" variant="secondary" onClick={toggle}>
          {t(isMap ? 'search.change_search' : 'search.show_map')}
        </Button>
      </div>
      <div className={styles.results} aria-busy={busy}>
        {list(pointing)}
      </div>
      <div className={styles.map}>
        <MapSide isWanted={wasMap} map={() => map({ ...pointing, mode })} />
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
