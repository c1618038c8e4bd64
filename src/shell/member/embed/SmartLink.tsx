import type { ReactNode } from 'react'
import { Link } from 'react-router'

// Addresses that the server answers itself, and other sites, are left by a full navigation.
const documentPath = /^(\/Login|\/SignOut|\/api\/)/

/** A link of content: within the app, to the server, or out into the world. */
export function SmartLink({ href, className, children }: { href: string; className?: string; children: ReactNode }) {
  if (href.startsWith('/') && !documentPath.test(href)) {
    return (
      <Link to={href} className={className}>
        {children}
      </Link>
    )
  }
  return (
    <a href={href} className={className} rel="noopener">
      {children}
    </a>
  )
}
