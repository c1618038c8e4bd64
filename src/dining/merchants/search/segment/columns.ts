/** The typed arrays of a segment by name. They are what a snapshot file contains. */
export type Column = Uint8Array | Uint16Array | Uint32Array | Float64Array
export type Columns = Record<string, Column>

/** A typed array that grows as values are appended. */
export class GrowingColumn<T extends Uint8Array | Uint16Array | Uint32Array | Float64Array> {
  values: T
  length = 0

  constructor(empty: T) {
    this.values = empty
  }

  push(value: number): void {
    this.reserve(1)
    this.values[this.length++] = value
  }

  /** Makes room for more values. */
  reserve(count: number): void {
    if (this.length + count <= this.values.length) return
    const Type = this.values.constructor as new (length: number) => T
    const wider = new Type(Math.max(1024, 2 * this.values.length, this.length + count))
    wider.set(this.values)
    this.values = wider
  }

  /** Returns a copy of exactly the appended values. */
  finish(): T {
    return this.values.slice(0, this.length) as T
  }
}

/** Converts counts per index to the positions at which each index begins; the last one is the total. */
export function startsOf(counts: Uint32Array): Uint32Array<ArrayBuffer> {
  const starts = new Uint32Array(counts.length + 1)
  for (let at = 0; at < counts.length; at++) starts[at + 1] = (starts[at] as number) + (counts[at] as number)
  return starts
}

/** FNV-1a of a string's UTF-16 code units, 32 bits. */
export function hashText(text: string): number {
  let hash = 0x811c9dc5
  for (let at = 0; at < text.length; at++) hash = Math.imul(hash ^ text.charCodeAt(at), 0x01000193)
  return (hash ^ (hash >>> 15)) >>> 0
}
