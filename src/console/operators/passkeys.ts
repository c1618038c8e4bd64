import {
  type AuthenticationResponseJSON,
  type AuthenticatorTransport,
  generateAuthenticationOptions,
  generateRegistrationOptions,
  type RegistrationResponseJSON,
  verifyAuthenticationResponse,
  verifyRegistrationResponse,
} from '@simplewebauthn/server'
import { type Db, inTransaction } from '../../platform/database/db.ts'
import { ApiError } from '../../platform/errors.ts'
import type { ConsoleSession } from './context.ts'
import { enrollCodeHash } from './enroll-code.ts'
import * as store from './passkey-store.ts'
import { takeEnrollCode } from './store.ts'

export { deletePasskey, hasPasskeys, listPasskeys, type OperatorPasskey } from './passkey-store.ts'

/** Passkeys are bound to the console's host name. */
const rpIdOf = (origin: string) => new URL(origin).hostname

/** Returns the browser options for creating an operator's passkey; stores the challenge in the session. */
export async function startPasskeyRegistration(db: Db, { operator, idHash }: ConsoleSession, origin: string) {
  const own = await store.listPasskeys(db, operator.id)
  const options = await generateRegistrationOptions({
    rpName: 'Dineback console',
    rpID: rpIdOf(origin),
    userName: operator.email,
    userDisplayName: operator.name,
    userID: new TextEncoder().encode(`operator:${operator.id}`),
    attestationType: 'none',
    excludeCredentials: own.map(descriptor),
    authenticatorSelection: { residentKey: 'preferred', userVerification: 'required' },
  })
  await store.storeChallenge(db, idHash, options.challenge)
  return options
}

const descriptor = ({ credentialId, transports }: store.OperatorPasskey) => ({
  id: credentialId,
  transports: transports as AuthenticatorTransport[],
})

export interface NewPasskey {
  origin: string
  name: string
  response: unknown
  /** Code required of an operator without a passkey; null when none is required. */
  code: string | null
}

/**
 * Adds the passkey created by the browser and marks the session as verified. Returns false for an invalid response, or
 * a wrong, expired or used code. Where a code is required, the password alone cannot add a passkey.
 */
export async function finishPasskeyRegistration(
  db: Db,
  { operator, idHash }: ConsoleSession,
  { origin, name, response, code }: NewPasskey,
): Promise<boolean> {
  const challenge = await store.takeChallenge(db, idHash)
  if (!challenge) return false
  const registration = await verifyRegistrationResponse({
    response: response as RegistrationResponseJSON,
    expectedChallenge: challenge,
    expectedOrigin: origin,
    expectedRPID: rpIdOf(origin),
    requireUserVerification: true,
  }).catch(() => null)
  if (!registration?.verified) return false
  const { credential } = registration.registrationInfo
  const adding = inTransaction(db, async (tx) => {
    const added = await store.insertPasskey(tx, {
      operatorId: operator.id,
      credentialId: credential.id,
      publicKey: Buffer.from(credential.publicKey),
      counter: credential.counter,
      transports: credential.transports ?? [],
      name,
    })
    if (!added) return false
    // Thrown, so that the passkey is rolled back.
    if (code !== null && !(await takeEnrollCode(tx, operator.id, enrollCodeHash(code))))
      throw new ApiError('enrollCode')
    await store.markPasskeyVerified(tx, idHash)
    return true
  })
  return adding.catch((error) => {
    if (error instanceof ApiError) return false
    throw error
  })
}

/** Returns the browser options for verifying one of the operator's passkeys. */
export async function startPasskeyCheck(db: Db, { operator, idHash }: ConsoleSession, origin: string) {
  const own = await store.listPasskeys(db, operator.id)
  const options = await generateAuthenticationOptions({
    rpID: rpIdOf(origin),
    allowCredentials: own.map(descriptor),
    userVerification: 'required',
  })
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
    const passkey = await store.lockPasskey(tx, operator.id, String((response as { id?: unknown } | null)?.id))
    if (!passkey) return false
    const checked = await verifyAuthenticationResponse({
      response: response as AuthenticationResponseJSON,
      expectedChallenge: challenge,
      expectedOrigin: origin,
      expectedRPID: rpIdOf(origin),
      requireUserVerification: true,
      credential: { ...descriptor(passkey), publicKey: new Uint8Array(passkey.publicKey), counter: passkey.counter },
    }).catch(() => null)
    if (!checked?.verified) return false
    await store.updateCounter(tx, passkey.id, checked.authenticationInfo.newCounter)
    await store.markPasskeyVerified(tx, idHash)
    return true
  })
}
