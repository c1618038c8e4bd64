import { useMember } from '../../../members/member/embed/use-member.ts'
import { useProgram } from '../../../partners/member/embed/use-program.ts'

/** The activation page is told whom to activate: who is signed in, or whose invitation brought this visitor. */
export function useActivationLink(): (url: string) => string {
  const { known } = useProgram()
  const publicId = useMember()?.publicId ?? known?.publicId
  return (url) => (url === '/activate' && publicId ? `/activate?publicId=${publicId}` : url)
}
