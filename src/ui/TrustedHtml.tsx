import type { ElementType } from 'react'

interface Props {
  /** Sanitised by the server, or checked when the program was loaded. Never what a visitor typed. */
  html: string
  as?: ElementType
  className?: string | undefined
  'aria-hidden'?: boolean
}

/** The one place where text becomes markup. */
export function TrustedHtml({ html, as: Element = 'div', ...props }: Props) {
  // biome-ignore lint/security/noDangerouslySetInnerHtml: this component exists so that there is no other
  return <Element {...props} dangerouslySetInnerHTML={{ __html: html }} />
}
