import { z } from 'zod'
import type { BotCheckVerifier } from './bot-check-verifier.ts'
import { challengeTtlMs } from './rules.ts'
import { spendToken } from './store.ts'

export interface RecaptchaOptions {
  /** `https://www.google.com/recaptcha`, or a substitute. */
  url: string
  secret: string
  /** Host name of a program's pages. */
  hostOf: (partnerId: string) => string
  fetch: typeof fetch
}

const SiteVerifyResponse = z.object({ success: z.boolean(), hostname: z.string().optional() })

/**
 * The invisible reCAPTCHA. A response is accepted when Google confirms it, it was given on our host, and it is unused.
 */
export function createRecaptcha({ url, secret, hostOf, fetch }: RecaptchaOptions): BotCheckVerifier {
  return {
    async accepts(ctx, token) {
      const response = await fetch(`${url}/api/siteverify`, {
        method: 'POST',
        headers: { 'content-type': 'application/x-www-form-urlencoded' },
        body: new URLSearchParams({ secret, response: token, remoteip: ctx.address }).toString(),
      }).catch(() => null)
      // Without a result the attempt fails; the form shows an error, and the next attempt checks again.
      const result = SiteVerifyResponse.safeParse(response?.ok ? await response.json().catch(() => null) : null)
      if (!result.success) {
        ctx.log.warn({ status: response?.status }, 'bot check unreachable')
        return false
      }
      if (!result.data.success || result.data.hostname !== hostOf(ctx.partnerId)) return false
      return spendToken(ctx.db, token, challengeTtlMs)
    },
  }
}
