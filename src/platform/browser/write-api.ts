import { createContext, use } from 'react'
import type { CallInput, ReplyOf, WriteCall } from '../call.ts'
import type { Api } from './api.ts'

/** The API client of this page, provided at the root. */
export const ApiContext = createContext<Api | null>(null)

/** Sends one write call. Rejects with an ApiCallError. */
export type SendWrite = <C extends WriteCall>(
  call: C,
  given: CallInput<C>,
  extra?: { headers?: Record<string, string> },
) => Promise<ReplyOf<C>>

/** Returns the function that sends write calls. Only `useApiMutation` may use it: the import rules say so. */
export function useSendWrite(): SendWrite {
  const api = use(ApiContext)
  if (!api) throw new Error('no ApiContext around this component')
  return (call, given, extra) => api.call(call, given, extra)
}
