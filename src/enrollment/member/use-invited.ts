import { useSearchParams } from 'react-router'
import { useProgram } from '../../partners/member/embed/use-program.ts'

/** Whom an invitation was for that found nothing to activate (`rfr=2`): joining begins with the name it knew. */
export function useInvited(): { firstName: string } | null {
  const { known } = useProgram()
  const [search] = useSearchParams()
  return search.get('rfr') === '2' ? known : null
}
