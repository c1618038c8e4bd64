import { useRef } from 'react'
import { ApiCallError } from '../../../../platform/browser/api.ts'
import { useApi } from '../../../../platform/browser/query.ts'
import { useCopy } from '../../../../programs/content/member/embed/use-copy.tsx'
import { useProgram } from '../../../../programs/partners/member/embed/use-program.ts'
import type { BotCheckSolver } from './bot-check-solver.ts'

/**
 * Submits a form: the first time without a proof, later with one that needs no interaction. `send` gets the value of
 * `gRecaptchaResponse`. When no proof is available, rejects with an ApiError with a translated title.
 */
export function useBotCheck(): <T>(send: (getToken: string) => Promise<T>) => Promise<T> {
  const t = useCopy()
  const api = useApi()
  const { flags, botCheck } = useProgram()
  const submitCount = useRef(0)
  const solver = useRef<Promise<BotCheckSolver> | null>(null)
  const isOn = flags.authFlags.botCheck

  function loadSolver(): Promise<BotCheckSolver> {
    solver.current ??=
      botCheck.kind === 'recaptcha'
        ? import('./recaptcha.ts').then(({ createRecaptchaSolver }) => createRecaptchaSolver(botCheck))
        : import('./altcha.ts').then(({ createAltchaSolver }) => createAltchaSolver(api))
    return solver.current
  }

  async function getToken(): Promise<string> {
    try {
      return await (await loadSolver()).getToken()
    } catch (error) {
      solver.current = null
      throw new ApiCallError(0, { code: 'botCheck', title: t(error instanceof Error ? error.message : 'bot.required') })
    }
  }

  async function sendWithToken<T>(send: (token: string) => Promise<T>): Promise<T> {
    const token = await getToken()
    try {
      return await send(token)
    } catch (error) {
      void solver.current?.then((known) => known.reset())
      const title = botCheckError(error)
      throw title ? new ApiCallError(400, { code: 'botCheck', title: title }) : error
    }
  }

  return async (send) => {
    submitCount.current++
    if (!isOn) return send('')
    if (submitCount.current > 1) return sendWithToken(send)
    try {
      return await send('')
    } catch (error) {
      // Failed attempts of other visitors at this address require a proof on the first attempt.
      if (botCheckError(error)) return sendWithToken(send)
      throw error
    }
  }
}

function botCheckError(error: unknown): string | undefined {
  return error instanceof ApiCallError
    ? error.fields.find(({ field }) => field === 'gRecaptchaResponse')?.message
    : undefined
}
