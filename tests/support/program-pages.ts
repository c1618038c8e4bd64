import { QueryClient } from '@tanstack/react-query'
import type { RouteObject } from 'react-router'
import type { Boot } from '../../src/app/web/boot.ts'
import { createRoutes } from '../../src/app/web/routes.tsx'
import type { ProgramConfig } from '../../src/programs/partners/contract.ts'
import { publicConfig } from '../../src/programs/partners/rules.ts'

/** Returns every address of a program from its own route table; parameters use the given restaurant. */
export function addressesOf(config: ProgramConfig, merchantSlug: string): string[] {
  const boot = { config: publicConfig(config), stagingTools: false } as Boot
  const routes = createRoutes(boot, { api: {} as never, cache: new QueryClient() })
  const pathsOf = (route: RouteObject, above: string): string[] => {
    const path = `${above}/${route.path ?? ''}`.replace(/\/+/g, '/')
    return route.children ? route.children.flatMap((child) => pathsOf(child, path)) : [path]
  }
  const paths = routes.flatMap((route) => pathsOf(route, ''))
  const filled = paths.map((path) => path.replace(':merchantId', merchantSlug).replace('*', 'anything'))
  return [...new Set(filled.map((path) => path.replace(/(.)\/$/, '$1'))), '/search?location=10001']
}
