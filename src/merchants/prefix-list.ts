// New texts wait unsorted until there are so many that looking through them costs more than sorting.
const mostWaiting = 500

/** Texts to be found by how they begin. Only ever added to; adding one twice is the caller's mistake. */
export class PrefixList {
  #sorted: string[] = []
  #waiting: string[] = []

  add(text: string): void {
    this.#waiting.push(text)
  }

  /** Every text that begins with `prefix`, in no order. */
  startingWith(prefix: string): string[] {
    if (this.#waiting.length > mostWaiting) {
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
