import { wordsOf } from '../text.ts'
import { packTexts } from '../words/text-list.ts'
import { compareText } from './build-orders.ts'
import type { Columns } from './columns.ts'
import type { RowReader } from './packed-rows.ts'

/** Completions per group and per large group, whose best ranks are stored. */
export const groupSize = 64

interface Suggestion {
  count: number
  /** The slot whose name is the text, or -1 minus the index of a cuisine. */
  source: number
  text: string
}

/** Builds completions of names and cuisines: their keys in ascending order, and how many merchants have each. */
export function buildSuggestions(rows: RowReader, ids: Float64Array): Columns {
  const byKey = new Map<string, Suggestion>()
  const cuisines: string[] = []
  // The text of the lowest id is displayed.
  const slots = Uint32Array.from({ length: ids.length }, (_, slot) => slot)
  slots.sort((a, b) => (ids[a] as number) - (ids[b] as number))
  for (const slot of slots) {
    const row = rows.at(slot)
    for (const [index, text] of [row.name, ...row.cuisines].entries()) {
      const key = suggestionKey(text)
      const known = byKey.get(key)
      if (known) known.count++
      else if (key !== '')
        byKey.set(key, { count: 1, source: index === 0 ? slot : -1 - (cuisines.push(text) - 1), text })
    }
  }
  const keys = [...byKey.keys()].sort()
  const all = keys.map((key) => byKey.get(key) as Suggestion)
  const { bytes: suggestionBytes, starts: suggestionStarts } = packTexts(keys)
  const order = Uint32Array.from({ length: keys.length }, (_, index) => index)
  order.sort((a, b) => {
    const [left, right] = [all[a] as Suggestion, all[b] as Suggestion]
    return right.count - left.count || compareText(left.text, right.text)
  })
  const suggestionRanks = new Uint32Array(keys.length)
  for (let at = 0; at < order.length; at++) suggestionRanks[order[at] as number] = at
  return {
    suggestionBytes,
    suggestionStarts,
    suggestionRanks,
    suggestionCounts: Uint32Array.from(all, ({ count }) => count),
    // Cuisines have the highest bit.
    suggestionSources: Uint32Array.from(all, ({ source }) => (source >= 0 ? source : ~source | 0x80000000) >>> 0),
    suggestionCuisines: new TextEncoder().encode(JSON.stringify(cuisines)),
  }
}

export function suggestionKey(text: string): string {
  return wordsOf(text).join(' ')
}
