import { returnPathFrom } from '../../../identity/session/sso/return-path.ts'
import { useLocation, usePage } from '../../../platform/browser/router/RouterProvider.tsx'

/** Returns where signing in or joining from this page ends; '' for the account. A page that does not exist is not worth it. */
export function useReturnPath(): string {
  const location = useLocation()
  return usePage().failure?.status === 404 ? '' : returnPathFrom(location)
}
