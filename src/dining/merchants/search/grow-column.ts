/** Returns a longer column that has the index `slot`: at least twice as long, with the previous contents. */
export function growColumn<T extends Float64Array | Uint32Array | Int32Array | Uint8Array>(column: T, slot: number): T {
  const Column = column.constructor as new (length: number) => T
  const wider = new Column(Math.max(column.length * 2, slot + 1))
  wider.set(column)
  return wider
}
