import { useRef } from 'react'
import { ApiError } from '../../../../platform/browser/api.ts'
import { useApi } from '../../../../platform/browser/query.ts'
import { useCopy } from '../../../../programs/content/member/embed/use-copy.tsx'
import { useProgram } from '../../../../programs/partners/member/embed/use-program.ts'
import type { Prover } from './prover.ts'

/**
 * Submits a form: the first time without a proof, later with one that needs no interaction. `send` gets the value of
 * `gRecaptchaResponse`. When no proof is available, rejects with an ApiError with a translated title.
 */
export function useHuman(): <T>(send: (answer: string) => Promise<T>) => Promise<T> {
  const t = useCopy()
  const api = useApi()
  const { flags, botCheck } = useProgram()
  const submits = useRef(0)
  const prover = useRef<Promise<Prover> | null>(null)
  const isOn = flags.authFlags.botCheck

  function proverOf(): Promise<Prover> {
    prover.current ??=
      botCheck.kind === 'recaptcha'
        ? import('./recaptcha.ts').then(({ createRecaptchaProver }) => createRecaptchaProver(botCheck))
        : import('./altcha.ts').then(({ createAltchaProver }) => createAltchaProver(api))
    return prover.current
  }

  async function proof(): Promise<string> {
    try {
      return await (await proverOf()).answer()
    } catch (error) {
      prover.current = null
      throw new ApiError(0, { code: 'botCheck', title: t(error instanceof Error ? error.message : 'bot.required') })
    }
  }

  async function withProof<T>(send: (answer: string) => Promise<T>): Promise<T> {
    const answer = await proof()
    try {
      return await send(answer)
    } catch (error) {
      void prover.current?.then((known) => known.reset())
      const refused = refusalOf(error)
      throw refused ? new ApiError(400, { code: 'botCheck', title: refused }) : error
    }
  }

  return async (send) => {
    submits.current++
    if (!isOn) return send('')
    if (submits.current > 1) return withProof(send)
    try {
      return await send('')
    } catch (error) {
      // Failed attempts of other visitors at this address require a proof on the first attempt.
      if (refusalOf(error)) return withProof(send)
      throw error
    }
  }
}

function refusalOf(error: unknown): string | undefined {
  return error instanceof ApiError
    ? error.fields.find(({ field }) => field === 'gRecaptchaResponse')?.message
    : undefined
}
