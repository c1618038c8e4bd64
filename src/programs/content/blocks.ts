import { unescapeHtml } from '../../platform/html.ts'

/** One block of a content column. A button has a link or an action. */
export type Block =
  | { type: 'title' | 'body_text' | 'text'; text: string }
  | { type: 'button'; text: string; url: string; action?: string }
  | { type: 'link' | 'standalone_link'; text: string; url: string }
  | { type: 'merchant_carousel'; headline: string; body: string; query: string }

/** Returns the text of a content field, '' for any other value. */
export const toText = (value: unknown): string => (typeof value === 'string' ? value : '')

/** Returns the blocks of a content field in order; unknown types and invalid items are omitted. */
export function toBlocks(field: unknown): Block[] {
  if (!Array.isArray(field)) return []
  return field.flatMap((item) => toBlock(item) ?? [])
}

function toBlock(item: Record<string, unknown> | null): Block | null {
  const [text, url, action] = [toText(item?.text), toText(item?.url), toText(item?.action)]
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
      return { type: item.type, headline: toText(headline), body: toText(body), query: toText(query) }
    }
    default:
      return null
  }
}

const excerptLength = 140

/** Returns the text of the first block of a type, or ''. */
export function findText(blocks: readonly Block[], type: 'title' | 'body_text' | 'text'): string {
  const found = blocks.find((block) => block.type === type)
  return found && 'text' in found ? found.text : ''
}

/** Returns the first sentence or so of a column, without markup. */
export function toExcerpt(blocks: readonly Block[]): string {
  const html = findText(blocks, 'body_text') || findText(blocks, 'text')
  const plain = unescapeHtml(
    html
      .replace(/<\/li>(?=<li>)/g, '; ')
      .replace(/<\/(p|li|h[2-4])>/g, ' ')
      .replace(/<[^>]*>/g, ''),
  ).trim()
  if (plain.length <= excerptLength) return plain
  return `${plain.slice(0, plain.lastIndexOf(' ', excerptLength))} …`
}
