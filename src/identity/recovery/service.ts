import { randomBytes, randomInt, timingSafeEqual } from 'node:crypto'
import { attemptKey, countAddressAttempt, countAttempt, resetAttempts } from '../../platform/database/attempts.ts'
import { audit } from '../../platform/database/audit.ts'
import { inTransaction, type Tx, violatedConstraint } from '../../platform/database/db.ts'
import { ApiError, ValidationError } from '../../platform/errors.ts'
import type { Ctx, MemberCtx } from '../../platform/http/context.ts'
import { networksOf } from '../../platform/http/network.ts'
import { secretToken, tokenHash } from '../../platform/security/ids.ts'
import { generateCode, plainCode } from '../../platform/typed-code.ts'
import { plainPartnerNumber } from '../../programs/partners/rules.ts'
import { queueEmail } from '../email/service.ts'
import * as members from '../members/service.ts'
import { deletePushDevicesOf } from '../notifications/service.ts'
import { deletePasskeysOf } from '../session/passkeys/service.ts'
import {
  accountKey,
  deleteKnownDevices,
  deviceKey,
  endSessions,
  hashPassword,
  passwordProblems,
  proofKey,
  requireRecentAuth,
} from '../session/service.ts'
import { queueVerification } from '../verification/service.ts'
import type { RecoveryDeps } from './deps.ts'
import { addressChangedEmail, codeEmail, formerAddressEmail, noPasswordEmail, passwordChangedEmail } from './emails.ts'
import {
  codeCharacters,
  codeTtlMs,
  digitsWindowMs,
  generateDigits,
  isUserName,
  maxCodes,
  maxDigitsPerDay,
  maxRequestsForName,
  maxRequestsOfAddress,
  maxTries,
  nameProblem,
  typedDigits,
} from './rules.ts'
import * as store from './store.ts'

export { preparePassword } from './change-password.ts'
export type { AccessDeps, RecoveryDeps } from './deps.ts'
export { deleteRecoveriesOf, endRecoveries, purgeRecoveries } from './store.ts'

type EmailDeps = Pick<RecoveryDeps, 'origin' | 'lockKey'>

const requireDirectEnrollment = (ctx: Ctx) => {
  if (ctx.program.config.enrollmentType !== 'direct') throw new ApiError('notOffered')
}

/**
 * Stores a recovery request. The member is looked up later, so that response and timing do not reveal whether one
 * exists. An address can request a limited number of names, and each name a few times: further requests for a name get
 * the same response but are not stored. Throws `restFirst`, or a field error for an invalid user name.
 */
export async function requestRecovery(
  ctx: Ctx,
  { lockKey }: Pick<RecoveryDeps, 'lockKey'>,
  { userName, browser }: { userName: string; browser: string },
): Promise<void> {
  requireDirectEnrollment(ctx)
  if (!isUserName(userName, ctx.program.config)) {
    throw new ValidationError([{ field: 'userName', message: nameProblem(ctx.program.config) }])
  }
  const { config } = ctx.program
  const name = (config.hasPPN ? plainPartnerNumber(userName, config) : userName.trim()).toLowerCase()
  const from = { secret: lockKey, about: 'recovery', partnerId: ctx.partnerId, address: ctx.address }
  const ofAddress = { maxAttempts: maxRequestsOfAddress, windowMs: codeTtlMs }
  if ((await countAddressAttempt(ctx.db, from, ofAddress)) > maxRequestsOfAddress) throw new ApiError('restFirst')
  const [{ network }] = networksOf(ctx.address)
  const key = attemptKey(lockKey, 'recovery-name', ctx.partnerId, network, name)
  const requestCount = await countAttempt(ctx.db, { key, maxAttempts: maxRequestsForName, windowMs: codeTtlMs })
  if (requestCount <= maxRequestsForName)
    await store.insertRequest(ctx.db, { userName: name, browserHash: tokenHash(browser) })
}

/** Processes a stored request, once, and queues the email. */
export async function processRequestById(ctx: Ctx, deps: EmailDeps, id: number): Promise<void> {
  await inTransaction(ctx.db, async (tx) => {
    const request = await store.takeRequest(tx, id)
    if (request) await processRequest(tx, ctx, deps, request)
  })
}

async function processRequest(
  tx: Tx,
  ctx: Ctx,
  deps: EmailDeps,
  { userName, browserHash }: store.RecoveryRequest,
): Promise<void> {
  const found = await members.findMemberByName(tx, userName, ctx.program.config.hasPPN)
  if (!found) return
  // Locked first, so that concurrent requests cannot both pass the limit.
  const member = await members.lockMember(tx, found.id)
  // The address may have changed meanwhile: no code goes to the former mailbox.
  if (!member || !members.isStanding(member) || member.email !== found.email) return
  if ((await store.codesWithin(tx, member.id, codeTtlMs)) >= maxCodes) return
  const emailInput = { ctx, member, origin: deps.origin(ctx.partnerId) }
  const code = generateCode(randomBytes, codeCharacters)
  const mayType = (await store.codesWithin(tx, member.id, digitsWindowMs)) < maxDigitsPerDay
  const digits = browserHash && mayType ? generateDigits((limit) => randomInt(limit)) : null
  const id = await store.insertRecovery(tx, {
    memberId: member.id,
    email: member.email,
    codeHash: tokenHash(plainCode(code)),
    digits: browserHash && digits !== null ? { browserHash, hash: digitsHash(ctx, deps, browserHash, digits) } : null,
    lengthMs: codeTtlMs,
  })
  // An account created by the partner must be activated first; then its owner sets a password with a code as any member
  // does.
  const mustActivate = member.tier_level === 'NonActivated'
  await queueEmail(tx, ctx, {
    memberId: member.id,
    recipient: member.email,
    topic: 'recovery.code',
    about: String(id),
    content: mustActivate ? noPasswordEmail(emailInput) : codeEmail(emailInput, { code, digits }),
    secretFor: codeTtlMs,
  })
  await audit(tx, ctx, { action: 'recovery.requested', memberId: member.id, actor: 'visitor' })
}

// Keyed and bound to the browser: a million digits could be brute-forced by anyone with read access to the table.
function digitsHash(ctx: Ctx, { lockKey }: Pick<RecoveryDeps, 'lockKey'>, browserHash: Buffer, digits: string): Buffer {
  return attemptKey(lockKey, 'recovery-digits', ctx.partnerId, browserHash.toString('hex'), digits)
}

/** Returns the hash of the typed or linked code; undefined when no code of this browser matches. */
async function findTyped(
  ctx: Ctx,
  deps: Pick<RecoveryDeps, 'lockKey'>,
  { code, browser }: { code: string; browser: string | undefined },
): Promise<Buffer | undefined> {
  const digits = typedDigits(code)
  if (digits === null) return tokenHash(plainCode(code))
  if (browser === undefined) return undefined
  const browserHash = tokenHash(browser)
  const wanted = digitsHash(ctx, deps, browserHash, digits)
  const open = await store.countTry(ctx.db, { browserHash, maxTries })
  return open.find((each) => timingSafeEqual(each.digitsHash, wanted))?.codeHash
}

/**
 * Exchanges an emailed code for a reset token, once, and ends the member's other codes. Digits work only in the
 * requesting browser, the code of the link in any. Throws `codeInvalid`.
 */
export async function confirmRecovery(
  ctx: Ctx,
  deps: Pick<RecoveryDeps, 'lockKey'>,
  typed: { code: string; browser: string | undefined },
): Promise<string> {
  requireDirectEnrollment(ctx)
  const resetToken = secretToken()
  const codeHash = await findTyped(ctx, deps, typed)
  if (!codeHash) throw new ApiError('codeInvalid')
  const resetHash = tokenHash(resetToken)
  await inTransaction(ctx.db, async (tx) => {
    const memberId = await store.findCode(tx, codeHash)
    if (memberId === undefined) throw new ApiError('codeInvalid')
    await members.lockMember(tx, memberId)
    if (!(await store.exchangeCode(tx, { memberId, codeHash, resetHash }))) throw new ApiError('codeInvalid')
  })
  return resetToken
}

/** What a recovery has removed, and what it has left for the member to check. */
export interface Recovered {
  removedPasskeys: number
  linkedCards: number
}

/**
 * Sets the new password, and ends every other way in: sessions, known browsers, passkeys, linked identities, codes,
 * requests for cards of other programs, impersonations and push devices. Clears lockouts, notifies the member, and
 * signs no one in. The code has come from the mailbox, so the address is verified. Throws `recoveryOver`, `busy`, or
 * field errors, after which the token remains valid.
 */
export async function updateRecovery(
  ctx: Ctx,
  deps: RecoveryDeps,
  { resetToken, password, passwordConfirm }: { resetToken: string; password: string; passwordConfirm: string },
): Promise<Recovered> {
  requireDirectEnrollment(ctx)
  const resetHash = tokenHash(resetToken)
  const memberId = await store.findReset(ctx.db, resetHash)
  const member = memberId === undefined ? undefined : await members.findMemberRow(ctx.db, memberId)
  if (!member) throw new ApiError('recoveryOver')
  if (password !== passwordConfirm) {
    throw new ValidationError([{ field: 'passwordConfirm', message: 'validation.passwords_differ' }])
  }
  const problems = passwordProblems(password, members.passwordOwner(member, ctx.program.config))
  if (problems.length > 0) throw new ValidationError(problems.map((message) => ({ field: 'password', message })))
  const passwordHash = await hashPassword(password, ctx.address)
  return inTransaction(ctx.db, async (tx) => {
    const locked = await members.lockMember(tx, member.id)
    if (!locked || !members.isStanding(locked)) throw new ApiError('recoveryOver')
    if (!(await store.useReset(tx, resetHash, locked.email))) throw new ApiError('recoveryOver')
    await members.setCredentials(tx, member.id, passwordHash)
    await members.claimAddress(tx, locked)
    await endSessions(tx, member.id)
    const passkeys = await deletePasskeysOf(tx, member.id)
    const linkedCards = await store.countCards(tx, member.id)
    await members.unlinkIdentities(tx, member.id)
    await deletePushDevicesOf(tx, member.id)
    await deps.endPending(tx, ctx, member.id)
    const devices = await deleteKnownDevices(tx, member.id)
    const locks = [
      accountKey(ctx, deps.lockKey, member.id),
      ...devices.map((device) => deviceKey(ctx, deps.lockKey, { memberId: member.id, device })),
      proofKey(ctx, deps.lockKey, member.id),
    ]
    for (const lock of locks) await resetAttempts(tx, lock)
    await queueEmail(tx, ctx, {
      memberId: member.id,
      recipient: member.email,
      topic: 'recovery.changed',
      about: resetHash.toString('hex').slice(0, 32),
      content: passwordChangedEmail(
        { ctx, member, origin: deps.origin(ctx.partnerId) },
        { preservesSession: false, removedPasskeys: passkeys, linkedCards },
      ),
    })
    await audit(tx, ctx, {
      action: 'recovery.password-set',
      memberId: member.id,
      detail: { passkeys: passkeys.length },
    })
    return { removedPasskeys: passkeys.length, linkedCards }
  })
}

/**
 * Changes the email address of the signed-in member, to one that is to be verified, and notifies both: whoever has the
 * address can set a new password. Throws `notOffered`, `nothingToFix`, `reauthRequired`, or field errors.
 */
export async function fixCredentials(
  ctx: MemberCtx,
  deps: RecoveryDeps,
  { email, emailConfirm }: { email: string; emailConfirm: string },
): Promise<string> {
  requireDirectEnrollment(ctx)
  if (email.toLowerCase() !== emailConfirm.toLowerCase()) {
    throw new ValidationError([{ field: 'emailConfirm', message: 'recovery.emails_differ' }])
  }
  return rejectTaken(() =>
    inTransaction(ctx.db, async (tx) => {
      const member = await members.lockOwnMember(tx, ctx)
      if (!member.must_fix_credentials) throw new ApiError('nothingToFix')
      await requireRecentAuth(ctx, tx)
      return changeAddress(tx, ctx, deps, { member, email })
    }),
  )
}

/** Runs `change`. Throws a field error when another account has the address. */
async function rejectTaken<T>(change: () => Promise<T>): Promise<T> {
  try {
    return await change()
  } catch (error) {
    if (violatedConstraint(error) === 'members_email_once')
      throw new ValidationError([{ field: 'email', message: 'recovery.email_taken' }])
    throw error
  }
}

/**
 * Changes the address of a member whom an operator knows: to one that is to be verified. Both addresses are notified, and
 * the links and codes in earlier emails end. Throws `notOffered`, or a field error.
 */
export async function correctAddress(
  ctx: Ctx,
  deps: RecoveryDeps,
  { also, ...change }: { memberId: number; email: string; also: (tx: Tx) => Promise<void> },
): Promise<void> {
  await inTransaction(ctx.db, async (tx) => {
    await correctAddressIn(tx, ctx, deps, change)
    await also(tx)
  })
}

/** Does the same in a transaction that the caller has begun. Returns the former address. */
export async function correctAddressIn(
  tx: Tx,
  ctx: Ctx,
  deps: RecoveryDeps,
  { memberId, email }: { memberId: number; email: string },
): Promise<string> {
  requireDirectEnrollment(ctx)
  const member = await members.lockOpenMember(tx, memberId)
  await rejectTaken(() => changeAddress(tx, ctx, deps, { member, email }))
  return member.email
}

async function changeAddress(
  tx: Tx,
  ctx: Ctx,
  deps: RecoveryDeps,
  { member, email }: { member: members.MemberRow; email: string },
): Promise<string> {
  if (member.email.toLowerCase() === email.toLowerCase()) {
    throw new ValidationError([{ field: 'email', message: 'recovery.email_same' }])
  }
  const changes = { email, email_verified_at: null, email_identifies: true, must_fix_credentials: false }
  const changed = await members.changeMember(tx, member.id, changes)
  await deps.endEmailed(tx, member.id)
  await queueEmail(tx, ctx, {
    memberId: member.id,
    recipient: email,
    topic: 'recovery.address',
    about: ctx.requestId,
    content: addressChangedEmail({ ctx, member: changed, origin: deps.origin(ctx.partnerId) }),
  })
  // The owner of the account may still read the former mailbox, if another person has changed the address.
  await queueEmail(tx, ctx, {
    memberId: member.id,
    recipient: member.email,
    topic: 'recovery.former-address',
    about: ctx.requestId,
    content: formerAddressEmail({ ctx, member, origin: deps.origin(ctx.partnerId) }),
  })
  await queueVerification(tx, ctx, deps, changed)
  await audit(tx, ctx, { action: 'member.address-fixed', memberId: member.id })
  return changed.email
}
