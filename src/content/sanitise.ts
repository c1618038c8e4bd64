import sanitizeHtml from 'sanitize-html'

const allowed: sanitizeHtml.IOptions = {
  allowedTags: [
    'p',
    'br',
    'strong',
    'em',
    'b',
    'i',
    'ul',
    'ol',
    'li',
    'a',
    'h2',
    'h3',
    'h4',
    'sup',
    'sub',
    'small',
    'blockquote',
  ],
  allowedAttributes: { a: ['href'] },
  allowedSchemes: ['https', 'mailto', 'tel'],
  allowProtocolRelative: false,
  disallowedTagsMode: 'discard',
}

/** What may be shown as HTML of a text that somebody wrote. Text without a tag comes out as it was. */
export function sanitise(html: string): string {
  return sanitizeHtml(html, allowed)
}

/** The same for every text within a content field, however deep. Addresses must be a path, https, mailto or tel. */
export function sanitiseFields(value: unknown): unknown {
  if (typeof value === 'string') return /[<&]/.test(value) ? sanitise(value) : value
  if (Array.isArray(value)) return value.map(sanitiseFields)
  if (typeof value !== 'object' || value === null) return value
  const entries = Object.entries(value).map(([key, inner]) => [
    key,
    key === 'url' && typeof inner === 'string' ? safeAddress(inner) : sanitiseFields(inner),
  ])
  return Object.fromEntries(entries)
}

function safeAddress(url: string): string {
  return /^(\/(?![/\\])|https:\/\/|mailto:|tel:|#)/.test(url) ? url : '/not_found'
}
