/**
 * The last `most` answers by their question; the one that was asked for longest ago goes first. Popular searches
 * are asked again and again between two changes of the merchants.
 */
export class RecentAnswers<T> {
  readonly #most: number
  readonly #answers = new Map<string, T>()

  constructor(most: number) {
    this.#most = most
  }

  get(question: string, answer: () => T): T {
    const known = this.#answers.get(question) ?? answer()
    // A Map keeps the order in which its keys came: the first one is the oldest.
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
