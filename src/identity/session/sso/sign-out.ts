import * as oidc from 'openid-client'
import type { Ctx } from '../../../platform/http/context.ts'
import { findIdToken } from '../store.ts'
import type { SsoClients } from './client.ts'

/**
 * Returns the URL where a sign-out continues: the partner's provider, which then redirects to the home page. Null for
 * sessions that did not begin there, and for providers that are unreachable.
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
    // Signing out here must not depend on the provider.
    return null
  }
}
