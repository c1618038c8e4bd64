/**
 * Cache of the last `maxSize` results by query; evicts the least recently used one. Popular searches repeat between
 * changes of the merchants.
 */
export class LruCache<T> {
  readonly #maxSize: number
  readonly #results = new Map<string, T>()

  constructor(maxSize: number) {
    this.#maxSize = maxSize
  }

  get(key: string, compute: () => T): T {
    const value = this.#results.get(key) ?? compute()
    // A Map preserves insertion order: the first key is the oldest.
    this.#results.delete(key)
    this.#results.set(key, value)
    if (this.#results.size > this.#maxSize) {
      for (const oldest of this.#results.keys()) {
        this.#results.delete(oldest)
        break
      }
    }
    return value
  }

  clear(): void {
    this.#results.clear()
  }
}
