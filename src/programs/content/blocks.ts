import { unescapeHtml } from '../../platform/html.ts'
import type { Block } from './collections.ts'

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
