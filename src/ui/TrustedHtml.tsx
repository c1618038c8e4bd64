import type { ElementType } from 'react'
import { trustHtml } from '../platform/browser/trusted-types.ts'

interface Props {
  /** Sanitized by the server, or validated when the program was loaded. Never user input. */
  html: string
  as?: ElementType
  className?: string | undefined
  'aria-hidden'?: boolean
}

/** The only component that renders raw HTML. */
export function TrustedHtml({ html, as: Element = 'div', ...props }: Props) {
  // biome-ignore lint/security/noDangerouslySetInnerHtml: the only component allowed to use it
  return <Element {...props} dangerouslySetInnerHTML={{ __html: trustHtml(html) }} />
}
