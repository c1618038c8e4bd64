import { countAddressAttempt, isAddressLocked, withdrawAddressAttempt } from '../../../platform/database/attempts.ts'
import { audit } from '../../../platform/database/audit.ts'
import { inTransaction } from '../../../platform/database/db.ts'
import { ApiError } from '../../../platform/errors.ts'
import type { Ctx, MemberCtx } from '../../../platform/http/context.ts'
import * as webauthn from '../../../platform/security/webauthn.ts'
import { getSignedInMember, lockMember, lockOwnMember } from '../../members/service.ts'
import { lockoutLength, maxAddressFailures } from '../rules.ts'
import { notifyNewDevice, sendSecurityEmail } from '../security-email.ts'
import { type OpenedSession, requireRecentAuth, signInAs } from '../service.ts'
import { markReauthenticated } from '../store.ts'
import type { Passkey } from './contract.ts'
import * as store from './store.ts'

export { deletePasskeysOf, listPasskeys as listPasskeysOf } from './store.ts'

const maxPasskeys = 10

/** The relying party. Each program has its own host name, so a passkey of one program does not work in another. */
export interface RelyingParty {
  origin: string
}

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
  const options = await webauthn.createRegistrationOptions({
    origin: party.origin,
    rpName: ctx.program.config.programName,
    userId: member.public_id,
    userName: member.email,
    displayName: `${member.first_name} ${member.last_name}`.trim(),
    residentKey: 'required',
    existing: own,
  })
  const sessionId = ctx.actor.sessionId as Buffer
  await store.storeChallenge(ctx.db, { sessionId, purpose: 'add', challenge: options.challenge })
  return { ...options }
}

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
  const credential = await webauthn.verifyRegistration({ origin: party.origin, challenge, response })
  if (!credential) throw new ApiError('passkeyRejected')
  return inTransaction(ctx.db, async (tx) => {
    // Counted under the lock, so that two browsers cannot both add the last one. The session may have ended meanwhile.
    await lockOwnMember(tx, ctx)
    await requireRecentAuth(ctx, tx)
    if ((await store.listPasskeys(tx, memberId)).length >= maxPasskeys) throw new ApiError('tooManyPasskeys')
    if (await store.lockPasskey(tx, credential.credentialId)) throw new ApiError('passkeyRejected')
    const row = await store.insertPasskey(tx, { ...credential, memberId, name })
    await sendSecurityEmail(tx, ctx, { event: 'passkey_added', memberId, origin: party.origin, passkeys: [name] })
    await audit(tx, ctx, { action: 'passkey.added', memberId, detail: { passkey: row.publicId } })
    return toPasskey(row)
  })
}

/** Removes a passkey of the signed-in member. Throws `passkeyNotFound`. */
export async function removePasskey(ctx: MemberCtx, party: RelyingParty, id: string): Promise<void> {
  const memberId = ctx.actor.memberId
  await inTransaction(ctx.db, async (tx) => {
    await lockOwnMember(tx, ctx)
    const name = await store.deletePasskey(tx, memberId, id)
    if (name === undefined) throw new ApiError('passkeyNotFound')
    await sendSecurityEmail(tx, ctx, { event: 'passkey_removed', memberId, origin: party.origin, passkeys: [name] })
    await audit(tx, ctx, { action: 'passkey.removed', memberId, detail: { passkey: id } })
  })
}

/** Returns the options for signing in: any passkey of this program is accepted, without a user name. */
export async function beginPasskeySignIn(ctx: Ctx, party: RelyingParty) {
  requireDirectEnrollment(ctx)
  const options = await webauthn.createAuthenticationOptions(party.origin)
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
  const limit = { maxAttempts: maxAddressFailures, windowMs: lockoutLength }
  // Counted before it is made, so that concurrent attempts cannot exceed the limit.
  if ((await countAddressAttempt(ctx.db, from, limit)) > maxAddressFailures) throw new ApiError('restFirst')
  const signedIn = await checkPasskey(ctx, party, { response, rememberMe, device }).catch(async (error: unknown) => {
    if (!(error instanceof ApiError)) await withdrawAddressAttempt(ctx.db, from, limit)
    throw error
  })
  await withdrawAddressAttempt(ctx.db, from, limit)
  return signedIn
}

async function checkPasskey(
  ctx: Ctx,
  party: RelyingParty,
  { response, rememberMe, device }: Omit<PasskeySignIn, 'lockKey'>,
): Promise<{ memberId: number; session: OpenedSession | null }> {
  const challenge = await store.takeChallenge(ctx.db, ctx.actor.sessionId as Buffer, 'sign-in')
  if (!challenge) throw new ApiError('passkeyRejected')
  return await inTransaction(ctx.db, async (tx) => {
    const credentialId = webauthn.credentialIdOf(response)
    const holder = await store.findHolder(tx, credentialId)
    // The member first, as in every act that ends ways in: the passkey may be removed while this one waits.
    if (holder !== undefined) await lockMember(tx, holder)
    const passkey = await store.lockPasskey(tx, credentialId)
    if (!passkey) throw new ApiError('passkeyRejected')
    const counter = await webauthn.verifyAuthentication({ origin: party.origin, challenge, response }, passkey)
    if (counter === null) throw new ApiError('passkeyRejected')
    await store.markUsed(tx, passkey.id, counter)
    const { memberId } = passkey
    if (ctx.actor.memberId === memberId) {
      await markReauthenticated(tx, ctx.actor.sessionId as Buffer)
      return { memberId, session: null }
    }
    await notifyNewDevice(tx, ctx, { memberId, device, origin: party.origin })
    const session = await signInAs(tx, ctx, { memberId, remembered: rememberMe, beganWith: 'passkey', device })
    return { memberId, session }
  })
}
