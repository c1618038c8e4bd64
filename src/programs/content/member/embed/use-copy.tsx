import { createContext, use, useMemo } from 'react'
import { escapeHtml } from '../../../../platform/html.ts'
import { useProgram } from '../../../partners/member/embed/use-program.ts'
import { type CopyParams, fillTokens, type MessageCatalog, translate } from '../../messages.ts'

/** The messages of this program, provided once at the root of the app. */
export const MessagesContext = createContext<MessageCatalog>({ messages: {}, tokens: {} })

export type Copy = (key: string, params?: CopyParams) => string

/** Returns the function that components use for all their texts: a message by key. */
export function useCopy(): Copy {
  const catalog = use(MessagesContext)
  return useMemo(() => (key, params) => translate(catalog, key, params), [catalog])
}

/** Returns a function that inserts the program's tokens into content text. */
export function useFill(): (text: string, params?: Record<string, string>) => string {
  const { tokens } = use(MessagesContext)
  return useMemo(() => (text, params) => fillTokens(text, { ...tokens, ...params }), [tokens])
}

/** A long email address wraps after the `@`, not within a word. */
const breakable = (address: string) => address.replace('@', '@<wbr>')

const anchors = /(<a\b[\s\S]*?<\/a>)/i

/**
 * Returns a function that inserts the program's tokens into HTML. Values are escaped; the HTML itself must already be
 * sanitized. The support phone and email become links, except within a link.
 */
export function useFillHtml(): (html: string) => string {
  const { tokens } = use(MessagesContext)
  const { phone, email } = useProgram().config.customerSupport
  return useMemo(() => {
    const escaped = Object.fromEntries(Object.entries(tokens).map(([name, value]) => [name, escapeHtml(value)]))
    const link = (href: string, text: string) => `<a href="${escapeHtml(href)}">${text}</a>`
    const isAddress = /^[^\s@/]+@[^\s@/]+\.[^\s@/]+$/.test(email.href)
    const linked = {
      ...escaped,
      ...(escaped.supportPhone && { supportPhone: link(phone.href, escaped.supportPhone) }),
      ...(escaped.supportEmail &&
        isAddress && { supportEmail: link(`mailto:${email.href}`, breakable(escaped.supportEmail)) }),
    }
    const parts = (html: string) => html.split(anchors)
    return (html) =>
      parts(html)
        .map((part, index) => fillTokens(part, index % 2 === 1 ? escaped : linked))
        .join('')
  }, [tokens, phone, email])
}
