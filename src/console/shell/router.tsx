import {
  createRootRoute,
  createRoute,
  createRouter,
  lazyRouteComponent,
  Outlet,
  redirect,
} from '@tanstack/react-router'
import { queryClient } from '../../console-kit/api.ts'
import { sessionQuery } from '../../console-kit/session.tsx'
import { Empty, LoadFailed } from '../../console-kit/states.tsx'
import { HomePage } from '../home/HomePage.tsx'
import { installationPages, pages } from './pages.tsx'
import { Shell } from './Shell.tsx'

const root = createRootRoute({
  loader: () => queryClient.ensureQueryData(sessionQuery),
  component: Shell,
  notFoundComponent: () => <Empty title="There is no such page">Choose one in the navigation.</Empty>,
  errorComponent: ({ error, reset }) => <LoadFailed error={error} onRetry={reset} />,
})

const home = createRoute({
  getParentRoute: () => root,
  path: '/',
  beforeLoad: async () => {
    const { programs } = await queryClient.ensureQueryData(sessionQuery)
    const [only] = programs
    if (programs.length === 1 && only) throw redirect({ to: `/${only.code}` as string })
  },
  component: HomePage,
})

const program = createRoute({
  getParentRoute: () => root,
  path: '$program',
  component: Outlet,
})

const programHome = createRoute({ getParentRoute: () => program, path: '/', component: HomePage })

const areaRoutes = pages.map(({ path, load }) =>
  createRoute({ getParentRoute: () => program, path, component: lazyRouteComponent(load) }),
)

const installationRoutes = installationPages.map(({ path, load }) =>
  createRoute({ getParentRoute: () => root, path, component: lazyRouteComponent(load) }),
)

const routeTree = root.addChildren([home, ...installationRoutes, program.addChildren([programHome, ...areaRoutes])])

/** The router of the console. Filters are plain text in the address. */
export const router = createRouter({
  routeTree,
  defaultPreload: false,
  scrollRestoration: true,
  parseSearch: (text) => Object.fromEntries(new URLSearchParams(text)),
  stringifySearch: (search) => {
    const text = new URLSearchParams(search as Record<string, string>).toString()
    return text === '' ? '' : `?${text}`
  },
})
