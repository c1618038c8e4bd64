import { type Columns, hashText, startsOf } from '../segment/columns.ts'
import { isWithinEditDistance } from '../text.ts'
import type { TextList } from './text-list.ts'

// Two words within a number of edits have a text in common that results from deleting at most as many letters of each
// (SymSpell). Deletions from the first letters suffice; the rest is compared afterwards.
const prefixLength = 7
/** Two typos are allowed in words of eight letters, so that a word with fewer than six never has two. */
const minLengthOfTwo = 6
/** Numbers are too many to index. Those near a typed word are enumerated instead; longer ones are rare. */
const isShortNumber = (word: string) => word.length < prefixLength && /^\d+$/.test(word)

/** Finds the words of a list that differ from a typed one by a few edits. */
export class TypoIndex {
  readonly #words: TextList
  readonly #starts: Uint32Array
  readonly #entries: Uint32Array

  constructor(words: TextList, columns: Columns) {
    this.#words = words
    this.#starts = columns.typoStarts as Uint32Array
    this.#entries = columns.typoWords as Uint32Array
  }

  find(typed: string, typos: 1 | 2): number[] {
    const buckets = this.#starts.length - 1
    const candidates = new Set<number>()
    for (const variant of variantsOf(typed, typos)) {
      const bucket = hashText(variant) & (buckets - 1)
      for (let at = this.#starts[bucket] as number; at < (this.#starts[bucket + 1] as number); at++) {
        const word = this.#entries[at] as number
        if (Math.abs(this.#words.lengthAt(word) - typed.length) <= typos) candidates.add(word)
      }
    }
    for (const number of numbersNear(typed, typos)) {
      const word = this.#words.find(number)
      if (word >= 0) candidates.add(word)
    }
    return [...candidates].filter((word) => isWithinEditDistance(typed, this.#words.at(word), typos))
  }
}

/** Builds the columns of the index. */
export function buildTypoIndex(words: readonly string[]): Columns {
  const indexed: [number, string][] = []
  let entries = 0
  words.forEach((word, index) => {
    if (word.length < 2 || isShortNumber(word)) return
    indexed.push([index, word])
    entries += word.length < minLengthOfTwo ? word.length + 1 : 25
  })
  const buckets = 2 ** Math.ceil(Math.log2(Math.max(2, entries / 2)))
  const counts = new Uint32Array(buckets)
  const eachVariant = (visit: (bucket: number, word: number) => void) => {
    for (const [index, word] of indexed) {
      for (const variant of variantsOf(word, word.length < minLengthOfTwo ? 1 : 2))
        visit(hashText(variant) & (buckets - 1), index)
    }
  }
  eachVariant((bucket) => {
    counts[bucket] = (counts[bucket] as number) + 1
  })
  const typoStarts = startsOf(counts)
  const typoWords = new Uint32Array(typoStarts[buckets] as number)
  const next = typoStarts.slice()
  eachVariant((bucket, word) => {
    typoWords[next[bucket] as number] = word
    next[bucket] = (next[bucket] as number) + 1
  })
  return { typoStarts, typoWords }
}

/** Returns the beginning of a word and what is left of it after up to `deletions` deletions. */
function variantsOf(word: string, deletions: 1 | 2): Set<string> {
  const start = word.slice(0, prefixLength)
  const variants = new Set([start])
  for (let left = deletions as number, latest = [start]; left > 0; left--) {
    latest = latest.flatMap(deleteOne)
    for (const variant of latest) variants.add(variant)
  }
  return variants
}

function deleteOne(word: string): string[] {
  return Array.from(word, (_, at) => word.slice(0, at) + word.slice(at + 1))
}

const digits = [...'0123456789']

/** Returns numbers of up to six digits within the edits. */
function numbersNear(typed: string, typos: 1 | 2): string[] {
  // Two edits are allowed from eight letters: only two deletions result in six digits.
  const near = typos === 2 ? deleteOne(typed).flatMap(deleteOne) : editOnce(typed)
  return near.filter((word) => isShortNumber(word))
}

function editOnce(typed: string): string[] {
  if (typed.replace(/\d/g, '').length > 2) return []
  const edited = deleteOne(typed)
  for (let at = 0; at <= typed.length; at++) {
    const [before, after] = [typed.slice(0, at), typed.slice(at)]
    for (const digit of digits) {
      edited.push(before + digit + after)
      if (after !== '') edited.push(before + digit + after.slice(1))
    }
    if (after.length > 1) edited.push(before + after[1] + after[0] + after.slice(2))
  }
  return edited
}
