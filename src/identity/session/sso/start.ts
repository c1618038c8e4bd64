import { sql } from 'kysely'
import * as oidc from 'openid-client'
import { acquireAdvisoryLock, type Db, inTransaction } from '../../../platform/database/db.ts'
import { tokenHash } from '../../../platform/security/ids.ts'
import { maxSsoAttempts } from '../rules.ts'
import type { SsoClient } from './client.ts'
import { safeReturnPath } from './return-path.ts'

interface Start {
  client: SsoClient
  sessionIdHash: Buffer
  returnTo: string
  /** Requires the provider to check the password again, even of a signed-in user. */
  forceLogin: boolean
}

/**
 * Starts a sign-in at the partner's provider. Returns where to send the browser. The attempt is bound to its session
 * and can be used once within ten minutes; a session has the newest five.
 */
export async function startSso(db: Db, { client, sessionIdHash, returnTo, forceLogin }: Start): Promise<URL> {
  const state = oidc.randomState()
  const nonce = oidc.randomNonce()
  const codeVerifier = oidc.randomPKCECodeVerifier()
  await inTransaction(db, async (tx) => {
    await acquireAdvisoryLock(tx, `sso:${sessionIdHash.toString('hex')}`)
    await sql`delete from sso_attempts where session_id_hash = ${sessionIdHash} and state_hash not in (
      select state_hash from sso_attempts where session_id_hash = ${sessionIdHash}
      order by expires_at desc, state_hash limit ${maxSsoAttempts - 1})`.execute(tx)
    await tx
      .insertInto('sso_attempts')
      .values({
        state_hash: tokenHash(state),
        session_id_hash: sessionIdHash,
        nonce,
        code_verifier: codeVerifier,
        return_to: safeReturnPath(returnTo, ''),
        expires_at: sql<Date>`now() + interval '10 minutes'`,
      })
      .execute()
  })
  return oidc.buildAuthorizationUrl(client.configuration, {
    redirect_uri: client.redirectUri,
    scope: 'openid email profile',
    state,
    nonce,
    code_challenge: await oidc.calculatePKCECodeChallenge(codeVerifier),
    code_challenge_method: 'S256',
    ...(forceLogin && { prompt: 'login', max_age: '0' }),
  })
}
