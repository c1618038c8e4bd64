import { randomBytes } from 'node:crypto'
import { attemptKey } from '../../platform/database/attempts.ts'
import { audit } from '../../platform/database/audit.ts'
import { inTransaction, type Tx } from '../../platform/database/db.ts'
import { ApiError } from '../../platform/errors.ts'
import type { Ctx, MemberCtx } from '../../platform/http/context.ts'
import { generateCode, plainCode } from '../../platform/typed-code.ts'
import { queueEmail } from '../email/service.ts'
import * as members from '../members/service.ts'
import type { EmailVerification } from './contract.ts'
import { verificationEmail } from './emails.ts'
import { codeCharacters, codesWindowMs, codeTtlMs, maxCodes, maxTries } from './rules.ts'
import * as store from './store.ts'

export {
  deleteCodesOf as deleteVerificationsOf,
  endCodes as endVerifications,
  purgeCodes as purgeVerifications,
} from './store.ts'

export interface VerificationDeps {
  /** The origin of a program's pages, for links in emails. */
  origin: (partnerId: string) => string
  /** Key of the hash of a code, which is short enough to be guessed by anyone who reads the table. */
  lockKey: Buffer
}

// The partner's provider verifies the addresses of its customers.
function requireDirectEnrollment(ctx: Ctx): void {
  if (ctx.program.config.enrollmentType !== 'direct') throw new ApiError('notOffered')
}

const toVerification = ({ email, email_verified_at: at }: members.MemberRow): EmailVerification => ({
  email,
  verifiedAt: at?.toISOString() ?? null,
})

/** Returns the address of the signed-in member, and since when it is verified. */
export async function readVerification(ctx: MemberCtx): Promise<EmailVerification> {
  return toVerification(await members.getSignedInMember(ctx))
}

/**
 * Emails a code to the member's address, in the transaction that gave the member this address. Returns false, and sends
 * nothing, when the member was sent too many. The caller has locked or created the member.
 */
export async function queueVerification(
  tx: Tx,
  ctx: Ctx,
  { origin, lockKey }: VerificationDeps,
  member: members.MemberRow,
): Promise<boolean> {
  if ((await store.codesWithin(tx, member.id, codesWindowMs)) >= maxCodes) return false
  const code = generateCode(randomBytes, codeCharacters)
  const codeHash = hashCode(ctx, lockKey, member.id, code)
  const id = await store.insertCode(tx, { memberId: member.id, email: member.email, codeHash, lengthMs: codeTtlMs })
  await queueEmail(tx, ctx, {
    memberId: member.id,
    recipient: member.email,
    topic: 'verification.code',
    about: String(id),
    content: verificationEmail(ctx, { firstName: member.first_name, code, origin: origin(ctx.partnerId) }),
    secretFor: codeTtlMs,
  })
  return true
}

/** Emails a new code. Throws `notOffered`, `alreadyVerified`, `tooManyVerifications`. */
export async function sendVerification(ctx: MemberCtx, deps: VerificationDeps): Promise<void> {
  requireDirectEnrollment(ctx)
  await inTransaction(ctx.db, async (tx) => {
    const member = await members.lockOwnMember(tx, ctx)
    if (member.email_verified_at) throw new ApiError('alreadyVerified')
    if (!(await queueVerification(tx, ctx, deps, member))) throw new ApiError('tooManyVerifications')
  })
}

/**
 * Verifies the address of the signed-in member by a code that was sent to it. Only in the member's own session, so that
 * nobody verifies an account that another person has opened with their address. Throws `verificationCodeInvalid`,
 * `addressOfAnother`, `notOffered`.
 */
export async function verifyEmail(
  ctx: MemberCtx,
  { lockKey }: Pick<VerificationDeps, 'lockKey'>,
  code: string,
): Promise<EmailVerification> {
  requireDirectEnrollment(ctx)
  const memberId = ctx.actor.memberId
  const verified = await inTransaction(ctx.db, async (tx) => {
    const member = await members.lockOwnMember(tx, ctx)
    if (member.email_verified_at) return member
    const codeHash = hashCode(ctx, lockKey, memberId, code)
    if (!(await store.takeCode(tx, { memberId, email: member.email, codeHash, maxTries }))) {
      // Not thrown here, so that the count is stored.
      await store.countTry(tx, memberId)
      return null
    }
    if (!(await members.claimAddress(tx, member))) throw new ApiError('addressOfAnother')
    await store.endCodes(tx, memberId)
    await audit(tx, ctx, { action: 'member.email-verified', memberId })
    return members.findMemberRow(tx, memberId)
  })
  if (!verified) throw new ApiError('verificationCodeInvalid')
  return toVerification(verified)
}

const hashCode = ({ partnerId }: Ctx, lockKey: Buffer, memberId: number, code: string): Buffer =>
  attemptKey(lockKey, 'email-verification', partnerId, String(memberId), plainCode(code))
