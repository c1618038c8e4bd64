/** Groups items that share a name, directly or transitively, in the order of their first items. */
export function groupConnected<T>(items: readonly T[], keysOf: (item: T) => readonly string[]): T[][] {
  const parents = new Map<string, string>()
  const rootOf = (name: string): string => {
    let root = name
    for (let parent = parents.get(root); parent !== undefined && parent !== root; parent = parents.get(root)) {
      root = parent
    }
    parents.set(name, root)
    return root
  }
  for (const item of items) {
    const [first, ...others] = keysOf(item)
    if (first === undefined) continue
    const root = rootOf(first)
    for (const other of others) parents.set(rootOf(other), root)
  }
  return [...Map.groupBy(items, (item) => rootOf(keysOf(item)[0] ?? '')).values()]
}
