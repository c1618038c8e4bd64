import { useEffect, useState } from 'react'
import { useApiQuery } from '../../../platform/browser/query.ts'
import { useDebouncedValue } from '../../../platform/browser/use-debounced-value.ts'
import { suggestLocations } from '../../../programs/places/contract.ts'
import { suggestMerchants } from '../contract.ts'
import { maxSearchText, positionLiterals } from '../names.ts'
import { minSuggestLength } from '../rules.ts'
import { recentSearches } from './search-storage.ts'

/** Debounce in milliseconds. */
const pause = 150
const [currentLocation] = positionLiterals

/**
 * Returns locations to search in, once the visitor types (`wanted`): the current location, recent ones and completions.
 */
export function useLocationSuggestions(text: string, wanted: boolean): string[] {
  const typed = useDebouncedValue(text.trim(), pause)
  const enabled = wanted && typed === text.trim() && isSuggested(typed)
  const { data } = useApiQuery(suggestLocations, { query: { query: typed } }, { enabled })
  const recent = useRecent('where', text)
  return unique([...(text.trim() === '' ? [currentLocation] : []), ...recent, ...((enabled && data?.locations) || [])])
}

/** Returns restaurants and cuisines that complete the typed text. */
export function useMerchantSuggestions(text: string, wanted: boolean): string[] {
  const typed = useDebouncedValue(text.trim(), pause)
  const enabled = wanted && typed === text.trim() && isSuggested(typed)
  const { data } = useApiQuery(suggestMerchants, { query: { query: typed } }, { enabled })
  return unique([...useRecent('what', text), ...((enabled && data?.suggestions) || [])])
}

const isSuggested = ({ length }: string) => length >= minSuggestLength && length <= maxSearchText

/** Reads recent searches in the browser only; the server does not have them. */
function useRecent(kind: 'what' | 'where', text: string): string[] {
  const [recent, setRecent] = useState<string[]>([])
  useEffect(() => setRecent(recentSearches()[kind]), [kind])
  const prefix = text.trim().toLowerCase()
  return recent.filter((item) => item.toLowerCase().startsWith(prefix) && item.toLowerCase() !== prefix)
}

/** Removes repeated items, whatever their case: the first ones stay. */
function unique(items: readonly string[]): string[] {
  const keys = items.map((item) => item.toLowerCase())
  return items.filter((_, at) => keys.indexOf(keys[at] as string) === at)
}
