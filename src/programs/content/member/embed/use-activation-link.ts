import { useMember } from '../../../../identity/members/member/embed/use-member.ts'
import { useProgram } from '../../../partners/member/embed/use-program.ts'

/**
 * Returns a function that adds to a URL the public id of the member to activate: the signed-in member's, or that in the
 * visitor's invitation.
 */
export function useActivationLink(): (url: string) => string {
  const { known } = useProgram()
  const publicId = useMember()?.publicId ?? known?.publicId
  return (url) => (url === '/activate' && publicId ? `/activate?publicId=${publicId}` : url)
}
