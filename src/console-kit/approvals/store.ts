import { sql } from 'kysely'
import type { Db, Tx } from '../../platform/database/db.ts'
import { listPage, type Order, type PageRequest } from '../../platform/database/keyset.ts'
import { contains } from '../../platform/database/text-match.ts'

export interface ApprovalRow {
  rowId: number
  id: string
  kind: string
  payload: unknown
  summary: string
  reason: string
  memberRowId: number | null
  memberId: string | null
  memberName: string | null
  askedById: number
  askedBy: string
  askedAt: Date
  state: 'open' | 'approved' | 'refused'
  decidedBy: string | null
  decidedAt: Date | null
  decisionReason: string
}

// The schema has no row-level security: every query names the program.
const columns = sql`a.id as "rowId", a.public_id as id, a.kind, a.payload, a.summary, a.reason, a.member_id as "memberRowId",
  m.public_id as "memberId", trim(m.first_name || ' ' || m.last_name) as "memberName", a.asked_by as "askedById",
  (select o.name from console.operators o where o.id = a.asked_by) as "askedBy", a.asked_at as "askedAt", a.state,
  (select o.name from console.operators o where o.id = a.decided_by) as "decidedBy", a.decided_at as "decidedAt",
  a.decision_reason as "decisionReason"`
const joined = sql`console.approvals a left join members m on m.id = a.member_id and m.deleted_at is null`

interface ApprovalFilter extends PageRequest {
  state: 'open' | 'decided'
  asker: 'anybody' | 'others' | 'me'
  operatorId: number
  text?: string | undefined
}

export async function listApprovals(db: Db, { state, asker, operatorId, text = '', cursor, limit }: ApprovalFilter) {
  const order: Order = {
    by: sql`a.asked_at`,
    type: 'timestamptz',
    id: sql`a.id`,
    direction: state === 'open' ? 'asc' : 'desc',
  }
  const where = sql`a.partner_id = current_partner()
    and a.state = any(${state === 'open' ? ['open'] : ['approved', 'refused']}::text[])
    ${asker === 'anybody' ? sql`` : asker === 'me' ? sql`and a.asked_by = ${operatorId}` : sql`and a.asked_by <> ${operatorId}`}
    ${text.trim() === '' ? sql`` : sql`and ${contains(sql`concat_ws(' ', a.summary, a.reason, m.first_name, m.last_name)`, text)}`}`
  return listPage<ApprovalRow>(db, { columns, from: joined, where, order }, { cursor, limit })
}

export async function findApproval(
  db: Db | Tx,
  publicId: string,
  { isLocked = false } = {},
): Promise<ApprovalRow | undefined> {
  const { rows } = await sql<ApprovalRow>`
    select ${columns} from ${joined} where a.partner_id = current_partner() and a.public_id = ${publicId}
    ${isLocked ? sql`for update of a` : sql``}`.execute(db)
  return rows[0]
}

export interface NewApproval {
  publicId: string
  kind: string
  payload: unknown
  /** What it is about, where only one request of the kind may wait. */
  subject?: string
  summary: string
  reason: string
  memberId: number | null
  askedBy: number
}

/** Stores a request; returns false when one for its subject waits already. */
export async function insertApproval(tx: Tx, approval: NewApproval): Promise<boolean> {
  const { subject = null } = approval
  const { numAffectedRows } = await sql`
    insert into console.approvals (partner_id, public_id, kind, payload, subject, summary, reason, member_id, asked_by)
    values (current_partner(), ${approval.publicId}, ${approval.kind}, ${JSON.stringify(approval.payload)}::jsonb, ${subject},
      ${approval.summary}, ${approval.reason}, ${approval.memberId}, ${approval.askedBy})
    on conflict (partner_id, kind, subject) where state = 'open' and subject is not null do nothing`.execute(tx)
  return numAffectedRows === 1n
}

/** Returns the request of a kind that waits for a subject. */
export async function findOpenRequest(
  db: Db | Tx,
  { kind, subject }: { kind: string; subject: string },
): Promise<Pick<ApprovalRow, 'id' | 'summary'> | undefined> {
  const { rows } = await sql<Pick<ApprovalRow, 'id' | 'summary'>>`
    select public_id as id, summary from console.approvals
    where partner_id = current_partner() and kind = ${kind} and subject = ${subject} and state = 'open'`.execute(db)
  return rows[0]
}

/** Acts with which an operator gives another one access, or knows what the other one signs in with. */
const givingAccess = ['inviteOperator', 'setOperatorGrants', 'setOperatorDisabled', 'renewEnrollCode', 'renewPassword']

/** Returns whether an operator has given another one access within some days. */
export async function hasGivenAccess(
  tx: Tx,
  { giver, taker, withinDays }: { giver: number; taker: number; withinDays: number },
): Promise<boolean> {
  const { rows } = await sql`
    select from console.acts where object_type = 'operator' and object_id = ${String(taker)} and operator_id = ${giver}
      and status < 300 and action = any(${givingAccess}::text[]) and at > now() - make_interval(days => ${withinDays})
    limit 1`.execute(tx)
  return rows.length > 0
}

/** Returns whether a request about a member waits: any, or one of a kind. */
export async function hasOpenRequestAbout(tx: Tx, memberId: number, kind?: string): Promise<boolean> {
  const { rows } = await sql`
    select from console.approvals where partner_id = current_partner() and state = 'open' and member_id = ${memberId}
      ${kind === undefined ? sql`` : sql`and kind = ${kind}`} limit 1`.execute(tx)
  return rows.length > 0
}

export async function storeDecision(
  tx: Tx,
  rowId: number,
  { state, by, reason }: { state: 'approved' | 'refused'; by: number; reason: string },
): Promise<void> {
  await sql`update console.approvals set state = ${state}, decided_by = ${by}, decided_at = now(), decision_reason = ${reason}
    where id = ${rowId} and partner_id = current_partner()`.execute(tx)
}
