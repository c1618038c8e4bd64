import { useEffect } from 'react'
import { useLocation } from '../../../../platform/browser/router/RouterProvider.tsx'
import { useProgram } from '../../../partners/member/embed/use-program.ts'
import { allowsAdTags } from '../../rules.ts'
import { mayTrack } from './privacy.ts'

/**
 * Adds the partner's advertising tag `{prefix}-{page}` when the installation has a tag script. Failure or blocking of
 * the script has no effect on the page.
 */
export function AdTags() {
  const { pathname } = useLocation()
  const { config, adTagUrl } = useProgram()
  const prefix = config.adTagPrefix
  useEffect(() => {
    if (!prefix || !adTagUrl || !mayTrack() || !allowsAdTags(pathname)) return
    const tag = document.createElement('script')
    tag.src = adTagUrl
    tag.async = true
    tag.dataset.tag = `${prefix}-${pathname.split('/')[1] || 'home'}`
    document.head.append(tag)
    return () => tag.remove()
  }, [prefix, adTagUrl, pathname])
  return null
}
