import { useMember } from '../../members/member/embed/use-member.ts'
import { useProgram } from '../../partners/member/embed/use-program.ts'
import { userState } from '../rules.ts'

/** Who looks, as content selects by it, and the first name to greet with when there is one. */
export function useVisitor(): { state: string; firstName: string; isMember: boolean } {
  const { known } = useProgram()
  const member = useMember()
  return {
    state: userState(member, known),
    firstName: member?.firstName ?? known?.firstName ?? '',
    isMember: member !== null,
  }
}
