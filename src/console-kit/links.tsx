import { Anchor } from '@mantine/core'
import { Link as RouterLink, useLocation, useNavigate, useParams } from '@tanstack/react-router'
import type { ComponentProps, ReactNode } from 'react'
import { useProgram } from './session.tsx'

type LinkProps = Omit<ComponentProps<'a'>, 'href'> & { to: string; children?: ReactNode }

/** A link to a page of the console: `to` is its address, with its query. */
export function Link({ to, ...props }: LinkProps) {
  const { path, search } = splitAddress(to)
  // Components mark the current page themselves.
  return <RouterLink activeOptions={{ exact: true }} {...(props as object)} to={path} search={search as never} />
}

function splitAddress(address: string) {
  const url = new URL(address, 'http://console')
  return { path: url.pathname, search: Object.fromEntries(url.searchParams) }
}

/** A link to the page of a restaurant in the program's app, in another tab. */
export function RestaurantLink({ id, children }: { id: string; children: ReactNode }) {
  const { origin } = useProgram()
  return (
    <Anchor size="sm" href={`${origin}/merchants/${encodeURIComponent(id)}`} target="_blank" rel="noopener">
      {children}
    </Anchor>
  )
}

/** Returns a function that opens a page by its address. */
export function useOpen(): (to: string) => void {
  const navigate = useNavigate()
  return (to) => {
    const { path, search } = splitAddress(to)
    void navigate({ to: path, search: search as never })
  }
}

/** Returns the address of a page of the program of this address: `claims/Vh3` is `/skyharbor/claims/Vh3`. */
export function useAddress(): (path: string) => string {
  const { program } = useParams({ strict: false }) as { program?: string }
  return (path) => `/${program}/${path}`
}

type Search = Record<string, string | undefined>

/**
 * The search parameters of the address, which hold the filters of a list: a reload, Back and a copied address show the
 * same. Values are text; a filter without a value is absent.
 */
export function useSearchParams(): [Search, (changes: Search) => void] {
  const navigate = useNavigate()
  // Subscribed: a changed filter renders the list again.
  const raw = useLocation().search as Record<string, unknown>
  const search = Object.fromEntries(Object.entries(raw).map(([key, value]) => [key, String(value)]))
  return [
    search,
    (changes) => {
      const next = Object.entries({ ...search, ...changes }).filter(([, value]) => value !== undefined && value !== '')
      void navigate({ to: '.', search: Object.fromEntries(next) as never, replace: true })
    },
  ]
}
