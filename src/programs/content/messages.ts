/** Limits of repeated substitution: passes and length of the result. A token that contains itself must terminate. */
const maxPasses = 5
const maxCharacters = 64 * 1024

/**
 * Replaces `{name}` with values until nothing changes. Unknown names stay unchanged. Values for HTML must be escaped by
 * the caller.
 */
export function fillTokens(text: string, tokens: Readonly<Record<string, string>>): string {
  let filled = text
  for (let pass = 0; pass < maxPasses; pass++) {
    const next = filled.replace(/\{(\w+)\}/g, (whole, name: string) =>
      Object.hasOwn(tokens, name) ? (tokens[name] ?? whole) : whole,
    )
    if (next === filled || next.length > maxCharacters) return filled
    filled = next
  }
  return filled
}

/** Returns the names in braces of a text, each once. */
export const tokenNames = (text: string): string[] => [
  ...new Set([...text.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name)),
]

export type CopyParams = Readonly<Record<string, string | number>>

/** The messages of one program: the defaults with the partner's overrides, and the partner's tokens. */
export interface MessageCatalog {
  messages: Readonly<Record<string, string>>
  tokens: Readonly<Record<string, string>>
}

/**
 * Returns the text of a message key. `key|20` replaces NUM with 20, and `key|20|label` also `{label}` with the text of
 * that key. An unknown key returns the general error text,
 * never the key itself.
 */
export function translate({ messages, tokens }: MessageCatalog, key: string, params: CopyParams = {}): string {
  const [name = '', number, label] = key.split('|')
  // A mistake in the code: the text is replaced, and the console names the key.
  if (!(name in messages) && typeof document === 'object') console.error(key)
  const text = messages[name] ?? messages['errors.general'] ?? ''
  const filled = fillTokens(text, {
    ...tokens,
    ...(label && { label: messages[label] ?? '' }),
    ...Object.fromEntries(Object.entries(params).map(([k, v]) => [k, String(v)])),
  })
  return number === undefined ? filled : filled.replaceAll('NUM', () => number)
}

/** Returns keys of `overrides` without a default message: a misspelled override would never be shown. */
export function unknownKeys(messages: Record<string, string>, overrides: Record<string, string>): string[] {
  return Object.keys(overrides).filter((key) => !Object.hasOwn(messages, key))
}
