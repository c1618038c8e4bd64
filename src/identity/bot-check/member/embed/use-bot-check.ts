import { useRef } from 'react'
import { ApiCallError } from '../../../../platform/browser/api.ts'
import { useApiFetch } from '../../../../platform/browser/query.ts'
import type { SendWrite } from '../../../../platform/browser/write-api.ts'
import { useCopy } from '../../../../programs/content/member/embed/use-copy.tsx'
import { useProgram } from '../../../../programs/partners/member/embed/use-program.ts'
import { BotCheckError, type BotCheckSolver } from './bot-check-solver.ts'

/**
 * Submits a form: the first time without a proof, later with one that needs no interaction. `submit` gets the value of
 * `gRecaptchaResponse`. When no proof is available, rejects with an ApiCallError with a translated title, or with the error of
 * the request that failed.
 */
export function useBotCheck(): <T>(send: SendWrite, submit: (token: string) => Promise<T>) => Promise<T> {
  const t = useCopy()
  const fetchApi = useApiFetch()
  const { flags, botCheck } = useProgram()
  const submitCount = useRef(0)
  const solver = useRef<Promise<BotCheckSolver> | null>(null)
  const isOn = flags.authFlags.botCheck

  function loadSolver(): Promise<BotCheckSolver> {
    solver.current ??=
      botCheck.kind === 'recaptcha'
        ? import('./recaptcha.ts').then(({ createRecaptchaSolver }) => createRecaptchaSolver(botCheck))
        : import('./altcha.ts').then(({ createAltchaSolver }) => createAltchaSolver(fetchApi))
    return solver.current
  }

  async function getToken(send: SendWrite): Promise<string> {
    try {
      return await (await loadSolver()).getToken(send)
    } catch (error) {
      solver.current = null
      // Only the solver's own errors have a message of the check; a failed request has its own.
      if (!(error instanceof BotCheckError)) throw error
      throw new ApiCallError(0, { code: 'botCheck', title: t(error.message) })
    }
  }

  async function submitWithToken<T>(send: SendWrite, submit: (token: string) => Promise<T>): Promise<T> {
    const token = await getToken(send)
    try {
      return await submit(token)
    } catch (error) {
      void solver.current?.then((known) => known.reset())
      const title = botCheckError(error)
      throw title ? new ApiCallError(400, { code: 'botCheck', title: title }) : error
    }
  }

  return async (send, submit) => {
    submitCount.current++
    if (!isOn) return submit('')
    if (submitCount.current > 1) return submitWithToken(send, submit)
    try {
      return await submit('')
    } catch (error) {
      // Failed attempts of other visitors at this address require a proof on the first attempt.
      if (botCheckError(error)) return submitWithToken(send, submit)
      throw error
    }
  }
}

function botCheckError(error: unknown): string | undefined {
  return error instanceof ApiCallError
    ? error.fields.find(({ field }) => field === 'gRecaptchaResponse')?.message
    : undefined
}
