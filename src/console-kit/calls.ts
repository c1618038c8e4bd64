import {
  keepPreviousData,
  type QueryKey,
  useInfiniteQuery,
  useMutation,
  useQuery,
  useQueryClient,
} from '@tanstack/react-query'
import { useParams } from '@tanstack/react-router'
import { ApiCallError } from '../platform/browser/api.ts'
import type { Call, CallInput, ReadCall, ReplyOf, WriteCall } from '../platform/call.ts'
import { api } from './api.ts'

/** Input of a call: the program of the address is added. */
type Given<C extends Call> = CallInput<C> & { program?: string }

function useGiven() {
  const { program } = useParams({ strict: false }) as { program?: string }
  return <C extends Call>(given: Given<C>): CallInput<C> => {
    const { program: other, ...input } = given
    const params = { program: other ?? program, ...(given.params as object | undefined) }
    return { ...input, params } as unknown as CallInput<C>
  }
}

const keyOf = (call: Call, input: unknown): QueryKey => [call.id, input]

/** A read call about the program of the address. Its result is refreshed when something about it changes. */
export function useCall<C extends ReadCall>(call: C, given: Given<C>, { enabled = true } = {}) {
  const input = useGiven()(given)
  return useQuery<ReplyOf<C>>({
    queryKey: keyOf(call, input),
    queryFn: () => api.call(call, input),
    enabled,
    placeholderData: keepPreviousData,
  })
}

interface Page<Item> {
  items: Item[]
  next: string | null
  total: { count: number; isExact: boolean }
}

/** The item of a list call. */
export type ItemOf<C extends ReadCall> = ReplyOf<C> extends Page<infer Item extends object> ? Item : never

/** A list call: its pages are loaded one after the other. */
export function useList<C extends ReadCall>(call: C, given: Given<C>) {
  const input = useGiven()(given)
  return useInfiniteQuery({
    queryKey: keyOf(call, input),
    queryFn: ({ pageParam }) => {
      const query = { ...(input.query as object | undefined), ...(pageParam !== null && { cursor: pageParam }) }
      return api.call(call, { ...input, query } as unknown as CallInput<C>) as unknown as Promise<Page<ItemOf<C>>>
    },
    initialPageParam: null as string | null,
    getNextPageParam: (page) => page.next,
    placeholderData: keepPreviousData,
  })
}

/**
 * A call that changes something in the program of the address. Afterwards the results of `refreshes` are loaded again;
 * by default, and after a failure, everything shown: a refused act says that something is no longer as it was shown.
 */
export function useAct<C extends WriteCall>(call: C, { refreshes }: { refreshes?: readonly Call[] } = {}) {
  const client = useQueryClient()
  const withProgram = useGiven()
  return useMutation<ReplyOf<C>, Error, Given<C>>({
    mutationFn: (given) => api.call(call, withProgram(given)),
    onSuccess: async () => {
      if (!refreshes) return client.invalidateQueries()
      await Promise.all(refreshes.map(({ id }) => client.invalidateQueries({ queryKey: [id] })))
    },
    // Without a session, or a connection, nothing can be loaded. The message does not wait for what is loaded.
    onError(error) {
      if (error instanceof ApiCallError && error.status !== 401 && error.status !== 0) void client.invalidateQueries()
    },
  })
}
