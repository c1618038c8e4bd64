import {
  addressAttemptsWithin,
  attemptKey,
  attemptsWithin,
  countAttempt,
  countFromAddress,
} from '../../platform/database/attempts.ts'
import type { Ctx } from '../../platform/http/context.ts'
import { FieldRefusal, Refusal } from '../../platform/refusal.ts'
import type { HumanProof } from './human-proof.ts'
import { failuresWindow, needsProof } from './rules.ts'

export { type Altcha, createAltcha } from './altcha.ts'
export type { HumanProof } from './human-proof.ts'
export { createRecaptcha } from './recaptcha.ts'
export { sweepSpentProofs } from './store.ts'

export interface Gate {
  /**
   * Runs the work of a form. After a failed attempt the next one needs a proof. Throws a field error of
   * `gRecaptchaResponse`, without running `work`, when the proof is missing or invalid.
   */
  admit<T>(ctx: Ctx, answer: string, work: () => Promise<T>): Promise<T>
}

// More attempts than any network address makes.
const never = 2_147_483_647

/** Protects forms from automated submissions. Does nothing when the program has disabled the check. */
export function createGate({ proof, key }: { proof: HumanProof; key: Buffer }): Gate {
  const keysOf = (ctx: Ctx) => ({
    session: attemptKey(key, 'session', ctx.partnerId, ctx.actor.sessionId?.toString('hex') ?? ''),
    address: { secret: key, about: 'address', partnerId: ctx.partnerId, address: ctx.address },
  })
  return {
    async admit(ctx, answer, work) {
      if (!ctx.flags.authFlags.botCheck) return work()
      const { session, address } = keysOf(ctx)
      const tries = {
        ofSession: await attemptsWithin(ctx.db, session, failuresWindow),
        ofAddress: await addressAttemptsWithin(ctx.db, address, failuresWindow),
      }
      if (needsProof(tries) && !(answer !== '' && (await proof.accepts(ctx, answer)))) {
        throw new FieldRefusal([{ field: 'gRecaptchaResponse', message: 'bot.required' }])
      }
      try {
        return await work()
      } catch (error) {
        if (error instanceof Refusal || error instanceof FieldRefusal) {
          // Attempts are counted but never locked: with a valid proof the visitor can continue.
          const counted = { most: never, windowMs: failuresWindow }
          await countAttempt(ctx.db, { ...counted, key: session })
          await countFromAddress(ctx.db, address, counted)
        }
        throw error
      }
    },
  }
}
