/** The first `limit` of the offered slots in an order (negative: the left one comes first). */
export class TopSlots {
  readonly #limit: number
  readonly #compare: (a: number, b: number) => number
  /** A heap whose root is the last slot, once the limit is reached. */
  #slots: number[] = []

  constructor(limit: number, compare: (a: number, b: number) => number) {
    this.#limit = limit
    this.#compare = compare
  }

  /** The last of the first `limit` slots; undefined while there are fewer. */
  get last(): number | undefined {
    return this.#slots.length < this.#limit ? undefined : this.#slots[0]
  }

  offer(slot: number): void {
    const slots = this.#slots
    if (slots.length < this.#limit) {
      slots.push(slot)
      if (slots.length === this.#limit) for (let at = (this.#limit >> 1) - 1; at >= 0; at--) this.#sink(at)
    } else if (this.#limit > 0 && this.#compare(slot, slots[0] as number) < 0) {
      slots[0] = slot
      this.#sink(0)
    }
  }

  sorted(): number[] {
    return [...this.#slots].sort(this.#compare)
  }

  #sink(from: number): void {
    const slots = this.#slots
    const slot = slots[from] as number
    let at = from
    for (;;) {
      let child = 2 * at + 1
      if (child >= slots.length) break
      if (child + 1 < slots.length && this.#compare(slots[child + 1] as number, slots[child] as number) > 0) child++
      if (this.#compare(slots[child] as number, slot) <= 0) break
      slots[at] = slots[child] as number
      at = child
    }
    slots[at] = slot
  }
}
