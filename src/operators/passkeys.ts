import {
  type AuthenticationResponseJSON,
  type AuthenticatorTransport,
  generateAuthenticationOptions,
  generateRegistrationOptions,
  type RegistrationResponseJSON,
  verifyAuthenticationResponse,
  verifyRegistrationResponse,
} from '@simplewebauthn/server'
import { Refusal } from '../kit/refusal.ts'
import { type Db, inTransaction } from '../kit/server/db.ts'
import type { ConsoleSession } from './context.ts'
import { enrollCodeHash } from './enroll-code.ts'
import * as store from './passkey-store.ts'
import { takeEnrollCode } from './store.ts'

export { deletePasskey, hasPasskeys, type OperatorPasskey, passkeysOf } from './passkey-store.ts'

/** The console's origin: its passkeys are worth nothing anywhere else. */
const rpIdOf = (origin: string) => new URL(origin).hostname

/** What the browser needs to make a passkey for an operator; kept as the session's open question. */
export async function beginAdding(db: Db, { operator, idHash }: ConsoleSession, origin: string) {
  const own = await store.passkeysOf(db, operator.id)
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
  await store.keepChallenge(db, idHash, options.challenge)
  return options
}

const descriptor = ({ credentialId, transports }: store.OperatorPasskey) => ({
  id: credentialId,
  transports: transports as AuthenticatorTransport[],
})

export interface NewPasskey {
  origin: string
  name: string
  answer: unknown
  /** The code that an operator without a passkey must bring; null where none is needed. */
  code: string | null
}

/**
 * Adds the passkey that a browser has made, which proves the session too; false for an answer that does not fit, or a
 * code that is wrong, old or used. The password alone adds none where a code is needed.
 */
export async function finishAdding(
  db: Db,
  { operator, idHash }: ConsoleSession,
  { origin, name, answer, code }: NewPasskey,
): Promise<boolean> {
  const challenge = await store.takeChallenge(db, idHash)
  if (!challenge) return false
  const made = await verifyRegistrationResponse({
    response: answer as RegistrationResponseJSON,
    expectedChallenge: challenge,
    expectedOrigin: origin,
    expectedRPID: rpIdOf(origin),
    requireUserVerification: true,
  }).catch(() => null)
  if (!made?.verified) return false
  const { credential } = made.registrationInfo
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
    // Thrown, so that the passkey is not kept.
    if (code !== null && !(await takeEnrollCode(tx, operator.id, enrollCodeHash(code)))) throw new Refusal('enrollCode')
    await store.markProven(tx, idHash)
    return true
  })
  return adding.catch((error) => {
    if (error instanceof Refusal) return false
    throw error
  })
}

/** What the browser needs to show one of an operator's passkeys. */
export async function beginProving(db: Db, { operator, idHash }: ConsoleSession, origin: string) {
  const own = await store.passkeysOf(db, operator.id)
  const options = await generateAuthenticationOptions({
    rpID: rpIdOf(origin),
    allowCredentials: own.map(descriptor),
    userVerification: 'required',
  })
  await store.keepChallenge(db, idHash, options.challenge)
  return options
}

/** Opens the console to a session whose operator has shown a passkey of theirs; false for any other answer. */
export async function finishProving(
  db: Db,
  { operator, idHash }: ConsoleSession,
  { origin, answer }: { origin: string; answer: unknown },
): Promise<boolean> {
  const challenge = await store.takeChallenge(db, idHash)
  if (!challenge) return false
  return inTransaction(db, async (tx) => {
    const passkey = await store.lockPasskey(tx, operator.id, String((answer as { id?: unknown } | null)?.id))
    if (!passkey) return false
    const checked = await verifyAuthenticationResponse({
      response: answer as AuthenticationResponseJSON,
      expectedChallenge: challenge,
      expectedOrigin: origin,
      expectedRPID: rpIdOf(origin),
      requireUserVerification: true,
      credential: { ...descriptor(passkey), publicKey: new Uint8Array(passkey.publicKey), counter: passkey.counter },
    }).catch(() => null)
    if (!checked?.verified) return false
    await store.moveCounter(tx, passkey.id, checked.authenticationInfo.newCounter)
    await store.markProven(tx, idHash)
    return true
  })
}
