import { sql } from 'kysely'
import * as oidc from 'openid-client'
import { z } from 'zod'
import type { Db } from '../../../platform/database/db.ts'
import { ApiError } from '../../../platform/errors.ts'
import { sentEmail, sentLine } from '../../../platform/form-schema.ts'
import { tokenHash } from '../../../platform/security/ids.ts'
import { SECOND } from '../../../platform/time.ts'
import { maxSentName } from '../../members/forms.ts'
import type { Identity } from '../../members/service.ts'
import type { SsoSession } from '../store.ts'
import type { SsoClient } from './client.ts'

/** Providers leave out what a customer does not have, or state it as null. */
const name = sentLine().max(maxSentName).nullish()

export const Claims = z.object({
  iss: z.string(),
  sub: z.string().min(1).max(255),
  email: sentEmail(),
  email_verified: z.boolean().default(false),
  given_name: name,
  family_name: name,
  name,
  sid: z.string().max(255).optional(),
  auth_time: z.number().int().positive().optional(),
})

export interface FinishedSso {
  identity: Identity
  sso: SsoSession
}

/** A sign-in that this session has started. */
export interface SsoAttempt {
  nonce: string
  code_verifier: string
  return_to: string
  /** Whether it began within ten minutes. */
  is_valid: boolean
}

const stateOf = (query: string) => new URLSearchParams(query).get('state') ?? ''
const stateHash = (query: string) => tokenHash(stateOf(query))

/**
 * Removes the attempt that an answer belongs to, so that it works only once, even if it fails, and returns it. One that
 * is too old still says where its person wanted to go.
 */
export function takeAttempt(
  db: Db,
  { sessionIdHash, query }: { sessionIdHash: Buffer; query: string },
): Promise<SsoAttempt | undefined> {
  return db
    .deleteFrom('sso_attempts')
    .where('state_hash', '=', stateHash(query))
    .where('session_id_hash', '=', sessionIdHash)
    .returning(['nonce', 'code_verifier', 'return_to', sql<boolean>`expires_at > now()`.as('is_valid')])
    .executeTakeFirst()
}

/**
 * Removes an attempt whose session has ended, and returns where its person wanted to go: signing in in another tab of the
 * browser ends the session that both tabs had. Returns undefined when there is none.
 */
export async function takeTargetOfEnded(db: Db, query: string): Promise<string | undefined> {
  const attempt = await db
    .deleteFrom('sso_attempts')
    .where('state_hash', '=', stateHash(query))
    .where(({ not, exists, selectFrom }) =>
      not(exists(selectFrom('sessions').select('id_hash').whereRef('id_hash', '=', 'sso_attempts.session_id_hash'))),
    )
    .returning('return_to')
    .executeTakeFirst()
  return attempt?.return_to
}

/**
 * Completes a sign-in: exchanges the code, and checks issuer, audience, nonce, signature and expiry of the token. Throws
 * `ssoFailed` for any mismatch, without details.
 */
export async function finishSso(
  attempt: SsoAttempt | undefined,
  { client, query }: { client: SsoClient; query: string },
): Promise<FinishedSso> {
  if (!attempt?.is_valid) throw new ApiError('ssoFailed')
  const { claims, idToken } = await exchange(client, query, attempt)
  return {
    sso: {
      name: claims.sid ?? null,
      idToken,
      authenticatedAt:
        claims.auth_time === undefined ? null : new Date(Math.min(Date.now(), claims.auth_time * SECOND)),
    },
    identity: {
      issuer: claims.iss,
      subject: claims.sub,
      email: claims.email,
      emailVerified: claims.email_verified,
      ...nameOf(claims),
    },
  }
}

/** Returns the name of a customer, who may have one only, or none that the provider states. */
function nameOf({ given_name, family_name, name, email }: z.output<typeof Claims>) {
  if (given_name) return { firstName: given_name, lastName: family_name || '' }
  return { firstName: family_name || name || email.replace(/@.*/, ''), lastName: '' }
}

async function exchange(
  { configuration, redirectUri }: SsoClient,
  query: string,
  attempt: { nonce: string; code_verifier: string },
): Promise<{ claims: z.output<typeof Claims>; idToken: string }> {
  try {
    const tokens = await oidc.authorizationCodeGrant(configuration, new URL(`?${query}`, redirectUri), {
      expectedState: stateOf(query),
      expectedNonce: attempt.nonce,
      pkceCodeVerifier: attempt.code_verifier,
      idTokenExpected: true,
    })
    const claims = tokens.claims()
    const more = configuration.serverMetadata().userinfo_endpoint
      ? await oidc.fetchUserInfo(configuration, tokens.access_token, claims?.sub ?? '')
      : {}
    return { claims: Claims.parse({ ...more, ...claims }), idToken: tokens.id_token ?? '' }
  } catch (cause) {
    throw Object.assign(new ApiError('ssoFailed'), { cause })
  }
}
