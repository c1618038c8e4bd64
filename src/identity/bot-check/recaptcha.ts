import { z } from 'zod'
import type { HumanProof } from './human-proof.ts'
import { challengeLength } from './rules.ts'
import { spend } from './store.ts'

export interface RecaptchaOptions {
  /** `https://www.google.com/recaptcha`, or a substitute. */
  url: string
  secret: string
  /** Host name of a program's pages. */
  hostOf: (partnerId: string) => string
  fetch: typeof fetch
}

const Verdict = z.object({ success: z.boolean(), hostname: z.string().optional() })

/**
 * The invisible reCAPTCHA. A response is accepted when Google confirms it, it was given on our host, and it is unused.
 */
export function createRecaptcha({ url, secret, hostOf, fetch }: RecaptchaOptions): HumanProof {
  return {
    async accepts(ctx, answer) {
      const asked = await fetch(`${url}/api/siteverify`, {
        method: 'POST',
        headers: { 'content-type': 'application/x-www-form-urlencoded' },
        body: new URLSearchParams({ secret, response: answer, remoteip: ctx.address }).toString(),
      }).catch(() => null)
      // Without a result the attempt fails; the form shows an error, and the next attempt checks again.
      const verdict = Verdict.safeParse(asked?.ok ? await asked.json().catch(() => null) : null)
      if (!verdict.success) {
        ctx.log.warn({ status: asked?.status }, 'bot check unreachable')
        return false
      }
      if (!verdict.data.success || verdict.data.hostname !== hostOf(ctx.partnerId)) return false
      return spend(ctx.db, answer, challengeLength)
    },
  }
}
