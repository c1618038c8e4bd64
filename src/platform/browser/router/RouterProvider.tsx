import {
  type Context,
  createContext,
  type ReactNode,
  startTransition,
  use,
  useEffect,
  useLayoutEffect,
  useMemo,
  useRef,
  useState,
  useSyncExternalStore,
} from 'react'
import type { PathParams } from './match-path.ts'
import type { Location, RoutedPage, Router } from './router.ts'
import { changePage } from './view-transition.ts'

const RouterContext = createContext<Router | null>(null)
// Apart from each other: a component renders again only when the part that it reads has changed.
const LocationContext = createContext<Location | null>(null)
const PageContext = createContext<RoutedPage | null>(null)
const PendingContext = createContext<Location | null>(null)

/** How long the browser may show the previous page while it waits for the next one to animate between them. */
const maxFreezeMs = 300

/** Makes a router available to the hooks, and renders again after each navigation. */
export function RouterProvider({ router, children }: { router: Router; children: ReactNode }) {
  const [state, setState] = useState(router.state)
  const shown = useRef(state.location)
  const onShown = useRef<() => void>(undefined)
  useLayoutEffect(() => {
    // The previous page stays visible while the next one is rendered.
    const render = () => startTransition(() => setState(router.state))
    let requested = shown.current
    const update = () => {
      const { location } = router.state()
      const isSamePage = location.pathname === requested.pathname
      requested = location
      if (isSamePage) return render()
      changePage(shown.current.pathname, location.pathname, () => {
        render()
        return new Promise((resolve) => {
          onShown.current = resolve
          // Rendering may take long, or another page is shown already.
          setTimeout(resolve, shown.current === router.state().location ? 0 : maxFreezeMs)
        })
      })
    }
    const unsubscribe = router.subscribe(update)
    // A navigation before this effect.
    update()
    return unsubscribe
  }, [router])
  useEffect(() => router.start(), [router])
  useLayoutEffect(() => {
    shown.current = state.location
    router.restoreScroll(state.location)
    onShown.current?.()
  }, [router, state.location])
  return (
    <RouterContext value={router}>
      <LocationContext value={state.location}>
        <PageContext value={state.page}>
          <PendingContext value={state.pending}>{children}</PendingContext>
        </PageContext>
      </LocationContext>
    </RouterContext>
  )
}

function useProvided<T>(context: Context<T | null>): T {
  const value = use(context)
  if (value === null) throw new Error('no RouterProvider around this component')
  return value
}

export const useRouter = (): Router => useProvided(RouterContext)

export const useNavigate = (): Router['navigate'] => useRouter().navigate

export const useLocation = (): Location => useProvided(LocationContext)

/** Returns what the previous page passed to this one; until hydration, what the server knows of it. */
export function usePassedState<S extends object>(): Partial<S> {
  const { passed } = useProvided(RouterContext)
  const { state } = useLocation()
  const known = useSyncExternalStore(
    never,
    () => state,
    () => passed,
  )
  return known ?? {}
}

const never = () => () => {}

/** Returns the location that is being loaded, or null. */
export const usePendingLocation = (): Location | null => use(PendingContext)

/** Returns the page that the router's `load` returned. */
export const usePage = (): RoutedPage => useProvided(PageContext)

/** Returns the named parts of the path. */
export const useParams = (): PathParams => usePage().params

export function useSearchParams(): URLSearchParams {
  const { search } = useLocation()
  return useMemo(() => new URLSearchParams(search), [search])
}
