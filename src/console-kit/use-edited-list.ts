import { useState } from 'react'

/** Returns an edited list with what others have added and removed since: `seen` is the list from which the editing began. */
export function mergeEdits<T>(
  { seen, edited, current }: Readonly<Record<'seen' | 'edited' | 'current', readonly T[]>>,
  keyOf: (item: T) => string,
): T[] {
  const has = (list: readonly T[], item: T) => list.some((other) => keyOf(other) === keyOf(item))
  const stays = current.filter((item) => has(edited, item) || !has(seen, item))
  return [...stays, ...edited.filter((item) => !has(seen, item) && !has(current, item))]
}

/** A list that is edited while others may change it: their changes are taken over, and those made here stay. */
export function useEditedList<T>(current: readonly T[], keyOf: (item: T) => string) {
  const [seen, setSeen] = useState(current)
  const [edited, setEdited] = useState<T[]>([...current])
  if (seen !== current) {
    setSeen(current)
    setEdited(mergeEdits({ seen, edited, current }, keyOf))
  }
  return [edited, setEdited] as const
}
