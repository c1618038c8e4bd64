import {
  type AddressAttempt,
  attemptKey,
  countAddressAttempt,
  countAttempt,
  withdrawAddressAttempt,
  withdrawAttempt,
} from '../../platform/database/attempts.ts'
import { ApiError, UnavailableError, ValidationError } from '../../platform/errors.ts'
import type { Ctx } from '../../platform/http/context.ts'
import type { BotCheckVerifier } from './bot-check-verifier.ts'
import { failuresWindow, needsBotCheck } from './rules.ts'

export { type Altcha, createAltcha } from './altcha.ts'
export type { BotCheckVerifier } from './bot-check-verifier.ts'
export { createRecaptcha } from './recaptcha.ts'
export { purgeSpentTokens } from './store.ts'

export interface BotCheck {
  /**
   * Runs the work of a form. After a failed attempt the next one needs a proof, and beside one in progress in another
   * process too. Throws a field error of `gRecaptchaResponse`, without running `work`, when the proof is missing or invalid.
   */
  guard<T>(ctx: Ctx, token: string, work: () => Promise<T>): Promise<T>
}

// Attempts are counted but never locked: with a valid proof the visitor can continue. No address makes that many.
const counted = { maxAttempts: 2_147_483_647, windowMs: failuresWindow }

// A service that does not respond, or a busy server, is no failed attempt of the visitor.
const isFailedAttempt = (error: unknown) =>
  (error instanceof ApiError && !(error instanceof UnavailableError) && error.code !== 'busy') ||
  error instanceof ValidationError

interface Attempt {
  session: Buffer
  address: AddressAttempt
  token: string
}

/** Protects forms from automated submissions. Does nothing when the program has disabled the check. */
export function createBotCheck({ verifier, key }: { verifier: BotCheckVerifier; key: Buffer }): BotCheck {
  const running = new Map<string, Promise<unknown>>()

  /**
   * Runs the attempts of a session one after another, as far as they are made in this process: a form that is sent twice
   * needs no proof while its first attempt may succeed.
   */
  function afterOthers<T>(session: string, work: () => Promise<T>): Promise<T> {
    const own = (running.get(session) ?? Promise.resolve()).then(work)
    const ended = own.then(
      () => {},
      () => {},
    )
    running.set(session, ended)
    void ended.then(() => running.get(session) === ended && running.delete(session))
    return own
  }

  const attemptKeys = (ctx: Ctx) => ({
    session: attemptKey(key, 'session', ctx.partnerId, ctx.actor.sessionId?.toString('hex') ?? ''),
    address: { secret: key, about: 'address', partnerId: ctx.partnerId, address: ctx.address },
  })
  async function attempt<T>(ctx: Ctx, { session, address, token }: Attempt, work: () => Promise<T>): Promise<T> {
    // Counted before the work, so that concurrent attempts are not all the first one.
    const tries = {
      ofSession: await countAttempt(ctx.db, { ...counted, key: session }),
      ofAddress: await countAddressAttempt(ctx.db, address, counted),
    }
    let isFailed = false
    try {
      if (needsBotCheck(tries) && !(token !== '' && (await verifier.accepts(ctx, token)))) {
        throw new ValidationError([{ field: 'gRecaptchaResponse', message: 'bot.required' }])
      }
      return await work().catch((error: unknown) => {
        isFailed = isFailedAttempt(error)
        throw error
      })
    } finally {
      // Only failed attempts stay counted: not those that succeed, nor those that were not made.
      if (!isFailed) {
        await withdrawAttempt(ctx.db, { ...counted, key: session })
        await withdrawAddressAttempt(ctx.db, address, counted)
      }
    }
  }

  return {
    async guard(ctx, token, work) {
      if (!ctx.flags.authFlags.botCheck) return work()
      const { session, address } = attemptKeys(ctx)
      return afterOthers(session.toString('hex'), () => attempt(ctx, { session, address, token }, work))
    },
  }
}
