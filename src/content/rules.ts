/** How often substitution is repeated, and how long a text may become: a token that names itself must end. */
const mostPasses = 5
const mostCharacters = 64 * 1024

/**
 * Puts values in place of `{name}` until nothing changes any more. Unknown names stay as they are.
 * Values that HTML will be made of must be escaped by the caller, before they come here.
 */
export function fillTokens(text: string, tokens: Readonly<Record<string, string>>): string {
  let filled = text
  for (let pass = 0; pass < mostPasses; pass++) {
    const next = filled.replace(/\{(\w+)\}/g, (whole, name: string) =>
      Object.hasOwn(tokens, name) ? (tokens[name] ?? whole) : whole,
    )
    if (next === filled || next.length > mostCharacters) return filled
    filled = next
  }
  return filled
}

const htmlSigns: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' }

/** Plain text as HTML that shows it. */
export function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (sign) => htmlSigns[sign] ?? sign)
}

export type CopyParams = Readonly<Record<string, string | number>>

/** Words of one program: the default deck with the partner's overrides, and the partner's tokens. */
export interface Wording {
  deck: Readonly<Record<string, string>>
  tokens: Readonly<Record<string, string>>
}

/**
 * The text of a copy key. `key|20` fills NUM with 20. A key that the deck does not have is answered
 * with the general error text, never with the key itself.
 */
export function word({ deck, tokens }: Wording, key: string, params: CopyParams = {}): string {
  const [name = '', number] = key.split('|')
  const text = deck[name] ?? deck['errors.general'] ?? ''
  const filled = fillTokens(text, {
    ...tokens,
    ...Object.fromEntries(Object.entries(params).map(([k, v]) => [k, String(v)])),
  })
  return number === undefined ? filled : filled.replaceAll('NUM', number)
}

/** Keys of `overrides` that the default deck does not know: a misspelt override would never show. */
export function unknownKeys(deck: Record<string, string>, overrides: Record<string, string>): string[] {
  return Object.keys(overrides).filter((key) => !Object.hasOwn(deck, key))
}

/** One block of a content column. */
export type Block =
  | { type: 'title' | 'body_text' | 'text'; text: string }
  | { type: 'button' | 'link' | 'standalone_link'; text: string; url: string }
  | { type: 'merchant_carousel'; headline: string; body: string; query: string }

const stringOf = (value: unknown): string => (typeof value === 'string' ? value : '')

/** The blocks of a content field, in order; unknown types and broken items are left out. */
export function blocksOf(field: unknown): Block[] {
  if (!Array.isArray(field)) return []
  return field.flatMap((item: Record<string, unknown> | null): Block[] => {
    const text = stringOf(item?.text) || stringOf(item?.text_desktop)
    switch (item?.type) {
      case 'title':
      case 'text':
      case 'body_text':
        return text ? [{ type: item.type, text }] : []
      case 'button':
      case 'link':
      case 'standalone_link':
        return text && stringOf(item.url) ? [{ type: item.type, text, url: stringOf(item.url) }] : []
      case 'merchant_carousel':
        return [
          {
            type: item.type,
            headline: stringOf(item.headline),
            body: stringOf(item.body),
            query: stringOf(item.query),
          },
        ]
      default:
        return []
    }
  })
}

const tiers: Record<string, string> = { OptedOut: 'tier0', NonActivated: 'tier1', OptedIn: 'tier2', VIP: 'tier3' }

/** The name of a visitor's or member's state, as content selects by it. */
export function userState(member: { memberType: string; tierLevel: string } | null): string {
  if (!member) return 'anonymous'
  if (member.memberType === 'ClosedAccountMember') return 'closed'
  if (member.memberType === 'NonCardMember') return 'nonCard'
  return tiers[member.tierLevel] ?? 'default'
}

/** The entry for a state, else the one for everybody, else the first. */
export function chooseByState<F extends Record<string, unknown>>(entries: readonly F[], state: string): F | undefined {
  const has = (name: string) => (fields: F) => Array.isArray(fields.user_states) && fields.user_states.includes(name)
  return entries.find(has(state)) ?? entries.find(has('default')) ?? entries[0]
}
