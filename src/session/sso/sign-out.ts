import * as oidc from 'openid-client'
import type { Ctx } from '../../kit/server/context.ts'
import { findIdToken } from '../store.ts'
import type { SsoClients } from './client.ts'

/**
 * Where a sign-out goes on to: the partner's provider, which then leads back to the front page. Null for sessions that
 * did not begin there, and for providers that cannot be asked.
 */
export async function providerSignOut(ctx: Ctx, sso: SsoClients): Promise<URL | null> {
  const { config } = ctx.program
  if (config.enrollmentType !== 'sso' || !ctx.actor.sessionId) return null
  const idToken = await findIdToken(ctx.db, ctx.actor.sessionId)
  if (!idToken) return null
  try {
    const { configuration, redirectUri } = await sso.of(config)
    if (!configuration.serverMetadata().end_session_endpoint) return null
    return oidc.buildEndSessionUrl(configuration, {
      id_token_hint: idToken,
      post_logout_redirect_uri: new URL('/', redirectUri).href,
    })
  } catch {
    // Signing out here does not wait for somebody else to be well.
    return null
  }
}
