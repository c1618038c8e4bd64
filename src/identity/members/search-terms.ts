import { plainText } from '../../platform/database/text-match.ts'

/** What a typed text may mean. */
export interface SearchTerms {
  /** Beginnings of the terms of `member_terms`; empty when nothing was typed that a term has. */
  beginnings: readonly string[]
  /** The last four digits of a card. */
  lastFour: string | null
}

/** What people write before the last four digits of a card: `•••• 4242`, `card ending in 4242`. */
const beforeLastFour = /^(?:card|ending|ends|with|in|[\s.•·*x#-])*(?=\d{4}$)/

/** Shorter numbers without separators would find nearly everybody. */
const shortestNumber = 3

/**
 * Returns what a text may mean: a name in any order (`Kaur, Ada`), a number without its separators (`sky 555 1234`, a
 * phone number in any form), or the last four digits of a card. Terms are compared without accents, as they are stored,
 * and names without apostrophes and hyphens, too.
 */
export function termsOf(text: string): SearchTerms {
  const words = plainText(plainText(text).replace(/[,;]/g, ' '))
  // Characters that no number is written with mean themselves.
  const joined = words.replace(/[\s().,/#*•·+-]/g, '')
  const compact = /^[\p{L}\p{N}]+$/u.test(joined) ? joined : ''
  // 1 is the country of a phone number: +1 212 555 0142.
  const isNational = /^1\d{10}$/.test(compact) || (words.startsWith('+1') && /^1\d+$/.test(compact))
  const beginnings = [
    words,
    ...(/[\d@]/.test(words) ? [] : [withoutSigns(words)]),
    ...(/\d/.test(compact) && !words.includes('@') && compact.length >= shortestNumber ? [compact] : []),
    ...(isNational && compact.length > shortestNumber ? [compact.slice(1)] : []),
  ].filter((term) => term !== '')
  const lastFour = words.replace(beforeLastFour, '')
  return { beginnings: [...new Set(beginnings)], lastFour: /^\d{4}$/.test(lastFour) ? lastFour : null }
}

/** As `search_name` in the database does. */
const withoutSigns = (words: string) =>
  words
    .replaceAll("'", '')
    .replace(/[\s‐‑–-]+/g, ' ')
    .trim()
