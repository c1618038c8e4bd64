import { createContext, use, useMemo } from 'react'
import { escapeHtml } from '../../../kit/html.ts'
import { useProgram } from '../../../partners/member/embed/use-program.ts'
import { type CopyParams, fillTokens, type Wording, word } from '../../rules.ts'

/** The words of this program, given once at the root of the app. */
export const WordingContext = createContext<Wording>({ deck: {}, tokens: {} })

export type Copy = (key: string, params?: CopyParams) => string

/** The one way for a component to say something: by the key of its words. */
export function useCopy(): Copy {
  const wording = use(WordingContext)
  return useMemo(() => (key, params) => word(wording, key, params), [wording])
}

/** Puts the program's tokens into text that came as content. */
export function useFill(): (text: string, params?: Record<string, string>) => string {
  const { tokens } = use(WordingContext)
  return useMemo(() => (text, params) => fillTokens(text, { ...tokens, ...params }), [tokens])
}

/** An address that is longer than its line breaks behind the `@`, not within a word. */
const breakable = (address: string) => address.replace('@', '@<wbr>')

const anchors = /(<a\b[\s\S]*?<\/a>)/i

/**
 * The same for HTML: the values are escaped, the text itself must be sanitised already. Phone and email of the support
 * become links, except within a link.
 */
export function useFillHtml(): (html: string) => string {
  const { tokens } = use(WordingContext)
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
