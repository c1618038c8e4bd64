import { firstOf } from './first-of.ts'
import { PrefixList } from './prefix-list.ts'
import { PriorityQueue } from './priority-queue.ts'
import { groupSize, suggestionKey } from './segment/build-suggestions.ts'
import type { Segment } from './segment/segment.ts'
import { TextList } from './words/text-list.ts'

interface Suggestion {
  text: string
  /** Number of merchants with this text. */
  count: number
}

const fromCuisines = 0x80000000

/** Completions of names and cuisines: those of a segment, and the changes since. */
export class Suggestions {
  readonly #stored: StoredSuggestions
  /** Keys whose count has changed, with the current count. */
  readonly #changed: Map<string, Suggestion>
  readonly #changedKeys: PrefixList

  static of(segment: Segment): Suggestions {
    return new Suggestions(new StoredSuggestions(segment), new Map(), new PrefixList())
  }

  private constructor(stored: StoredSuggestions, changed: Map<string, Suggestion>, changedKeys: PrefixList) {
    this.#stored = stored
    this.#changed = changed
    this.#changedKeys = changedKeys
  }

  /** Returns a copy; either can change without the other. */
  copy(): Suggestions {
    return new Suggestions(this.#stored, new Map(this.#changed), this.#changedKeys.copy())
  }

  /** Adds (`by` 1) or removes (-1) one merchant with these texts. */
  count(texts: readonly string[], by: 1 | -1): void {
    for (const text of texts) {
      const key = suggestionKey(text)
      if (key === '') continue
      const known = this.#changed.get(key)
      if (!known) this.#changedKeys.add(key)
      const before = known ?? this.#stored.find(key) ?? { text, count: 0 }
      this.#changed.set(key, { text: before.text, count: before.count + by })
    }
  }

  /** Returns up to `limit` texts with the typed prefix, most frequent first. */
  find(typed: string, limit: number): string[] {
    const prefix = suggestionKey(typed)
    if (prefix === '') return []
    const changed = this.#changedKeys.startingWith(prefix).map((key) => this.#changed.get(key) as Suggestion)
    const unchanged = this.#stored.mostFrequent(prefix, limit, (key) => this.#changed.has(key))
    const order = (a: Suggestion, b: Suggestion) => b.count - a.count || (a.text < b.text ? -1 : 1)
    const there = [...changed, ...unchanged].filter(({ count }) => count > 0)
    return firstOf(there, limit, order).map(({ text }) => text)
  }
}

/** The completions of a segment. */
class StoredSuggestions {
  readonly #segment: Segment
  readonly #keys: TextList
  readonly #counts: Uint32Array
  /** By key: its position, the most frequent first. */
  readonly #ranks: Uint32Array
  /** The best rank of each group of keys, and of each group of groups. */
  readonly #bests: [Uint32Array, Uint32Array]
  readonly #sources: Uint32Array
  readonly #cuisines: readonly string[]

  constructor(segment: Segment) {
    const { columns } = segment
    this.#segment = segment
    this.#keys = new TextList(columns.suggestionBytes as Uint8Array, columns.suggestionStarts as Uint32Array)
    this.#counts = columns.suggestionCounts as Uint32Array
    this.#ranks = columns.suggestionRanks as Uint32Array
    this.#sources = columns.suggestionSources as Uint32Array
    this.#cuisines = JSON.parse(new TextDecoder().decode(columns.suggestionCuisines as Uint8Array))
    const groups = bestsOf(this.#ranks)
    this.#bests = [groups, bestsOf(groups)]
  }

  find(key: string): Suggestion | undefined {
    const index = this.#keys.find(key)
    return index < 0 ? undefined : this.#at(index)
  }

  /** Returns the most frequent of the keys that are not skipped. A group is opened only when its best key is the next one. */
  mostFrequent(prefix: string, limit: number, isSkipped: (key: string) => boolean): Suggestion[] {
    const [from, until] = this.#keys.withPrefix(prefix)
    const queue = new PriorityQueue()
    const found: Suggestion[] = []
    const ranks = [this.#ranks, ...this.#bests]
    // An item is an index and its level: 0 for keys, 1 for groups, 2 for groups of groups.
    const push = (level: number, index: number) => queue.push(3 * index + level, ranks[level]?.[index] as number)
    const pushRange = (level: number, start: number, end: number) => {
      let at = start
      while (at < end) {
        if (level < 2 && at % groupSize === 0 && at + groupSize <= end) break
        push(level, at++)
      }
      if (at === end) return
      const last = end - (end % groupSize)
      pushRange(level + 1, at / groupSize, last / groupSize)
      for (at = last; at < end; at++) push(level, at)
    }
    pushRange(0, from, until)
    for (let next = queue.pop(); next && found.length < limit; next = queue.pop()) {
      const [level, index] = [next.item % 3, Math.floor(next.item / 3)]
      if (level > 0) {
        const end = Math.min((ranks[level - 1] as Uint32Array).length, (index + 1) * groupSize)
        for (let at = index * groupSize; at < end; at++) push(level - 1, at)
      } else if (!isSkipped(this.#keys.at(index))) found.push(this.#at(index))
    }
    return found
  }

  #at(index: number): Suggestion {
    const source = this.#sources[index] as number
    const isCuisine = source >= fromCuisines
    const text = isCuisine ? (this.#cuisines[source - fromCuisines] as string) : this.#segment.nameAt(source)
    return { text, count: this.#counts[index] as number }
  }
}

function bestsOf(ranks: Uint32Array): Uint32Array {
  const bests = new Uint32Array(Math.ceil(ranks.length / groupSize)).fill(0xffffffff)
  for (let at = 0; at < ranks.length; at++) {
    const group = Math.floor(at / groupSize)
    bests[group] = Math.min(bests[group] as number, ranks[at] as number)
  }
  return bests
}
