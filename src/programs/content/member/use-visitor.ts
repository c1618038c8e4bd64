import { useMember } from '../../../identity/members/member/embed/use-member.ts'
import { useProgram } from '../../partners/member/embed/use-program.ts'
import { userState } from '../audience.ts'

/** Returns the visitor's state, which selects content, and the first name for the greeting, if known. */
export function useVisitor(): { state: string; firstName: string; isMember: boolean } {
  const { known } = useProgram()
  const member = useMember()
  return {
    state: userState(member, known),
    firstName: member?.firstName ?? known?.firstName ?? '',
    isMember: member !== null,
  }
}
