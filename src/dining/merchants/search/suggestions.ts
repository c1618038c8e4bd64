import { firstOf } from './first-of.ts'
import { PrefixList } from './prefix-list.ts'
import { wordsOf } from './text.ts'

interface Suggestion {
  text: string
  /** Number of merchants with this text. */
  count: number
}

const keyOf = (text: string) => wordsOf(text).join(' ')

/** Completions of names and cuisines. */
export class Suggestions {
  readonly #byKey = new Map<string, Suggestion>()
  readonly #keys = new PrefixList()

  /** Adds (`by` 1) or removes (-1) one merchant with these texts. */
  count(texts: readonly string[], by: 1 | -1): void {
    for (const text of texts) {
      const key = keyOf(text)
      const there = this.#byKey.get(key)
      if (there) there.count += by
      else if (key !== '' && by === 1) {
        this.#byKey.set(key, { text, count: 1 })
        this.#keys.add(key)
      }
    }
  }

  /** Returns up to `limit` texts with the typed prefix, most frequent first. */
  find(typed: string, limit: number): string[] {
    const key = keyOf(typed)
    if (key === '') return []
    const found = this.#keys.startingWith(key).map((name) => this.#byKey.get(name) as Suggestion)
    const order = (a: Suggestion, b: Suggestion) => b.count - a.count || (a.text < b.text ? -1 : 1)
    const there = found.filter(({ count }) => count > 0)
    return firstOf(there, limit, order).map(({ text }) => text)
  }
}
