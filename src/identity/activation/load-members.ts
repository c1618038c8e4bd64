import { z } from 'zod'
import { audit } from '../../platform/database/audit.ts'
import { inTransaction, type Tx, violatedConstraint } from '../../platform/database/db.ts'
import { ApiError } from '../../platform/errors.ts'
import { readFlag, readZip } from '../../platform/files/cells.ts'
import { type CellProblem, type Column, explainIssues, quoted } from '../../platform/files/columns.ts'
import type { Row } from '../../platform/files/read-rows.ts'
import { sentEmail, sentLine } from '../../platform/form-schema.ts'
import type { Ctx } from '../../platform/http/context.ts'
import { unstorablePath } from '../../platform/text.ts'
import { maxSentName } from '../members/forms.ts'
import {
  changeMember,
  createMember,
  findMemberByEmail,
  findMergedAccount,
  lockMember,
  type MemberRow,
} from '../members/service.ts'

/** A member enrolled by the partner, as given in a line of its file. */
export const EnrolledMember = z.strictObject({
  email: sentEmail(),
  firstName: sentLine().min(1).max(maxSentName),
  /** Empty for people with one name. */
  lastName: sentLine().max(maxSentName).default(''),
  zipCode: z.string().regex(/^\d{5}$/),
  partnerNumber: sentLine().min(1).max(30).optional(),
  emailOptIn: z.boolean().default(false),
})
export type EnrolledMember = z.output<typeof EnrolledMember>

/** The columns of a file of members. */
export const memberColumns: readonly Column[] = [
  { name: 'email', also: ['emailAddress', 'mail'], required: true, expected: 'is not an email address' },
  { name: 'firstName', also: ['givenName'], required: true },
  { name: 'lastName', also: ['familyName', 'surname'] },
  {
    name: 'zipCode',
    also: ['zip', 'postcode', 'postalCode'],
    required: true,
    // Nothing else in the row says where the member lives, so that a lost zero cannot be put back.
    read: (text) => readZip(text, () => false),
    expected: 'is not a ZIP code; write five digits',
  },
  { name: 'partnerNumber', also: ['memberNumber'], expected: 'is not a member number of this program' },
  { name: 'emailOptIn', also: ['optIn'], read: readFlag, expected: 'is neither true nor false' },
]

interface Problems {
  problems: readonly CellProblem[]
}

const problemOf = (column: string, text: string): Problems => ({ problems: [{ column, text }] })

/** Returns the member of a row of a file, or its problems. */
export function readEnrolledMember(row: Row): EnrolledMember | Problems {
  if (!row.isParsed) return row
  const unstorable = unstorablePath(row.value)
  if (unstorable !== null) return problemOf(unstorable, 'It has a character that cannot be stored.')
  const read = EnrolledMember.safeParse(row.value)
  if (read.success && row.problems.length === 0) return read.data
  return { problems: explainIssues(read.error?.issues ?? [], row, memberColumns) }
}

/**
 * Creates an account that the member activates later by the public id. Loading the same line again updates an account
 * that is not activated yet, and leaves an activated one unchanged. Throws `notOffered` without `hasAutoEnroll`.
 */
export async function loadEnrolledMember(
  ctx: Ctx,
  { email, ...enrolled }: EnrolledMember,
): Promise<{ email: string; publicId: string } | Problems> {
  const { config } = ctx.program
  if (!config.hasAutoEnroll) throw new ApiError('notOffered')
  const { partnerNumber } = enrolled
  if (partnerNumber !== undefined && !new RegExp(config.partnerNumberPattern).test(partnerNumber)) {
    return problemOf('partnerNumber', `${quoted(partnerNumber)} is not a member number of this program.`)
  }
  const columns = {
    first_name: enrolled.firstName,
    last_name: enrolled.lastName,
    zip_code: enrolled.zipCode,
    partner_number: partnerNumber ?? null,
    email_opt_in: enrolled.emailOptIn,
  }
  try {
    const loaded = await inTransaction(ctx.db, async (tx) => {
      const found = await findMemberByEmail(tx, email)
      const known = found && (await lockMember(tx, found.id))
      if (known?.tier_level === 'NonActivated') return changeMember(tx, known.id, columns)
      if (known) return (await isKnownPerson(tx, known)) ? known : null
      // A second account would be opened again for somebody whose accounts were merged.
      const merged = await findMergedAccount(tx, email)
      if (merged) return merged
      const added = await createMember(tx, { email, ...columns, tier_level: 'NonActivated', active: false })
      await audit(tx, ctx, { action: 'member.enrolled', memberId: added.id })
      return added
    })
    if (!loaded) return problemOf('email', 'A member has joined with this address and has not verified it.')
    return { email, publicId: loaded.public_id }
  } catch (error) {
    const taken = violatedConstraint(error)
    if (taken === 'members_partner_number_once')
      return problemOf('partnerNumber', `Another member has the number ${quoted(partnerNumber)}.`)
    if (taken === 'members_email_once')
      return problemOf('email', 'Another line of this file was loaded at the same time.')
    throw error
  }
}

/**
 * Returns whether a member is the person of the partner's file: the address is verified, or it is still the one with which
 * the partner has enrolled the member. Otherwise another person may have typed the address, and would get what the
 * partner loads for its owner.
 */
async function isKnownPerson(tx: Tx, member: MemberRow): Promise<boolean> {
  if (member.email_verified_at) return true
  const last = await tx
    .selectFrom('audit_entries')
    .select('action')
    .where('member_id', '=', member.id)
    .where('action', 'in', ['member.enrolled', 'member.address-fixed'])
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirst()
  return last?.action === 'member.enrolled'
}
