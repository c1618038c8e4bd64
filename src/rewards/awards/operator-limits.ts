import { sql } from 'kysely'
import { acquireAdvisoryLock, type Db, type Tx } from '../../platform/database/db.ts'
import type { OperatorCtx } from '../../platform/http/operator.ts'
import type { ProgramConfig } from '../../programs/partners/contract.ts'

// What operators credit and debit without a second one, with adjustments, for claims, and by attaching a meal to a card, is limited for each member and
// for each operator, or the limit could be passed in parts (docs/decisions/096).

/** The limit of a member where a program does not say: 50 dollars, or 5,000 miles or points. */
const usualLimit = 5_000
/** What one operator may do alone within a day, as a multiple of the limit of one member: claims are daily work. */
const membersOfOperator = 10

/** What is done alone within a day, in the smallest unit. */
interface AloneLimits {
  /** For one member, by all operators. */
  ofMember: number
  /** By one operator, for all members of the program. */
  ofOperator: number
}

/** Returns the limits of a program. */
export function aloneLimits({ adjustmentLimit = usualLimit }: ProgramConfig): AloneLimits {
  return { ofMember: adjustmentLimit, ofOperator: adjustmentLimit * membersOfOperator }
}

/** Returns whether a credit or debit needs a second operator, after what was done alone within the last day. */
export async function needsSecondOperator(
  db: Db | Tx,
  { program, operator }: OperatorCtx,
  { memberId, amount }: { memberId: number; amount: number },
): Promise<boolean> {
  const limits = aloneLimits(program.config)
  const done = await sumAloneOfLastDay(db, memberId, operator)
  const more = Math.abs(amount)
  return done.ofMember + more > limits.ofMember || done.ofOperator + more > limits.ofOperator
}

/**
 * Lets an operator do one thing at a time that counts toward the limit: two requests at once cannot both pass it. The
 * caller holds the member's lock.
 */
export async function lockOperatorLimit(tx: Tx, { partnerId, operator }: OperatorCtx): Promise<void> {
  await acquireAdvisoryLock(tx, `limit of operator ${partnerId} ${operator.id}`)
}

async function sumAloneOfLastDay(
  db: Db | Tx,
  memberId: number,
  { id, name, email }: OperatorCtx['operator'],
): Promise<AloneLimits> {
  const { rows } = await sql<AloneLimits>`
    select coalesce(sum(amount) filter (where member_id in (select id from members where id = ${memberId} or merged_into_id = ${memberId})), 0)::bigint as "ofMember",
      coalesce(sum(amount) filter (where is_own), 0)::bigint as "ofOperator"
    from (
      select p.member_id, abs(p.amount) as amount, e.reason -> 'by' ->> 0 = ${name} as is_own
      from journal_entries e join postings p on p.partner_id = e.partner_id and p.journal_entry_id = e.id
      where e.partner_id = current_partner() and e.source = 'adjustment' and e.posted_at > now() - interval '1 day'
        and jsonb_array_length(e.reason -> 'by') = 1 and p.member_id is not null
      union all
      select member_id, (decision ->> 'benefit')::bigint, decided_by = ${email}
      from claims
      where partner_id = current_partner() and decided_at > now() - interval '1 day'
        and decision ->> 'code' = 'credited' and decision ->> 'approvedBy' is null
      union all
      select member_id, (after ->> 'units')::bigint, operator_id = ${id}
      from console.acts
      where partner_id = current_partner() and action = 'attachTransaction' and status = 200
        and at > now() - interval '1 day' and after ? 'units'
    ) alone`.execute(db)
  return rows[0] as AloneLimits
}
