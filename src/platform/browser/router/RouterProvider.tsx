import {
  createContext,
  type ReactNode,
  startTransition,
  use,
  useEffect,
  useLayoutEffect,
  useMemo,
  useState,
} from 'react'
import type { PathParams } from './match-path.ts'
import type { Location, RoutedPage, Router, RouterState } from './router.ts'

const RouterContext = createContext<Router | null>(null)
const StateContext = createContext<RouterState<RoutedPage> | null>(null)

/** Makes a router available to the hooks, and renders again after each navigation. */
export function RouterProvider({ router, children }: { router: Router; children: ReactNode }) {
  const [state, setState] = useState(router.state)
  useLayoutEffect(() => {
    // The previous page stays visible while the next one is rendered.
    const update = () => startTransition(() => setState(router.state))
    const unsubscribe = router.subscribe(update)
    // A navigation before this effect.
    update()
    return unsubscribe
  }, [router])
  useEffect(() => router.start(), [router])
  // biome-ignore lint/correctness/useExhaustiveDependencies: the position depends on the location
  useLayoutEffect(() => router.restoreScroll(), [router, state.location])
  return (
    <RouterContext value={router}>
      <StateContext value={state}>{children}</StateContext>
    </RouterContext>
  )
}

function useRouter(): Router {
  const router = use(RouterContext)
  if (!router) throw new Error('no RouterProvider around this component')
  return router
}

function useRouterState(): RouterState<RoutedPage> {
  const state = use(StateContext)
  if (!state) throw new Error('no RouterProvider around this component')
  return state
}

export const useNavigate = (): Router['navigate'] => useRouter().navigate

export const useLocation = (): Location => useRouterState().location

/** Returns the location that is being loaded, or null. */
export const usePendingLocation = (): Location | null => useRouterState().pending

/** Returns the page that the router's `load` returned. */
export const usePage = (): RoutedPage => useRouterState().page

/** Returns the named parts of the path. */
export const useParams = (): PathParams => usePage().params

export function useSearchParams(): URLSearchParams {
  const { search } = useLocation()
  return useMemo(() => new URLSearchParams(search), [search])
}
