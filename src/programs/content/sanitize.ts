import { LRUCache } from 'lru-cache'
import sanitizeHtml from 'sanitize-html'

const allowed: sanitizeHtml.IOptions = {
  allowedTags: 'p br strong em b i ul ol li a h2 h3 h4 sup sub small blockquote'.split(' '),
  allowedAttributes: { a: ['href'] },
  allowedSchemes: ['https', 'mailto', 'tel'],
  allowProtocolRelative: false,
  disallowedTagsMode: 'discard',
  transformTags: {
    // Token values are unknown here, so tokens are not allowed in URLs.
    a: (tagName, { href = '' }): sanitizeHtml.Tag => ({ tagName, attribs: /[{}\\]/.test(href) ? {} : { href } }),
  },
}

// A start checks the content of every program twice: that of its folder, and that of the database.
const results = new LRUCache<string, string>({
  maxSize: 4_000_000,
  sizeCalculation: (safe, html) => 1 + html.length + safe.length,
})

/** Returns HTML reduced to the allowed elements and attributes. */
export function sanitize(html: string): string {
  const known = results.get(html)
  if (known !== undefined) return known
  const safe = sanitizeHtml(html, allowed)
  results.set(html, safe)
  return safe
}
