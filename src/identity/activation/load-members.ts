import { z } from 'zod'
import { audit } from '../../platform/database/audit.ts'
import { inTransaction, violatedConstraint } from '../../platform/database/db.ts'
import { ApiError } from '../../platform/errors.ts'
import type { Ctx } from '../../platform/http/context.ts'
import { unstorablePath } from '../../platform/text.ts'
import { changeMember, createMember, findMemberByEmail, lockMember } from '../members/service.ts'

/** A member enrolled by the partner, as given in a line of its file. */
export const EnrolledMember = z.strictObject({
  email: z.email().max(50),
  firstName: z.string().trim().min(1).max(20),
  lastName: z.string().trim().min(1).max(20),
  zipCode: z.string().regex(/^\d{5}$/),
  partnerNumber: z.string().trim().min(1).max(30).optional(),
  emailOptIn: z.boolean().default(false),
})
export type EnrolledMember = z.output<typeof EnrolledMember>

type Problem = { problem: string }

/** Parses a line of a file. Returns its problems, by field name, when it is invalid. */
export function readEnrolledMember(value: unknown): EnrolledMember | Problem {
  let record = value
  if (typeof value === 'string') {
    try {
      record = JSON.parse(value)
    } catch {
      return { problem: 'is not JSON' }
    }
  }
  const unstorable = unstorablePath(record)
  if (unstorable !== null) return { problem: `${unstorable}: has a character that cannot be stored` }
  const read = EnrolledMember.safeParse(record)
  if (read.success) return read.data
  return { problem: read.error.issues.map(({ path, message }) => `${path.join('.') || 'line'}: ${message}`).join('; ') }
}

/**
 * Creates an account that the member activates later by the public id. Loading the same line again updates an account
 * that is not activated yet, and leaves an activated one unchanged. Throws `notOffered` without `hasAutoEnroll`.
 */
export async function loadEnrolledMember(
  ctx: Ctx,
  { email, ...enrolled }: EnrolledMember,
): Promise<{ email: string; publicId: string } | Problem> {
  const { config } = ctx.program
  if (!config.hasAutoEnroll) throw new ApiError('notOffered')
  const { partnerNumber } = enrolled
  if (partnerNumber !== undefined && !new RegExp(config.partnerNumberPattern).test(partnerNumber)) {
    return { problem: 'partnerNumber: does not have the form of this program' }
  }
  const columns = {
    first_name: enrolled.firstName,
    last_name: enrolled.lastName,
    zip_code: enrolled.zipCode,
    partner_number: partnerNumber ?? null,
    email_opt_in: enrolled.emailOptIn,
  }
  try {
    const { public_id: publicId } = await inTransaction(ctx.db, async (tx) => {
      const found = await findMemberByEmail(tx, email)
      const known = found && (await lockMember(tx, found.id))
      if (known) return known.tier_level === 'NonActivated' ? changeMember(tx, known.id, columns) : known
      const added = await createMember(tx, { email, ...columns, tier_level: 'NonActivated', active: false })
      await audit(tx, ctx, { action: 'member.enrolled', memberId: added.id })
      return added
    })
    return { email, publicId }
  } catch (error) {
    const taken = violatedConstraint(error)
    if (taken === 'members_partner_number_once') return { problem: 'partnerNumber: another member has it' }
    if (taken === 'members_email_once')
      return { problem: 'email: another line of this file was loaded at the same time' }
    throw error
  }
}
