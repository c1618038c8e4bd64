/** Numbers by priority, the lowest first. */
export class PriorityQueue {
  readonly #items: number[] = []
  readonly #priorities: number[] = []

  push(item: number, priority: number): void {
    let at = this.#items.length
    while (at > 0) {
      const parent = (at - 1) >> 1
      if ((this.#priorities[parent] as number) <= priority) break
      this.#items[at] = this.#items[parent] as number
      this.#priorities[at] = this.#priorities[parent] as number
      at = parent
    }
    this.#items[at] = item
    this.#priorities[at] = priority
  }

  pop(): { item: number; priority: number } | undefined {
    const [item, priority] = [this.#items[0], this.#priorities[0]]
    const [lastItem, lastPriority] = [this.#items.pop(), this.#priorities.pop()]
    if (item === undefined || priority === undefined) return undefined
    if (lastItem === undefined || lastPriority === undefined || this.#items.length === 0) return { item, priority }
    let at = 0
    for (;;) {
      let child = 2 * at + 1
      if (child >= this.#items.length) break
      if (
        child + 1 < this.#items.length &&
        (this.#priorities[child + 1] as number) < (this.#priorities[child] as number)
      )
        child++
      if ((this.#priorities[child] as number) >= lastPriority) break
      this.#items[at] = this.#items[child] as number
      this.#priorities[at] = this.#priorities[child] as number
      at = child
    }
    this.#items[at] = lastItem
    this.#priorities[at] = lastPriority
    return { item, priority }
  }
}
