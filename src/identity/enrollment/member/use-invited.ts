import { useSearchParams } from '../../../platform/browser/router/RouterProvider.tsx'
import { useProgram } from '../../../programs/partners/member/embed/use-program.ts'

/**
 * Returns the known member whom the partner has invited to join (`rfr=2`). The form starts with the first name. Without a
 * web profile the account exists, but has no password yet.
 */
export function useInvited(): { firstName: string; hasWebProfile: boolean } | null {
  const { known } = useProgram()
  const search = useSearchParams()
  return search.get('rfr') === '2' ? known : null
}
