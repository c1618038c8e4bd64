import { createRemoteJWKSet, customFetch, jwtVerify } from 'jose'
import { z } from 'zod'
import { inTransaction } from '../../../platform/database/db.ts'
import { ApiError } from '../../../platform/errors.ts'
import type { Ctx } from '../../../platform/http/context.ts'
import { clientIdOf } from '../../../programs/partners/rules.ts'
import { findMemberIdByIdentity } from '../../members/service.ts'
import { deleteBySso, deleteSessionsOf } from '../store.ts'
import type { SsoClients } from './client.ts'

const event = 'http://schemas.openid.net/event/backchannel-logout'

const LogoutClaims = z
  .object({
    sub: z.string().optional(),
    sid: z.string().optional(),
    events: z.object({ [event]: z.object({}) }),
    // A token with a nonce is an id token and not a logout token.
    nonce: z.undefined().optional(),
  })
  .refine(({ sub, sid }) => sub !== undefined || sid !== undefined)

/**
 * Ends the sessions that the partner's provider has ended (OpenID Connect Back-Channel Logout 1.0). Throws `ssoFailed`
 * unless the provider signed the token for this client within two minutes.
 */
export async function endFromProvider(
  ctx: Ctx,
  { sso, fetch, logoutToken }: { sso: SsoClients; fetch: typeof globalThis.fetch; logoutToken: string },
): Promise<void> {
  const { config } = ctx.program
  if (config.enrollmentType !== 'sso' || !config.sso) throw new ApiError('ssoFailed')
  const { configuration } = await sso.of(config)
  const { issuer, jwks_uri } = configuration.serverMetadata()
  const claims = await (async () => {
    try {
      const keys = createRemoteJWKSet(new URL(jwks_uri ?? ''), { [customFetch]: fetch })
      const { payload } = await jwtVerify(logoutToken, keys, {
        issuer,
        audience: clientIdOf(config),
        maxTokenAge: '2 minutes',
        requiredClaims: ['jti', 'iat'],
        algorithms: ['RS256', 'PS256', 'ES256', 'ES384', 'EdDSA'],
      })
      return LogoutClaims.parse(payload)
    } catch {
      throw new ApiError('ssoFailed')
    }
  })()
  if (claims.sid !== undefined) return deleteBySso(ctx.db, claims.sid)
  await inTransaction(ctx.db, async (tx) => {
    const memberId = await findMemberIdByIdentity(tx, issuer, claims.sub as string)
    if (memberId !== undefined) await deleteSessionsOf(tx, memberId)
  })
}
