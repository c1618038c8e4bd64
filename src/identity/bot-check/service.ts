import {
  attemptKey,
  countAddressAttempt,
  countAttempt,
  getAddressAttemptCount,
  getAttemptCount,
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
   * Runs the work of a form. After a failed attempt the next one needs a proof. Throws a field error of
   * `gRecaptchaResponse`, without running `work`, when the proof is missing or invalid.
   */
  guard<T>(ctx: Ctx, token: string, work: () => Promise<T>): Promise<T>
}

// More attempts than any network address makes.
const unlimited = 2_147_483_647

// A service that does not respond, or a busy server, is no failed attempt of the visitor.
const isFailedAttempt = (error: unknown) =>
  (error instanceof ApiError && !(error instanceof UnavailableError) && error.code !== 'busy') ||
  error instanceof ValidationError

/** Protects forms from automated submissions. Does nothing when the program has disabled the check. */
export function createBotCheck({ verifier, key }: { verifier: BotCheckVerifier; key: Buffer }): BotCheck {
  const attemptKeys = (ctx: Ctx) => ({
    session: attemptKey(key, 'session', ctx.partnerId, ctx.actor.sessionId?.toString('hex') ?? ''),
    address: { secret: key, about: 'address', partnerId: ctx.partnerId, address: ctx.address },
  })
  return {
    async guard(ctx, token, work) {
      if (!ctx.flags.authFlags.botCheck) return work()
      const { session, address } = attemptKeys(ctx)
      const tries = {
        ofSession: await getAttemptCount(ctx.db, session, failuresWindow),
        ofAddress: await getAddressAttemptCount(ctx.db, address, failuresWindow),
      }
      if (needsBotCheck(tries) && !(token !== '' && (await verifier.accepts(ctx, token)))) {
        throw new ValidationError([{ field: 'gRecaptchaResponse', message: 'bot.required' }])
      }
      try {
        return await work()
      } catch (error) {
        if (isFailedAttempt(error)) {
          // Attempts are counted but never locked: with a valid proof the visitor can continue.
          const counted = { maxAttempts: unlimited, windowMs: failuresWindow }
          await countAttempt(ctx.db, { ...counted, key: session })
          await countAddressAttempt(ctx.db, address, counted)
        }
        throw error
      }
    },
  }
}
