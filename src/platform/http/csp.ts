import { createHash, randomBytes } from 'node:crypto'

/** Sources of a Content-Security-Policy directive. Origins are given as they are. */
export const SELF = "'self'"
export const NONE = "'none'"
export const UNSAFE_INLINE = "'unsafe-inline'"

type Fetch = 'script' | 'style' | 'img' | 'font' | 'connect' | 'manifest' | 'worker' | 'frame'
type TrustedTypes = 'require-trusted-types-for' | 'trusted-types'
type Directive = `${Fetch}-src` | 'form-action' | 'frame-ancestors' | 'base-uri' | TrustedTypes

/** Each directive has a list of sources; an empty list is 'none'. Directives without a value are omitted. */
export interface CspDirectives extends Partial<Record<Directive, string | readonly string[] | undefined>> {
  /** Applies to everything that the other directives do not name. */
  'default-src': typeof NONE | typeof SELF
  /** Makes the document an opaque origin without scripts and forms. */
  sandbox?: true
}

/**
 * Returns the value of a Content-Security-Policy header (W3C CSP Level 3), with the directives in the given order.
 * Throws RangeError on a source that would end its directive, and on 'none' beside other sources.
 */
export function csp(directives: CspDirectives): string {
  return Object.entries(directives)
    .flatMap(([name, value]) => (value === undefined ? [] : [value === true ? name : `${name} ${sourceList(value)}`]))
    .join('; ')
}

function sourceList(value: string | readonly string[]): string {
  const sources = typeof value === 'string' ? [value] : value
  if (sources.length === 0) return NONE
  for (const source of sources) {
    if (!/^[^\s;,]+$/.test(source)) throw new RangeError(`not a source: ${JSON.stringify(source)}`)
  }
  if (sources.length > 1 && sources.includes(NONE)) throw new RangeError(`'none' must be the only source`)
  return sources.join(' ')
}

/** Creates the random value that allows the scripts or styles of one response. */
export function createNonce(): string {
  return randomBytes(16).toString('base64')
}

/** Returns the source that allows elements with this nonce. */
export const nonceSource = (nonce: string) => `'nonce-${nonce}'`

/** Returns the source that allows the inline script or style with this text. */
export const hashSource = (text: string) => `'sha256-${createHash('sha256').update(text).digest('base64')}'`

/** Policy of an image: an SVG file that is opened as a document runs nothing. */
export const imagePolicy = csp({ 'default-src': NONE, 'style-src': UNSAFE_INLINE })
