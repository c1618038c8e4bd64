import { useEffect, useRef, useState } from 'react'
import { ApiCallError } from '../../../../platform/browser/api.ts'
import { redirectOn401 } from '../../../../platform/browser/redirects.ts'
import { type SendWrite, useSendWrite } from '../../../../platform/browser/write-api.ts'
import type { CallInput, ReplyOf, WriteCall } from '../../../../platform/call.ts'
import { noToken, useFailureText } from './use-failure-text.ts'

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
  run: (input: I) => Promise<unknown>
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

type State<I, R> = Pick<ApiMutation<I, R>, 'isPending' | 'pending' | 'error' | 'data'>

const idle = { isPending: false, pending: undefined, error: null, data: undefined }

function toWork<I, R>(what: WriteCall | Work<I, R>): Work<I, R> {
  return typeof what === 'function' ? what : (send, input) => send(what, input as never) as Promise<R>
}

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
  const [state, setState] = useState<State<I, R>>(idle)
  /** The newest action. Its `end` resolves with the last failure of the actions that waited for each other. */
  const underWay = useRef<{ key: string; end: Promise<unknown> } | null>(null)
  const text = failureText ?? generalText
  const leaves = (error: unknown) => !staysOn401 && isSignedOut(error)
  // An action that takes long ends with the functions of the last rendering.
  const latest = { work: toWork<I, R>(what), onSuccess, onFailure, onSettled, text, leaves }
  const current = useRef(latest)
  useEffect(() => {
    current.current = latest
  })

  async function attempt(input: I): Promise<Partial<State<I, R>>> {
    try {
      const data = await current.current.work(send, input)
      await current.current.onSuccess?.(data, input)
      await current.current.onSettled?.()
      return { data }
    } catch (error) {
      if (current.current.leaves(error)) redirectOn401(error)
      else await current.current.onFailure?.(current.current.text(error), error, input)
      await current.current.onSettled?.()
      return { error }
    }
  }

  function run(input: I): Promise<unknown> {
    const key = queued ? JSON.stringify(input) : ''
    if (underWay.current?.key === key) return underWay.current.end
    setState({ ...idle, isPending: true, pending: input })
    const before = underWay.current?.end ?? null
    const end = Promise.resolve(before).then(async (failed) => {
      const outcome = await attempt(input).catch((error: unknown) => ({ error }))
      const error = outcome.error ?? failed
      // Only the newest action is shown, and a failure of those before it.
      if (underWay.current?.end === end) {
        setState({ ...idle, ...outcome, error })
        underWay.current = null
      }
      return error
    })
    underWay.current = { key, end }
    return end
  }

  const { error } = state
  return { ...state, run, problem: error === null || leaves(error) || isShown(error) ? null : text(error) }
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

/** The shell has shown it: a second message beside it would only confuse. */
export const isShown = (error: unknown) => error instanceof ApiCallError && error.code === noToken

// A 401 can have other codes too, such as a wrong password. Without a body it is not the app's own and has no code.
const isSignedOut = (error: unknown) =>
  error instanceof ApiCallError && error.status === 401 && ['unauthorized', 'unknown'].includes(error.code)
