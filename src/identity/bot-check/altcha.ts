import { createHmac, timingSafeEqual } from 'node:crypto'
import { type Challenge, createChallenge, type Solution, verifySolution } from 'altcha-lib'
import { deriveKey } from 'altcha-lib/algorithms/pbkdf2'
import { ApiError } from '../../platform/errors.ts'
import type { Ctx } from '../../platform/http/context.ts'
import { secretToken } from '../../platform/security/ids.ts'
import type { BotCheckVerifier } from './bot-check-verifier.ts'
import { challengeTtlMs } from './rules.ts'
import { spendToken } from './store.ts'

// About one second on a phone: each derivation costs 4,000 rounds, and one in 256 fits. Verification costs one.
const work = { algorithm: 'PBKDF2/SHA-256', cost: 4000, keyPrefix: '00' }

export interface Altcha extends BotCheckVerifier {
  challenge(ctx: Ctx): Promise<Challenge>
  /** Returns a token for solved work. Throws `notSolved`. */
  solve(ctx: Ctx, done: { challenge: Challenge; solution: Solution }): Promise<string>
}

/**
 * Proof of work that the app verifies itself, so that no third party learns about visitors. Works in any process with
 * the key.
 */
export function createAltcha(key: Buffer): Altcha {
  const hmacSignatureSecret = key.toString('base64url')
  const seal = (ctx: Ctx, until: string, id: string) =>
    createHmac('sha256', key)
      .update(`token:${ctx.partnerId}:${ctx.actor.sessionId?.toString('hex')}:${until}:${id}`)
      .digest('base64url')
  return {
    challenge: (ctx) =>
      createChallenge({
        ...work,
        deriveKey,
        hmacSignatureSecret,
        expiresAt: new Date(Date.now() + challengeTtlMs),
        data: { program: ctx.partnerId },
      }),
    async solve(ctx, { challenge, solution }) {
      // The signature covers all parameters, but the program must be compared separately.
      const isOurs = challenge.parameters.data?.program === ctx.partnerId
      const result = isOurs ? await verifySolution({ challenge, solution, deriveKey, hmacSignatureSecret }) : null
      if (!result?.verified) throw new ApiError('notSolved')
      if (!(await spendToken(ctx.db, challenge.signature as string, challengeTtlMs))) throw new ApiError('notSolved')
      const [until, id] = [String(Date.now() + challengeTtlMs), secretToken()]
      return `${until}.${id}.${seal(ctx, until, id)}`
    },
    async accepts(ctx, token) {
      const [until = '', id = '', sealed = ''] = token.split('.')
      const [a, b] = [Buffer.from(sealed), Buffer.from(seal(ctx, until, id))]
      if (a.length !== b.length || !timingSafeEqual(a, b) || Number(until) < Date.now()) return false
      return spendToken(ctx.db, token, challengeTtlMs)
    },
  }
}
