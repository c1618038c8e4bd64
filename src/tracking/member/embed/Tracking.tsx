import { useEffect } from 'react'
import { useLocation } from 'react-router'
import { useMember } from '../../../members/member/embed/use-member.ts'
import { useProgram } from '../../../partners/member/embed/use-program.ts'
import { pageViewDelay, pageViewUrl } from '../../rules.ts'
import { AdTags } from './AdTags.tsx'
import { keepMarketing } from './marketing.ts'
import { startTracking, track } from './tracker.ts'

/** Notes page views, and where visitors come from. Shows nothing. */
export function Tracking() {
  const { pathname, search } = useLocation()
  const { config, apiBase, operator } = useProgram()
  const memberId = useMember()?.publicId
  // What an operator looks at is not what a diner looks at.
  const isDiner = operator === null
  useEffect(
    () => (isDiner ? startTracking({ apiBase, partnerCode: config.code }) : undefined),
    [apiBase, config.code, isDiner],
  )
  useEffect(() => keepMarketing(new URLSearchParams(search)), [search])
  const url = pageViewUrl({ pathname, search })
  // A newer route before the time is up cancels the one before it.
  useEffect(() => {
    const timer = setTimeout(() => track({ eventName: 'PageView', memberId, url }), pageViewDelay)
    return () => clearTimeout(timer)
  }, [url, memberId])
  return <AdTags />
}
