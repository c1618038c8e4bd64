// New texts wait unsorted until scanning them costs more than sorting.
const maxWaiting = 500

/** Texts by prefix. Append-only; the caller must not add a text twice. */
export class PrefixList {
  #sorted: string[] = []
  #waiting: string[] = []

  /** Returns a copy; either can change without the other. */
  copy(): PrefixList {
    const copy = new PrefixList()
    copy.#sorted = this.#sorted
    copy.#waiting = [...this.#waiting]
    return copy
  }

  add(text: string): void {
    this.#waiting.push(text)
  }

  /** Returns every text that begins with `prefix`, unordered. */
  startingWith(prefix: string): string[] {
    if (this.#waiting.length > maxWaiting) {
      this.#sorted = [...this.#sorted, ...this.#waiting].sort()
      this.#waiting = []
    }
    const found = this.#waiting.filter((text) => text.startsWith(prefix))
    for (let at = this.#firstFrom(prefix); at < this.#sorted.length; at++) {
      const text = this.#sorted[at] as string
      if (!text.startsWith(prefix)) break
      found.push(text)
    }
    return found
  }

  #firstFrom(prefix: string): number {
    let [low, high] = [0, this.#sorted.length]
    while (low < high) {
      const middle = (low + high) >> 1
      if ((this.#sorted[middle] as string) < prefix) low = middle + 1
      else high = middle
    }
    return low
  }
}
