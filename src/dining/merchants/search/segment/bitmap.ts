/** A set of slots, one bit each. */
export type Bitmap = Uint32Array

export function bitmapFor(slots: number): Uint32Array<ArrayBuffer> {
  return new Uint32Array((slots + 31) >>> 5)
}

export function hasBit(bits: Bitmap, slot: number): boolean {
  return (((bits[slot >>> 5] as number) >>> (slot & 31)) & 1) === 1
}

export function setBit(bits: Bitmap, slot: number): void {
  const at = slot >>> 5
  bits[at] = (bits[at] as number) | (1 << (slot & 31))
}

export function clearBit(bits: Bitmap, slot: number): void {
  const at = slot >>> 5
  bits[at] = (bits[at] as number) & ~(1 << (slot & 31))
}

/** Returns the number of bits of a 32-bit word that are set. */
export function bitCount(word: number): number {
  let bits = word - ((word >>> 1) & 0x55555555)
  bits = (bits & 0x33333333) + ((bits >>> 2) & 0x33333333)
  return Math.imul((bits + (bits >>> 4)) & 0x0f0f0f0f, 0x01010101) >>> 24
}

/** Returns the slots of a set, ascending. */
export function slotsOf(bits: Bitmap): number[] {
  const slots: number[] = []
  for (let at = 0; at < bits.length; at++) {
    for (let word = bits[at] as number; word !== 0; word &= word - 1) slots.push((at << 5) + lowestBit(word))
  }
  return slots
}

/** Returns the number of the lowest set bit. */
export function lowestBit(word: number): number {
  return 31 - Math.clz32(word & -word)
}
