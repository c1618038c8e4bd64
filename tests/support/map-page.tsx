import { createRoot } from 'react-dom/client'
import type { Pin, SearchResponse } from '../../src/dining/merchants/contract.ts'
import { ResultMap } from '../../src/dining/merchants/member/ResultMap.tsx'
import { memberQuery } from '../../src/identity/members/member/embed/use-member.ts'
import type { Api } from '../../src/platform/browser/api.ts'
import { QueryCache } from '../../src/platform/browser/query-cache.ts'
import { createStaticRouter } from '../../src/platform/browser/router/router.ts'
import { ProgramContext } from './program-context.tsx'

// Imported once there is a window: React and Leaflet look for one when they are loaded.

export interface ShownMap {
  pins?: readonly Pin[]
  /** The restaurants in the list; by default all that have pins. */
  listed?: readonly Pin[]
  origin?: SearchResponse['origin']
  total?: number
  /** Identifies the search; by default each list is another search. */
  search?: string
  area?: { latitude: number; longitude: number } | null
  pointed?: string | null
}

interface Options {
  tiles?: { url: string; attribution: string } | null
  /** Responds to requests of the names of cities. */
  places?: (area: Record<string, number>) => Promise<object[]>
}

/** Shows the map of a search in the current window. `reports` has what the page around it learns. */
export function showMap(first: ShownMap, { tiles = null, places = async () => [] }: Options = {}) {
  const reports: string[] = []
  const areas: { latitude: number; longitude: number; radius: number }[] = []
  const api: Api = {
    call: async (_call, given) => ({ places: await places((given as { query: never }).query) }) as never,
  }
  const cache = new QueryCache()
  cache.set(memberQuery(api).key, null)
  const page = new URL(window.location.href)
  const router = {
    ...createStaticRouter(page, { params: {} }),
    navigate: async (to: string | number) => void reports.push(`opens ${to}`),
  }
  const onPoint = (id: string | null) => void reports.push(`points at ${id}`)
  const root = createRoot(document.body.appendChild(document.createElement('div')))
  const show = ({ pins = [], listed = pins, origin = null, total = pins.length, ...more }: ShownMap) => {
    const { area = null, pointed = null, search = listed.map(({ id }) => id).join() } = more
    const merchants = listed.map(({ id, latitude, longitude }) => ({ id, location: { latitude, longitude } }))
    root.render(
      <ProgramContext
        program={{ config: { enrollmentType: 'direct' }, mapTiles: tiles }}
        api={api}
        cache={cache}
        router={router}
      >
        <ResultMap
          response={{ merchants, origin } as never}
          pins={pins}
          total={total}
          search={search}
          area={area}
          shown={{ pointed, onPoint, mode: 'MOBILE_LIST' }}
          label="Map"
          onArea={(area) => areas.push(area)}
        />
      </ProgramContext>,
    )
  }
  show(first)
  return { reports, areas, show, end: () => root.unmount() }
}
