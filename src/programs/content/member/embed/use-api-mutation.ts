import { useMutation } from '@tanstack/react-query'
import { useEffect, useId, useRef } from 'react'
import { ApiCallError } from '../../../../platform/browser/api.ts'
import { redirectOn401 } from '../../../../platform/browser/redirects.ts'
import { type SendWrite, useSendWrite } from '../../../../platform/browser/write-api.ts'
import type { CallInput, ReplyOf, WriteCall } from '../../../../platform/call.ts'
import { useFailureText } from './use-failure-text.ts'

interface Options<I, R> {
  /** Runs after a success; the mutation is pending until its promise resolves. */
  onSuccess?: (result: R, input: I) => unknown
  /** Runs after a failure, with its message, unless the page is left for the sign-in page. */
  onFailure?: (message: string, error: unknown, input: I) => unknown
  /** Runs at the end in any case; the mutation is pending until its promise resolves. */
  onSettled?: () => unknown
  /** Replaces the general message of a failed call. */
  failureText?: (error: unknown) => string
  /** Stays on the page when no member is signed in, and treats this as any other failure. */
  staysOn401?: boolean
  /**
   * Runs different actions one after another, such as the toggles of a list; only the same one again is ignored. By
   * default, an action under way ignores all others.
   */
  queued?: boolean
}

export interface ApiMutation<I, R> {
  /** Runs the work. The promise never rejects, and ends with the work. */
  run: (input: I) => Promise<void>
  isPending: boolean
  /** The input of the action under way. */
  pending: I | undefined
  /** The message of the last failure; null while another attempt is under way. */
  problem: string | null
  error: unknown
  /** The result of the last success. */
  data: R | undefined
}

type Work<I, R> = (send: SendWrite, input: I) => Promise<R>

/**
 * The one way to write: a write call, or work with several, and its state. It runs when `run` is called, never by
 * itself, and once: repeated while it is under way, it is ignored. Without a session, the page is left for the sign-in
 * page.
 */
export function useApiMutation<C extends WriteCall>(
  call: C,
  options?: Options<CallInput<C>, ReplyOf<C>>,
): ApiMutation<CallInput<C>, ReplyOf<C>>
export function useApiMutation<R, I = void>(work: Work<I, R>, options?: Options<I, R>): ApiMutation<I, R>
export function useApiMutation<I, R>(
  what: WriteCall | Work<I, R>,
  { onSuccess, onFailure, onSettled, failureText, staysOn401 = false, queued = false }: Options<I, R> = {},
): ApiMutation<I, R> {
  const send = useSendWrite()
  const generalText = useFailureText()
  const id = useId()
  const underWay = useRef<{ key: string; end: Promise<void> } | null>(null)
  const text = failureText ?? generalText
  const leaves = (error: unknown) => !staysOn401 && isSignedOut(error)
  const { mutateAsync, isPending, variables, error, data } = useMutation<R, unknown, I>({
    mutationFn: (input) =>
      typeof what === 'function' ? what(send, input) : (send(what, input as never) as Promise<R>),
    // Without a network it fails at once, instead of waiting for one.
    networkMode: 'always',
    ...(queued && { scope: { id } }),
    onSuccess: (result, input) => onSuccess?.(result, input),
    onError(failure, input) {
      if (!leaves(failure)) return onFailure?.(text(failure), failure, input)
      redirectOn401(failure)
    },
    onSettled: () => onSettled?.(),
  })

  function run(input: I): Promise<void> {
    const key = queued ? JSON.stringify(input) : ''
    if (underWay.current?.key === key) return underWay.current.end
    const end = mutateAsync(input)
      .then(ignore, ignore)
      .finally(() => {
        if (underWay.current?.end === end) underWay.current = null
      })
    underWay.current = { key, end }
    return end
  }

  return {
    run,
    isPending,
    pending: isPending ? variables : undefined,
    problem: error === null || leaves(error) ? null : text(error),
    error,
    data,
  }
}

/**
 * A write call that a component sends once for each time it appears, without an action of the user. This is the only
 * place where an effect writes: effects run again, such as in development, and writes must not.
 */
export function useApiMutationOnMount<C extends WriteCall>(
  call: C,
  given: CallInput<C>,
  options?: Options<CallInput<C>, ReplyOf<C>>,
): Omit<ApiMutation<CallInput<C>, ReplyOf<C>>, 'run'> {
  const { run, ...state } = useApiMutation(call, options)
  const isSent = useRef(false)
  useEffect(() => {
    if (isSent.current) return
    isSent.current = true
    void run(given)
  })
  return state
}

// A 401 can have other codes too, such as a wrong password. Without a body it is not the app's own and has no code.
const isSignedOut = (error: unknown) =>
  error instanceof ApiCallError && error.status === 401 && ['unauthorized', 'unknown'].includes(error.code)

const ignore = () => {}
