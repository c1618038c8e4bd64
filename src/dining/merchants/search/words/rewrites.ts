/** Words of this many letters are split; shorter ones are rarely two. */
const minSplitLength = 5
const maxRewrites = 12
/** Words of two letters that names begin or end with. */
const shortParts = new Set('al da de di du el il la le mr my no ny st'.split(' '))

const isLikelyPart = (word: string) => word.length > 2 || shortParts.has(word) || /^\d+$/.test(word)

type IsKnown = (word: string) => boolean

/**
 * Returns other ways to write the typed words, likely ones first: neighbors as one word (`noodle house` for `noodlehouse`),
 * and one word as two. Every new word is known.
 */
export function rewritesOf(words: readonly string[], isKnown: IsKnown): string[][] {
  const split = splits(words, (part) => isLikelyPart(part) && isKnown(part))
  return [...joins(words, 3, isKnown), ...joins(words, 2, isKnown), ...split].slice(0, maxRewrites)
}

/** Returns the words with one split into parts of which one is very short: a known word by accident more often. */
export function unlikelySplits(words: readonly string[], isKnown: IsKnown): string[][] {
  return splits(words, isKnown)
    .filter((split) => !split.every((word) => isLikelyPart(word) || words.includes(word)))
    .slice(0, maxRewrites)
}

/** Joins each separate "s" to the word before it, where the result is known: an apostrophe may be typed as a space. */
export function joinPossessives(words: readonly string[], isKnown: IsKnown): string[] {
  const joined: string[] = []
  for (const word of words) {
    const possessive = `${joined.at(-1) ?? ''}s`
    if (word === 's' && joined.length > 0 && isKnown(possessive)) joined[joined.length - 1] = possessive
    else joined.push(word)
  }
  return joined
}

function joins(words: readonly string[], count: number, isKnown: IsKnown): string[][] {
  return words.flatMap((_, at) => {
    const joined = words.slice(at, at + count).join('')
    return at + count <= words.length && isKnown(joined)
      ? [[...words.slice(0, at), joined, ...words.slice(at + count)]]
      : []
  })
}

function splits(words: readonly string[], isPart: IsKnown): string[][] {
  const found = words.flatMap((word, at) => {
    if (word.length < minSplitLength) return []
    return Array.from({ length: word.length - 1 }, (_, index) => index + 1).flatMap((middle) => {
      const parts = [word.slice(0, middle), word.slice(middle)] as const
      if (!parts.every(isPart)) return []
      const shorter = Math.min(...parts.map(({ length }) => length))
      return [{ shorter, words: [...words.slice(0, at), ...parts, ...words.slice(at + 1)] }]
    })
  })
  // The shorter of two parts is a word by accident more often.
  return found.sort((a, b) => b.shorter - a.shorter).map((each) => each.words)
}
