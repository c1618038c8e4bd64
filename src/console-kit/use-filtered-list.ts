import { useState } from 'react'
import type { ReadCall } from '../platform/call.ts'
import { fieldErrorsOf } from './api.ts'
import { useList } from './calls.ts'

type Values = Readonly<Record<string, string | undefined>>

/**
 * A list call with the filters of the address. A value that the call refuses, of a mistyped or old address, is left out;
 * `wrong` says why by its name, and `query` has the others.
 */
export function useFilteredList<C extends ReadCall>(call: C, search: Values) {
  // By name and value, so that a corrected value is used at once.
  const [refused, setRefused] = useState<Values>({})
  const wrong: Record<string, string> = {}
  const query: Record<string, string> = {}
  for (const [name, value] of Object.entries(search)) {
    const why = refused[`${name}=${value}`]
    if (why !== undefined) wrong[name] = why
    else if (value !== undefined) query[name] = value
  }
  const list = useList(call, { query } as never)
  const news = Object.entries(fieldErrorsOf(list.error)).filter(([name]) => query[name] !== undefined)
  if (news.length > 0) {
    setRefused({ ...refused, ...Object.fromEntries(news.map(([name, why]) => [`${name}=${query[name]}`, why])) })
  }
  return { list, query, wrong }
}

/** Returns what is said about values that are ignored, by the labels of their filters; null when there are none. */
export function ignoredText(labels: readonly string[]): string | null {
  if (labels.length === 0) return null
  return `Ignored, because it is no possible value: ${[...new Set(labels)].join(', ')}.`
}
