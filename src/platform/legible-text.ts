/** Scripts in which a joiner between two letters changes how they are written, such as Persian, Hindi and Sinhala. */
const joined = ['Arab', 'Syrc', 'Nkoo', 'Mong', 'Deva', 'Beng', 'Guru', 'Gujr', 'Orya', 'Taml', 'Telu', 'Knda', 'Mlym']
  .concat(['Sinh', 'Mymr', 'Khmr', 'Tibt'])
  .map((script) => `\\p{scx=${script}}`)
  .join('')

/** Sequences in which an invisible character is part of what is seen. */
const sequences = [
  `[${joined}][\\u200c\\u200d](?=[${joined}])`,
  // Emoji of several parts, their presentation, and the flags of regions.
  '[\\p{Extended_Pictographic}\\p{Emoji_Modifier}]\\ufe0f?\\u200d(?=\\p{Extended_Pictographic})',
  '[\\p{Extended_Pictographic}0-9#*][\\ufe0e\\ufe0f]',
  '\\u{1f3f4}[\\u{e0030}-\\u{e0039}\\u{e0061}-\\u{e007a}]{1,6}\\u{e007f}',
  // Variants of Chinese characters.
  '\\p{scx=Han}[\\ufe00-\\ufe02\\u{e0100}-\\u{e01ef}]',
].join('|')

/** Control characters, line separators, and what is invisible or changes the direction of the text that follows. */
const hidden =
  '[\\0-\\x1f\\x7f-\\x9f\\xad\\u034f\\u061c\\u115f\\u1160\\u17b4\\u17b5\\u180b-\\u180f\\u200b-\\u200f\\u2028-\\u202e' +
  '\\u2060-\\u206f\\u3164\\ufe00-\\ufe0f\\ufeff\\uffa0\\ufff9-\\ufffb\\u{e0000}-\\u{e0fff}]'

const pattern = new RegExp(`(${sequences})|${hidden}`, 'gu')
const rightToLeft = /[\p{scx=Arab}\p{scx=Hebr}\p{scx=Syrc}\p{scx=Thaa}\p{scx=Nkoo}]/u
const directionMark = /^[\u200e\u200f\u061c]$/
const lineEnds = /\r\n|[\t\n]/g
const breaks = /[\t\n\v\f\r\x85\u2028\u2029]+/g

/**
 * Returns whether a reader sees all of a text, in its order: it has no control characters, line breaks, overrides of its
 * direction or invisible characters, except where a script or an emoji needs them. A text of several lines may have line
 * breaks and tabs.
 */
export function isLegible(text: string, { multiline = false } = {}): boolean {
  const line = multiline ? text.replace(lineEnds, ' ') : text
  return withoutHidden(line) === line
}

/** Returns a text that a partner has sent as one line that `isLegible`: breaks become spaces, the rest is removed. */
export function toLegibleLine(text: string): string {
  return withoutHidden(text.replace(breaks, ' ')).trim()
}

/** Returns such a text of several lines. */
export function toLegibleText(text: string): string {
  return text
    .split(/\r\n|\n/)
    .map(toLegibleLine)
    .join('\n')
    .trim()
}

function withoutHidden(text: string): string {
  const keepsMarks = rightToLeft.test(text)
  return text.replace(pattern, (found, sequence) => {
    if (sequence !== undefined) return found
    return keepsMarks && directionMark.test(found) ? found : ''
  })
}

/** Names of fields whose text is compared and never shown: a password may have any character. */
const secretFields: readonly string[] = ['password', 'passwordConfirm']

/**
 * Returns the dotted path of the first text of a request that is not legible; null when all are. `multiline` names the
 * fields, at the top of the request, that may have several lines.
 */
export function illegiblePath(root: unknown, multiline: readonly string[] = []): string | null {
  const waiting: { value: unknown; path: readonly string[] }[] = [{ value: root, path: [] }]
  for (let next = waiting.pop(); next; next = waiting.pop()) {
    const { value, path } = next
    if (
      typeof value === 'string' &&
      !isLegible(value, { multiline: path.length === 1 && multiline.includes(path[0] as string) })
    )
      return path.join('.')
    if (typeof value !== 'object' || value === null) continue
    for (const [key, inner] of Object.entries(value)) {
      if (path.length === 0 && secretFields.includes(key)) continue
      waiting.push({ value: inner, path: [...path, key] })
    }
  }
  return null
}
