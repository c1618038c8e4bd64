import { useSearchParams } from 'react-router'
import { useProgram } from '../../partners/member/embed/use-program.ts'

/**
 * Returns the recipient of an invitation without an account to activate (`rfr=2`), so that joining starts with the
 * known name.
 */
export function useInvited(): { firstName: string } | null {
  const { known } = useProgram()
  const [search] = useSearchParams()
  return search.get('rfr') === '2' ? known : null
}
