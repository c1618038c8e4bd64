import { unescapeHtml } from '../../platform/html.ts'

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

export type CopyParams = Readonly<Record<string, string | number>>

/** The messages of one program: the defaults with the partner's overrides, and the partner's tokens. */
export interface MessageCatalog {
  messages: Readonly<Record<string, string>>
  tokens: Readonly<Record<string, string>>
}

/**
 * Returns the text of a message key. `key|20` replaces NUM with 20. An unknown key returns the general error text,
 * never the key itself.
 */
export function translate({ messages, tokens }: MessageCatalog, key: string, params: CopyParams = {}): string {
  const [name = '', number] = key.split('|')
  const text = messages[name] ?? messages['errors.general'] ?? ''
  const filled = fillTokens(text, {
    ...tokens,
    ...Object.fromEntries(Object.entries(params).map(([k, v]) => [k, String(v)])),
  })
  return number === undefined ? filled : filled.replaceAll('NUM', () => number)
}

/** Returns keys of `overrides` without a default message: a misspelled override would never be shown. */
export function unknownKeys(messages: Record<string, string>, overrides: Record<string, string>): string[] {
  return Object.keys(overrides).filter((key) => !Object.hasOwn(messages, key))
}

/** One block of a content column. A button has a link or an action. */
export type Block =
  | { type: 'title' | 'body_text' | 'text'; text: string }
  | { type: 'button'; text: string; url: string; action?: string }
  | { type: 'link' | 'standalone_link'; text: string; url: string }
  | { type: 'merchant_carousel'; headline: string; body: string; query: string }

const stringOf = (value: unknown): string => (typeof value === 'string' ? value : '')

/** Returns the blocks of a content field in order; unknown types and invalid items are omitted. */
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

/** Returns the text of the first block of a type, or ''. */
export function textOf(blocks: readonly Block[], type: 'title' | 'body_text' | 'text'): string {
  const found = blocks.find((block) => block.type === type)
  return found && 'text' in found ? found.text : ''
}

/** Returns the first sentence or so of a column, without markup. */
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

/** One item of a banner's text, in both lengths. */
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

/** Returns the items of a banner; the short text defaults to the long one. Unknown types are omitted. */
export function bannerItemsOf(field: unknown): BannerItem[] {
  if (!Array.isArray(field)) return []
  return field.flatMap((item): BannerItem[] => {
    const type = itemTypes[stringOf(item?.type)]
    const desktop = stringOf(item?.text_desktop) || stringOf(item?.text)
    if (!type || !desktop) return []
    return [{ type, desktop, mobile: stringOf(item.text_mobile) || desktop, url: stringOf(item.url) }]
  })
}

/** The banner of a page. `bannerOf` returns null when it is disabled or missing. */
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

/** A banner for an offer. */
export interface OfferBanner {
  type: 'bonus' | 'earn' | 'enrollment'
  code: string
  url: string
  image: string
  items: BannerItem[]
  /** Whole days; anything else means "always". */
  daysToDisplay: unknown
  appOnly: boolean
  /** Text shown in a browser in place of the app-only button. */
  appText: string
}

/** Returns the banners of a type for a visitor state, sorted by `order`. */
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

/**
 * Returns the name of the visitor's state, which selects content. A signed-in member takes precedence over a known
 * visitor.
 */
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
 * Returns the entry for a state, else the default entry, else the first. A state outside the program's `copyStates`
 * gets the default entry; an empty list means all states.
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
