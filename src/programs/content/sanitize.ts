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

/** Returns HTML reduced to the allowed elements and attributes. */
export function sanitize(html: string): string {
  return sanitizeHtml(html, allowed)
}
