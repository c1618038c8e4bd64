import { FieldRefusal, Refusal } from '../kit/refusal.ts'
import {
  addressAttemptsWithin,
  attemptKey,
  attemptsWithin,
  countAttempt,
  countFromAddress,
} from '../kit/server/attempts.ts'
import type { Ctx } from '../kit/server/context.ts'
import { failuresWindow, needsProof } from './rules.ts'

export { type Altcha, createAltcha } from './altcha.ts'
export { createRecaptcha } from './recaptcha.ts'
export { sweepSpentProofs } from './store.ts'

/** Something that can tell a person's browser from a program; each answer counts once. */
export interface HumanProof {
  accepts(ctx: Ctx, answer: string): Promise<boolean>
}

export interface Gate {
  /**
   * Does what a form asks for. After a failed try the next must carry a proof: a field error of
   * `gRecaptchaResponse` without one, or with one that does not count, and nothing is done.
   */
  admit<T>(ctx: Ctx, answer: string, work: () => Promise<T>): Promise<T>
}

// More than anybody tries, on every network that counts an address.
const never = 2_147_483_647

/** The gate in front of forms that a program could send a thousand times. Off where the program has switched it off. */
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
          // Counted, never locked: whoever proves to be a person goes on.
          const counted = { most: never, windowMs: failuresWindow }
          await countAttempt(ctx.db, { ...counted, key: session })
          await countFromAddress(ctx.db, address, counted)
        }
        throw error
      }
    },
  }
}
