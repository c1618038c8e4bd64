import { useEffect } from 'react'
import { useMember } from '../../../../identity/members/member/embed/use-member.ts'
import { useLocation } from '../../../../platform/browser/router/RouterProvider.tsx'
import { useProgram } from '../../../partners/member/embed/use-program.ts'
import { pageViewDelay, pageViewUrl } from '../../rules.ts'
import { AdTags } from './AdTags.tsx'
import { storeMarketing } from './marketing.ts'
import { startTracking, track } from './tracker.ts'

/** Records page views and marketing parameters. Renders nothing. */
export function Tracking() {
  const { pathname, search } = useLocation()
  const { config, apiBase, operator } = useProgram()
  const memberId = useMember()?.publicId
  // Page views of impersonating operators are not recorded.
  const isVisitor = operator === null
  useEffect(
    () => (isVisitor ? startTracking({ apiBase, partnerCode: config.code }) : undefined),
    [apiBase, config.code, isVisitor],
  )
  useEffect(() => storeMarketing(new URLSearchParams(search)), [search])
  const url = pageViewUrl({ pathname, search })
  // Another navigation before the delay has passed cancels the page view.
  useEffect(() => {
    const timer = setTimeout(() => track({ eventName: 'PageView', memberId, url }), pageViewDelay)
    return () => clearTimeout(timer)
  }, [url, memberId])
  return <AdTags />
}
