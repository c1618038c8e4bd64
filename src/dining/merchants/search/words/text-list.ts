const encoder = new TextEncoder()

/** Distinct texts in ascending order, as bytes: a hundred times smaller than strings in a map. Only ASCII. */
export class TextList {
  readonly #bytes: Buffer
  readonly #starts: Uint32Array

  constructor(bytes: Uint8Array, starts: Uint32Array) {
    this.#bytes = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
    this.#starts = starts
  }

  get count(): number {
    return this.#starts.length - 1
  }

  at(index: number): string {
    return this.#bytes.toString('latin1', this.#starts[index], this.#starts[index + 1])
  }

  lengthAt(index: number): number {
    return (this.#starts[index + 1] as number) - (this.#starts[index] as number)
  }

  /** Returns the index of a text, or -1. */
  find(text: string): number {
    const index = this.#firstFrom(text, false)
    return index < this.count && this.lengthAt(index) === text.length && this.#compare(index, text) === 0 ? index : -1
  }

  /** Returns the range of the texts that begin with a prefix: the first index, and the one after the last. */
  withPrefix(prefix: string): [number, number] {
    return [this.#firstFrom(prefix, false), this.#firstFrom(prefix, true)]
  }

  /** Returns the first text that does not precede `text`; with `skipPrefixed`, that follows all that begin with it. */
  #firstFrom(text: string, skipPrefixed: boolean): number {
    let [low, high] = [0, this.count]
    while (low < high) {
      const middle = (low + high) >>> 1
      const order = this.#compare(middle, text)
      if (order < 0 || (skipPrefixed && order === 0)) low = middle + 1
      else high = middle
    }
    return low
  }

  /** Compares a text with a prefix; 0 when it begins with it. */
  #compare(index: number, prefix: string): number {
    const start = this.#starts[index] as number
    const length = (this.#starts[index + 1] as number) - start
    const shared = Math.min(length, prefix.length)
    for (let at = 0; at < shared; at++) {
      const order = (this.#bytes[start + at] as number) - prefix.charCodeAt(at)
      if (order !== 0) return order
    }
    return length < prefix.length ? -1 : 0
  }
}

/** Packs ascending texts. */
export function packTexts(texts: readonly string[]): { bytes: Uint8Array; starts: Uint32Array } {
  const starts = new Uint32Array(texts.length + 1)
  texts.forEach((text, index) => {
    starts[index + 1] = (starts[index] as number) + text.length
  })
  const bytes = new Uint8Array(starts[texts.length] as number)
  texts.forEach((text, index) => {
    encoder.encodeInto(text, bytes.subarray(starts[index]))
  })
  return { bytes, starts }
}
