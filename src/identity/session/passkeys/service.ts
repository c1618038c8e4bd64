import {
  type AuthenticationResponseJSON,
  type AuthenticatorTransport,
  generateAuthenticationOptions,
  generateRegistrationOptions,
  type RegistrationResponseJSON,
  verifyAuthenticationResponse,
  verifyRegistrationResponse,
} from '@simplewebauthn/server'
import { countAddressAttempt, isAddressLocked } from '../../../platform/database/attempts.ts'
import { audit } from '../../../platform/database/audit.ts'
import { inTransaction } from '../../../platform/database/db.ts'
import { ApiError } from '../../../platform/errors.ts'
import type { Ctx, MemberCtx } from '../../../platform/http/context.ts'
import { getSignedInMember, lockOpenMember } from '../../members/service.ts'
import { lockoutLength, maxAddressFailures } from '../rules.ts'
import { type OpenedSession, requireRecentAuth, signInAs } from '../service.ts'
import { markReauthenticated } from '../store.ts'
import type { Passkey } from './contract.ts'
import * as store from './store.ts'

export { deletePasskeysOf } from './store.ts'

const maxPasskeys = 10

/** The relying party. Each program has its own host name, so a passkey of one program does not work in another. */
export interface RelyingParty {
  origin: string
}

const rpIdOf = ({ origin }: RelyingParty) => new URL(origin).hostname

function requireDirectEnrollment(ctx: Ctx): void {
  if (ctx.program.config.enrollmentType !== 'direct') throw new ApiError('notOffered')
}

export async function listPasskeys(ctx: MemberCtx): Promise<Passkey[]> {
  return (await store.listPasskeys(ctx.db, ctx.actor.memberId)).map(toPasskey)
}

const toPasskey = (row: store.PasskeyRow): Passkey => ({
  id: row.publicId,
  name: row.name,
  createdAt: row.createdAt.toISOString(),
  usedAt: row.usedAt?.toISOString() ?? null,
})

/** Returns the options for creating a passkey. Throws `notOffered`, `reauthRequired`, `tooManyPasskeys`. */
export async function beginPasskey(ctx: MemberCtx, party: RelyingParty) {
  requireDirectEnrollment(ctx)
  await requireRecentAuth(ctx)
  const member = await getSignedInMember(ctx)
  const own = await store.listPasskeys(ctx.db, member.id)
  if (own.length >= maxPasskeys) throw new ApiError('tooManyPasskeys')
  const options = await generateRegistrationOptions({
    rpName: ctx.program.config.programName,
    rpID: rpIdOf(party),
    userName: member.email,
    userDisplayName: `${member.first_name} ${member.last_name}`,
    userID: new TextEncoder().encode(member.public_id),
    attestationType: 'none',
    excludeCredentials: own.map(descriptor),
    authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
  })
  const sessionId = ctx.actor.sessionId as Buffer
  await store.storeChallenge(ctx.db, { sessionId, purpose: 'add', challenge: options.challenge })
  return { ...options }
}

const descriptor = ({ credentialId, transports }: store.PasskeyRow) => ({
  id: credentialId,
  transports: transports as AuthenticatorTransport[],
})

/** Adds the passkey that a browser has created. Throws the error codes of `beginPasskey`, and `passkeyRejected`. */
export async function addPasskey(
  ctx: MemberCtx,
  party: RelyingParty,
  { name, response }: { name: string; response: unknown },
): Promise<Passkey> {
  requireDirectEnrollment(ctx)
  await requireRecentAuth(ctx)
  const memberId = ctx.actor.memberId
  const challenge = await store.takeChallenge(ctx.db, ctx.actor.sessionId as Buffer, 'add')
  if (!challenge) throw new ApiError('passkeyRejected')
  const made = await rejectErrors(() =>
    verifyRegistrationResponse({
      response: response as RegistrationResponseJSON,
      expectedChallenge: challenge,
      expectedOrigin: party.origin,
      expectedRPID: rpIdOf(party),
      requireUserVerification: true,
    }),
  )
  if (!made.verified) throw new ApiError('passkeyRejected')
  const { credential } = made.registrationInfo
  return inTransaction(ctx.db, async (tx) => {
    // Counted under the lock, so that two browsers cannot both add the last one.
    await lockOpenMember(tx, memberId)
    if ((await store.listPasskeys(tx, memberId)).length >= maxPasskeys) throw new ApiError('tooManyPasskeys')
    if (await store.lockPasskey(tx, credential.id)) throw new ApiError('passkeyRejected')
    const row = await store.insertPasskey(tx, {
      memberId,
      credentialId: credential.id,
      publicKey: Buffer.from(credential.publicKey),
      counter: credential.counter,
      transports: credential.transports ?? [],
      name,
    })
    await audit(tx, ctx, { action: 'passkey.added', memberId, detail: { passkey: row.publicId } })
    return toPasskey(row)
  })
}

/** Removes a passkey of the signed-in member. Throws `passkeyNotFound`. */
export async function removePasskey(ctx: MemberCtx, id: string): Promise<void> {
  const memberId = ctx.actor.memberId
  await inTransaction(ctx.db, async (tx) => {
    if (!(await store.deletePasskey(tx, memberId, id))) throw new ApiError('passkeyNotFound')
    await audit(tx, ctx, { action: 'passkey.removed', memberId, detail: { passkey: id } })
  })
}

/** Returns the options for signing in: any passkey of this program is accepted, without a user name. */
export async function beginPasskeySignIn(ctx: Ctx, party: RelyingParty) {
  requireDirectEnrollment(ctx)
  const options = await generateAuthenticationOptions({ rpID: rpIdOf(party), userVerification: 'required' })
  const sessionId = ctx.actor.sessionId as Buffer
  await store.storeChallenge(ctx.db, { sessionId, purpose: 'sign-in', challenge: options.challenge })
  return { ...options }
}

export interface PasskeySignIn {
  response: unknown
  rememberMe: boolean
  lockKey: Buffer
  device: string
}

/**
 * Signs in the member whose passkey solved the challenge of this session. A member who is already signed in stays
 * in the same session, which then counts as re-authenticated; `session` is null. Throws `passkeyRejected`, `restFirst`,
 * `notOffered`.
 */
export async function signInWithPasskey(
  ctx: Ctx,
  party: RelyingParty,
  { response, rememberMe, lockKey, device }: PasskeySignIn,
): Promise<{ memberId: number; session: OpenedSession | null }> {
  requireDirectEnrollment(ctx)
  const from = { secret: lockKey, about: 'address', partnerId: ctx.partnerId, address: ctx.address }
  if (await isAddressLocked(ctx.db, from)) throw new ApiError('restFirst')
  try {
    const challenge = await store.takeChallenge(ctx.db, ctx.actor.sessionId as Buffer, 'sign-in')
    if (!challenge) throw new ApiError('passkeyRejected')
    return await inTransaction(ctx.db, async (tx) => {
      const passkey = await store.lockPasskey(tx, (response as { id: string }).id)
      if (!passkey) throw new ApiError('passkeyRejected')
      const counter = await verifyCounter(party, response as AuthenticationResponseJSON, challenge, passkey)
      await store.markUsed(tx, passkey.id, counter)
      const { memberId } = passkey
      if (ctx.actor.memberId === memberId) {
        await markReauthenticated(tx, ctx.actor.sessionId as Buffer)
        return { memberId, session: null }
      }
      const session = await signInAs(tx, ctx, { memberId, remembered: rememberMe, beganWith: 'passkey', device })
      return { memberId, session }
    })
  } catch (error) {
    if (error instanceof ApiError)
      await countAddressAttempt(ctx.db, from, { maxAttempts: maxAddressFailures, windowMs: lockoutLength })
    throw error
  }
}

// The library compares the counters too: a decreasing counter indicates a cloned passkey.
async function verifyCounter(
  party: RelyingParty,
  response: AuthenticationResponseJSON,
  challenge: string,
  passkey: store.PasskeyRow,
): Promise<number> {
  const checked = await rejectErrors(() =>
    verifyAuthenticationResponse({
      response: response,
      expectedChallenge: challenge,
      expectedOrigin: party.origin,
      expectedRPID: rpIdOf(party),
      requireUserVerification: true,
      credential: { ...descriptor(passkey), publicKey: new Uint8Array(passkey.publicKey), counter: passkey.counter },
    }),
  )
  if (!checked.verified) throw new ApiError('passkeyRejected')
  return checked.authenticationInfo.newCounter
}

// Converts every error of the library to one error code, which does not reveal the cause.
async function rejectErrors<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch {
    throw new ApiError('passkeyRejected')
  }
}
