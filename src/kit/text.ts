/** The deepest nesting of a JSON value that a request may bring. */
export const maxDepth = 32
/** The most values (objects, arrays and what is in them) that a request may bring. */
export const maxValues = 10_000

/**
 * Whether a text can be stored and sent unchanged: PostgreSQL stores no NUL character, and a surrogate without its
 * partner is not Unicode. Everything else is allowed: emoji, combining marks, every script.
 */
export function isStorable(text: string): boolean {
  return !text.includes('\0') && text.isWellFormed()
}

/**
 * Returns the dotted path of the first value that no request may bring: a text or a key that cannot be stored, or what
 * is nested deeper than `maxDepth`. Returns '' when there are more than `maxValues` values, and null when all is well.
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
