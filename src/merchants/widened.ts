/** A column that has room for `slot`: at least twice as long as before, with what it held. */
export function widened<T extends Float64Array | Uint32Array | Int32Array | Uint8Array>(column: T, slot: number): T {
  const Column = column.constructor as new (length: number) => T
  const wider = new Column(Math.max(column.length * 2, slot + 1))
  wider.set(column)
  return wider
}
