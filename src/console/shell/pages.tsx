import type { ComponentType } from 'react'

/** A page of an area: its path after the program's code, in the router's syntax, and the file that is loaded for it. */
export interface ConsolePage {
  path: string
  load: () => Promise<{ default: ComponentType }>
}

/** The pages of all areas. */
export const pages: readonly ConsolePage[] = [
  { path: 'claims', load: () => import('../../rewards/claims/console/ClaimsPage.tsx') },
  { path: 'claims/$id', load: () => import('../../rewards/claims/console/ClaimsPage.tsx') },
]
