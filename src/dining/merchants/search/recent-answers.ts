/**
 * Cache of the last `most` results by query; evicts the least recently used one. Popular searches repeat between
 * changes of the merchants.
 */
export class RecentAnswers<T> {
  readonly #most: number
  readonly #answers = new Map<string, T>()

  constructor(most: number) {
    this.#most = most
  }

  get(question: string, answer: () => T): T {
    const known = this.#answers.get(question) ?? answer()
    // A Map preserves insertion order: the first key is the oldest.
    this.#answers.delete(question)
    this.#answers.set(question, known)
    if (this.#answers.size > this.#most) {
      for (const oldest of this.#answers.keys()) {
        this.#answers.delete(oldest)
        break
      }
    }
    return known
  }

  clear(): void {
    this.#answers.clear()
  }
}
