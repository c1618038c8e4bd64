import { matchScore, wordsOf } from './text.ts'

/** Which merchants carry which words. The fuzzy work grows with the words, not with the merchants. */
export class Vocabulary {
  readonly #words = new Map<string, Set<number>>()

  add(slot: number, texts: readonly string[]): void {
    for (const word of new Set(texts.flatMap(wordsOf))) {
      const slots = this.#words.get(word)
      if (slots) slots.add(slot)
      else this.#words.set(word, new Set([slot]))
    }
  }

  remove(slot: number, texts: readonly string[]): void {
    for (const word of texts.flatMap(wordsOf)) this.#words.get(word)?.delete(slot)
  }

  /** The slots that answer every typed word, each with its score; null when nothing was typed. */
  find(text: string): Map<number, number> | null {
    const typed = wordsOf(text)
    if (typed.length === 0) return null
    let found: Map<number, number> | null = null
    for (const word of typed) {
      const scores = this.#scores(word)
      found = found ? intersect(found, scores) : scores
      if (found.size === 0) return found
    }
    return found
  }

  // A slip is forgiven only where nothing is spelt as typed.
  #scores(typed: string): Map<number, number> {
    const exact = new Map<number, number>()
    const loose = new Map<number, number>()
    for (const [word, slots] of this.#words) {
      const score = matchScore(typed, word)
      if (score === 0) continue
      const into = score > 1 ? exact : loose
      for (const slot of slots) into.set(slot, Math.max(into.get(slot) ?? 0, score))
    }
    return exact.size > 0 ? exact : loose
  }
}

function intersect(a: Map<number, number>, b: Map<number, number>): Map<number, number> {
  const both = new Map<number, number>()
  for (const [slot, score] of a) {
    const other = b.get(slot)
    if (other !== undefined) both.set(slot, score + other)
  }
  return both
}
