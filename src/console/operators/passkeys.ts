import { type Db, inTransaction } from '../../platform/database/db.ts'
import { ApiError } from '../../platform/errors.ts'
import * as webauthn from '../../platform/security/webauthn.ts'
import type { ConsoleSession } from './context.ts'
import { enrollCodeHash } from './enroll-code.ts'
import * as store from './passkey-store.ts'
import { lockOperator, takeEnrollCode } from './store.ts'

export { deletePasskey, hasPasskeys, listPasskeys, type OperatorPasskey } from './passkey-store.ts'

/** Passkeys of an operator. */
export const maxPasskeys = 10

/** Returns the browser options for creating an operator's passkey; stores the challenge in the session. */
export async function startPasskeyRegistration(db: Db, { operator, idHash }: ConsoleSession, origin: string) {
  const options = await webauthn.createRegistrationOptions({
    origin,
    rpName: 'Dineback console',
    userId: `operator:${operator.id}`,
    userName: operator.email,
    displayName: operator.name,
    residentKey: 'preferred',
    existing: await store.listPasskeys(db, operator.id),
  })
  await store.storeChallenge(db, idHash, options.challenge)
  return options
}

export interface NewPasskey {
  origin: string
  name: string
  response: unknown
  /** Code required of an operator without a passkey; null when none is required. */
  code: string | null
}

/**
 * Adds the passkey created by the browser and marks the session as verified. Returns false for an invalid response, for
 * an operator who has `maxPasskeys`, for a session that has ended, or for a wrong, expired or used code. Where a code is required, the password alone cannot add a passkey.
 */
export async function finishPasskeyRegistration(
  db: Db,
  { operator, idHash }: ConsoleSession,
  { origin, name, response, code }: NewPasskey,
): Promise<boolean> {
  const challenge = await store.takeChallenge(db, idHash)
  if (!challenge) return false
  const credential = await webauthn.verifyRegistration({ origin, challenge, response })
  if (!credential) return false
  const adding = inTransaction(db, async (tx) => {
    await lockOperator(tx, operator.id)
    if ((await store.listPasskeys(tx, operator.id)).length >= maxPasskeys) return false
    const added = await store.insertPasskey(tx, { ...credential, operatorId: operator.id, name })
    if (!added) return false
    // Thrown, so that the passkey is rolled back.
    if (code !== null && !(await takeEnrollCode(tx, operator.id, enrollCodeHash(code))))
      throw new ApiError('enrollCode')
    // It may have ended while this one waited: by a new password, or by signing out everywhere.
    if (!(await store.markPasskeyVerified(tx, idHash))) throw new ApiError('unauthorized')
    return true
  })
  return adding.catch((error) => {
    if (error instanceof ApiError) return false
    throw error
  })
}

/** Returns the browser options for verifying one of the operator's passkeys. */
export async function startPasskeyCheck(db: Db, { operator, idHash }: ConsoleSession, origin: string) {
  const options = await webauthn.createAuthenticationOptions(origin, await store.listPasskeys(db, operator.id))
  await store.storeChallenge(db, idHash, options.challenge)
  return options
}

/** Marks the session as verified when the response matches one of the operator's passkeys; otherwise returns false. */
export async function finishPasskeyCheck(
  db: Db,
  { operator, idHash }: ConsoleSession,
  { origin, response }: { origin: string; response: unknown },
): Promise<boolean> {
  const challenge = await store.takeChallenge(db, idHash)
  if (!challenge) return false
  return inTransaction(db, async (tx) => {
    const passkey = await store.lockPasskey(tx, operator.id, webauthn.credentialIdOf(response))
    if (!passkey) return false
    const counter = await webauthn.verifyAuthentication({ origin, challenge, response }, passkey)
    if (counter === null) return false
    await store.updateCounter(tx, passkey.id, counter)
    return store.markPasskeyVerified(tx, idHash)
  })
}
