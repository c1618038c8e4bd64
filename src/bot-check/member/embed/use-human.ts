import { useRef } from 'react'
import { useCopy } from '../../../content/member/embed/use-copy.tsx'
import { ApiError } from '../../../kit/web/api.ts'
import { useApi } from '../../../kit/web/query.ts'
import { useProgram } from '../../../partners/member/embed/use-program.ts'

/** Something that finds out, unseen, that a person sits here. Rejects with an Error whose message is a copy key. */
export interface Prover {
  answer(): Promise<string>
  /** The form failed: the answer that was given is used up. */
  reset(): void
}

/**
 * Sends a form: at once the first time, later ones after a proof that a person sits here, which nobody has to look at.
 * `send` gets what goes into `gRecaptchaResponse`. A proof that cannot be had rejects with an ApiError in words.
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
      // Others at this address have failed before: this one has to show it at once.
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
