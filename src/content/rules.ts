import { unescapeHtml } from '../kit/html.ts'

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
  return number === undefined ? filled : filled.replaceAll('NUM', () => number)
}

/** Keys of `overrides` that the default deck does not know: a misspelt override would never show. */
export function unknownKeys(deck: Record<string, string>, overrides: Record<string, string>): string[] {
  return Object.keys(overrides).filter((key) => !Object.hasOwn(deck, key))
}

/** One block of a content column. A button leads somewhere or does something. */
export type Block =
  | { type: 'title' | 'body_text' | 'text'; text: string }
  | { type: 'button'; text: string; url: string; action?: string }
  | { type: 'link' | 'standalone_link'; text: string; url: string }
  | { type: 'merchant_carousel'; headline: string; body: string; query: string }

const stringOf = (value: unknown): string => (typeof value === 'string' ? value : '')

/** The blocks of a content field, in order; unknown types and broken items are left out. */
export function blocksOf(field: unknown): Block[] {
  if (!Array.isArray(field)) return []
  return field.flatMap((item) => blockOf(item) ?? [])
}

function blockOf(item: Record<string, unknown> | null): Block | null {
  const [text, url, action] = [stringOf(item?.text), stringOf(item?.url), stringOf(item?.action)]
  switch (item?.type) {
    case 'title':
    case 'text':
    case 'body_text':
      return text ? { type: item.type, text } : null
    case 'button':
      return text && (url || action) ? { type: item.type, text, url, ...(action && { action }) } : null
    case 'link':
    case 'standalone_link':
      return text && url ? { type: item.type, text, url } : null
    case 'merchant_carousel': {
      const { headline, body, query } = item
      return { type: item.type, headline: stringOf(headline), body: stringOf(body), query: stringOf(query) }
    }
    default:
      return null
  }
}

const excerptLength = 140

/** The text of the first block of a kind; empty when there is none. */
export function textOf(blocks: readonly Block[], type: 'title' | 'body_text' | 'text'): string {
  const found = blocks.find((block) => block.type === type)
  return found && 'text' in found ? found.text : ''
}

/** The first sentence or so of a column, without its markup. */
export function excerptOf(blocks: readonly Block[]): string {
  const html = textOf(blocks, 'body_text') || textOf(blocks, 'text')
  const plain = unescapeHtml(
    html
      .replace(/<\/li>(?=<li>)/g, '; ')
      .replace(/<\/(p|li|h[2-4])>/g, ' ')
      .replace(/<[^>]*>/g, ''),
  ).trim()
  if (plain.length <= excerptLength) return plain
  return `${plain.slice(0, plain.lastIndexOf(' ', excerptLength))} …`
}

/** One item of a banner's text, in both its lengths. */
export interface BannerItem {
  type: 'title' | 'text' | 'button' | 'link'
  desktop: string
  mobile: string
  url: string
}

const itemTypes: Record<string, BannerItem['type']> = {
  title: 'title',
  text: 'text',
  body_text: 'text',
  button: 'button',
  link: 'link',
  standalone_link: 'link',
}

/** The items of a banner; the short text falls back to the long one. Unknown types are left out. */
export function bannerItemsOf(field: unknown): BannerItem[] {
  if (!Array.isArray(field)) return []
  return field.flatMap((item): BannerItem[] => {
    const type = itemTypes[stringOf(item?.type)]
    const desktop = stringOf(item?.text_desktop) || stringOf(item?.text)
    if (!type || !desktop) return []
    return [{ type, desktop, mobile: stringOf(item.text_mobile) || desktop, url: stringOf(item.url) }]
  })
}

/** The banner of a page; null when it is switched off or absent. */
export interface PageBanner {
  image: string
  imageMobile: string
  alt: string
  welcome: boolean
  prospectEmail: boolean
  position: string
}

export function bannerOf(field: unknown): PageBanner | null {
  const banner = (field ?? {}) as Record<string, unknown>
  if (banner.enable_banner !== true) return null
  const image = stringOf(banner.image)
  return {
    image,
    imageMobile: stringOf(banner.image_mobile) || image,
    alt: stringOf(banner.image_mobile_alt_text),
    welcome: banner.include_welcome_message === true,
    prospectEmail: banner.include_prospect_email === true,
    position: `${stringOf(banner.image_x_position) || '50%'} ${stringOf(banner.image_y_position) || '50%'}`,
  }
}

/** A banner about an offer. */
export interface OfferBanner {
  type: 'bonus' | 'earn' | 'enrollment'
  code: string
  url: string
  image: string
  items: BannerItem[]
  /** Whole days; anything else is for always. */
  daysToDisplay: unknown
  appOnly: boolean
  /** What stands in a browser where only the app has the button. */
  appText: string
}

/** The banners of a kind that somebody in this state may see, by their order. */
export function offersOf(field: unknown, type: OfferBanner['type'], state: string): OfferBanner[] {
  if (!Array.isArray(field)) return []
  return field
    .filter((item) => item?.type === type && isFor(item.user_states, state))
    .sort((a, b) => Number(a.order ?? 0) - Number(b.order ?? 0))
    .map(({ code, url, image, banner_text, days_to_display, app_only_bonus, app_text }) => ({
      type,
      code: stringOf(code),
      url: stringOf(url),
      image: stringOf(image),
      items: bannerItemsOf(banner_text),
      daysToDisplay: days_to_display,
      appOnly: app_only_bonus === true,
      appText: stringOf(app_text),
    }))
}

function isFor(states: unknown, state: string): boolean {
  return !Array.isArray(states) || states.length === 0 || states.includes(state)
}

const tiers: Record<string, string> = { OptedOut: 'tier0', NonActivated: 'tier1', OptedIn: 'tier2', VIP: 'tier3' }

/** The name of a visitor's or member's state, as content selects by it. Who is signed in counts before who is known. */
export function userState(
  member: { memberType: string; tierLevel: string } | null,
  known: { tierLevel: string } | null = null,
): string {
  if (!member && known) return known.tierLevel === 'NonActivated' ? 'tier1' : 'known'
  if (!member) return 'anonymous'
  if (member.memberType === 'ClosedAccountMember') return 'closed'
  if (member.memberType === 'NonCardMember') return 'nonCard'
  return tiers[member.tierLevel] ?? 'default'
}

/**
 * The entry for a state, else the one for everybody, else the first. A state that the program says it has no copy for
 * gets what everybody gets; an empty list of states means that it has copy for all.
 */
export function chooseByState<F extends Record<string, unknown>>(
  entries: readonly F[],
  state: string,
  copyStates: readonly string[] = [],
): F | undefined {
  const has = (name: string) => (fields: F) => Array.isArray(fields.user_states) && fields.user_states.includes(name)
  const own = copyStates.length === 0 || copyStates.includes(state) ? entries.find(has(state)) : undefined
  return own ?? entries.find(has('default')) ?? entries[0]
}
