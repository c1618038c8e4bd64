import type { ReactNode } from 'react'
import { Link } from '../../../../platform/browser/router/Link.tsx'

// Paths that the server handles, and other sites, require a full navigation.
const documentPath = /^(\/Login|\/SignOut|\/api\/|\/preview\/)/

interface Props {
  href: string
  className?: string | undefined
  newTab?: boolean
  onClick?: () => void
  children: ReactNode
}

/** A content link: within the app, to the server, or to another site. */
export function SmartLink({ href, className, newTab = false, onClick, children }: Props) {
  const tab = newTab ? { target: '_blank' } : {}
  if (href.startsWith('/') && !documentPath.test(href)) {
    return (
      <Link to={href} className={className} onClick={onClick} {...tab} rel={newTab ? 'noopener' : undefined}>
        {children}
      </Link>
    )
  }
  return (
    <a href={href} className={className} onClick={onClick} {...tab} rel="noopener">
      {children}
    </a>
  )
}
