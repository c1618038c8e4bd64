/** Maximum nesting depth of a JSON value in a request. */
export const maxDepth = 32
/** Maximum number of values in a request (objects, arrays and their contents). */
export const maxValues = 10_000

/**
 * Returns whether a text can be stored and sent unchanged: PostgreSQL stores no NUL character, and an unpaired
 * surrogate is not valid Unicode. Everything else is allowed: emoji, combining marks, every script.
 */
export function isStorable(text: string): boolean {
  return !text.includes('\0') && text.isWellFormed()
}

/**
 * Returns the dotted path of the first value that a request must not contain: a text or key that cannot be stored, or a
 * value nested deeper than `maxDepth`. Returns '' for more than `maxValues` values, and null for a valid value.
 */
export function unstorablePath(root: unknown): string | null {
  const waiting: { value: unknown; path: readonly string[] }[] = [{ value: root, path: [] }]
  let count = 1
  for (let next = waiting.pop(); next; next = waiting.pop()) {
    const { value, path } = next
    if (typeof value === 'string' && !isStorable(value)) return path.join('.')
    if (typeof value !== 'object' || value === null) continue
    const entries = Object.entries(value)
    count += entries.length
    if (count > maxValues) return ''
    for (const [key, inner] of entries) {
      const at = [...path, key]
      if (at.length > maxDepth || !isStorable(key)) return at.join('.')
      if (typeof inner === 'string' || typeof inner === 'object') waiting.push({ value: inner, path: at })
    }
  }
  return null
}

/**
 * Returns the first characters of a text as readers count them: an emoji and a letter with combining marks are each one,
 * of several code units.
 */
export function firstCharacters(text: string, count: number): string {
  const characters = new Intl.Segmenter('en-US', { granularity: 'grapheme' })
  return Array.from(characters.segment(text), ({ segment }) => segment)
    .slice(0, count)
    .join('')
}

/** Returns the words of a text as part of an address: `St. Louis, MO` is `st-louis-mo`. Empty without letters and digits. */
export function toSlug(text: string): string {
  return text
    .toLowerCase()
    .normalize('NFD')
    .replace(/[\u0300-\u036f'’]/g, '')
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-|-$/g, '')
}
