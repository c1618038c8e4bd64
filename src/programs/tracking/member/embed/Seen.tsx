import type { ReactNode } from 'react'
import { useMember } from '../../../../identity/members/member/embed/use-member.ts'
import type { Impression } from '../../contract.ts'
import { track } from './tracker.ts'
import { useSeen } from './use-seen.ts'

interface Props {
  as: Exclude<Impression['eventName'], 'PageView'>
  merchantId: string
  className?: string | undefined
  children: ReactNode
}

/** Records an impression of a restaurant when it is seen. */
export function Seen({ as: eventName, merchantId, className, children }: Props) {
  const memberId = useMember()?.publicId
  const element = useSeen<HTMLDivElement>(() => track({ eventName, memberId, merchantId }))
  return (
    <div ref={element} className={className}>
      {children}
    </div>
  )
}
