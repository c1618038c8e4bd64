import { useSuspenseQuery } from '@tanstack/react-query'
import type { Api } from '../../../kit/web/api.ts'
import { ask, useApi } from '../../../kit/web/query.ts'
import { getContent } from '../../contract.ts'

const forever = Number.POSITIVE_INFINITY

/** The question for one collection; asked once a page life. */
export function askContent(api: Api, contentName: string) {
  const given = { params: { contentType: 'pages' as const, contentName }, query: { page_size: 100 } }
  return { ...ask(api, getContent, given), staleTime: forever }
}

export type Fields = Record<string, unknown>

/** A collection's fields by slug. */
export function useContent(contentName: string): Record<string, Fields | undefined> {
  const { data } = useSuspenseQuery(askContent(useApi(), contentName))
  return Object.fromEntries(data.data.map(({ slug, fields }) => [slug, fields]))
}
