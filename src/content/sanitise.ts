import sanitizeHtml from 'sanitize-html'

const allowed: sanitizeHtml.IOptions = {
  allowedTags: 'p br strong em b i ul ol li a h2 h3 h4 sup sub small blockquote'.split(' '),
  allowedAttributes: { a: ['href'] },
  allowedSchemes: ['https', 'mailto', 'tel'],
  allowProtocolRelative: false,
  disallowedTagsMode: 'discard',
  transformTags: {
    // What a token will stand for is not known here, so none may be (part of) an address.
    a: (tagName, { href = '' }): sanitizeHtml.Tag => ({ tagName, attribs: /[{}\\]/.test(href) ? {} : { href } }),
  },
}

/** What may be shown as HTML of a text that somebody wrote. */
export function sanitise(html: string): string {
  return sanitizeHtml(html, allowed)
}
