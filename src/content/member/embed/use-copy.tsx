import { createContext, use, useMemo } from 'react'
import { escapeHtml } from '../../../kit/html.ts'
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

/** The same for HTML: the values are escaped, the text itself must be sanitised already. */
export function useFillHtml(): (html: string) => string {
  const { tokens } = use(WordingContext)
  return useMemo(() => {
    const escaped = Object.fromEntries(Object.entries(tokens).map(([name, value]) => [name, escapeHtml(value)]))
    return (html) => fillTokens(html, escaped)
  }, [tokens])
}
