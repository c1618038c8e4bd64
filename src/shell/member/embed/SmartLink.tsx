import type { ReactNode } from 'react'
import { Link } from 'react-router'

// Addresses that the server answers itself, and other sites, are left by a full navigation.
const documentPath = /^(\/Login|\/SignOut|\/api\/|\/preview\/)/

interface Props {
  href: string
  className?: string | undefined
  newTab?: boolean
  onClick?: () => void
  children: ReactNode
}

/** A link of content: within the app, to the server, or out into the world. */
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
