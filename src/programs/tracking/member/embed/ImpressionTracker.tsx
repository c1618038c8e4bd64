import type { ReactNode } from 'react'
import { useMember } from '../../../../identity/members/member/embed/use-member.ts'
import type { Impression } from '../../contract.ts'
import { track } from './tracker.ts'
import { useImpression } from './use-impression.ts'

interface Props {
  as: Exclude<Impression['eventName'], 'PageView'>
  merchantId: string
  className?: string | undefined
  children: ReactNode
}

/** Records an impression of a restaurant when it is seen. */
export function ImpressionTracker({ as: eventName, merchantId, className, children }: Props) {
  const memberId = useMember()?.publicId
  const element = useImpression<HTMLDivElement>(() => track({ eventName, memberId, merchantId }))
  return (
    <div ref={element} className={className}>
      {children}
    </div>
  )
}
