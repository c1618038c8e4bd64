import { type Insertable, sql } from 'kysely'
import type { Db, Tx } from '../kit/server/db.ts'
import type { Journals } from '../kit/server/schema.ts'
import type { Reason, RewardUnit } from './rules.ts'

export type Account = 'program' | 'payout'

export interface Entry {
  source: string
  sourceId: string
  /** Counted from 1; the same version of the same source cannot be posted twice. */
  version: number
  kind: 'award' | 'correction' | 'refund' | 'statement-credit' | 'adjustment'
  reason: unknown
  memberId: number
  unit: RewardUnit
  /** What the member gains, in the smallest unit; below zero what the member gives. Not 0. */
  amount: number
  /** The account on the other side. */
  against: Account
}

/** Writes one journal with its two postings, which sum to zero; never changed again. Answers the journal's id. */
export async function postEntry(tx: Tx, entry: Entry): Promise<number> {
  const journal: Insertable<Journals> = {
    source: entry.source,
    source_id: entry.sourceId,
    version: entry.version,
    kind: entry.kind,
    reason: JSON.stringify(entry.reason),
  }
  const { id } = await tx.insertInto('journals').values(journal).returning('id').executeTakeFirstOrThrow()
  await tx
    .insertInto('postings')
    .values([
      { journal_id: id, account: 'member', member_id: entry.memberId, unit: entry.unit, amount: entry.amount },
      { journal_id: id, account: entry.against, member_id: null, unit: entry.unit, amount: -entry.amount },
    ])
    .execute()
  return id
}

export interface Posted {
  amount: number
  versions: number
}

/** What a member has been posted for each of these meals, so far. */
export async function postedFor(tx: Tx, memberId: number, networkIds: readonly string[]): Promise<Map<string, Posted>> {
  const rows = await tx
    .selectFrom('journals')
    .innerJoin('postings', 'postings.journal_id', 'journals.id')
    .select(['journals.source_id as sourceId'])
    .select((select) => [
      sql<number>`sum(${select.ref('postings.amount')})::bigint`.as('amount'),
      sql<number>`max(${select.ref('journals.version')})`.as('versions'),
    ])
    .where('journals.partner_id', '=', sql<string>`current_partner()`)
    .where('journals.source', '=', 'transaction')
    .where('journals.source_id', '=', sql<string>`any(${networkIds})`)
    .where('postings.member_id', '=', memberId)
    .groupBy('journals.source_id')
    .execute()
  return new Map(rows.map((row) => [row.sourceId, { amount: row.amount, versions: row.versions }]))
}

export interface Award {
  networkId: string
  memberId: number
  unit: RewardUnit
  /** What the meal is worth now. */
  due: number
  reason: Reason
}

/**
 * Brings the ledger to what a meal is worth now: the difference to what was posted becomes one new journal, so a
 * repeated or late message posts nothing and a refund reverses. The caller holds the member's lock.
 */
export async function postAward(tx: Tx, award: Award, posted: Posted = { amount: 0, versions: 0 }): Promise<number> {
  const amount = award.due - posted.amount
  if (amount === 0) return 0
  await postEntry(tx, {
    source: 'transaction',
    sourceId: award.networkId,
    version: posted.versions + 1,
    kind: kindOf(award.reason, posted),
    reason: award.reason,
    memberId: award.memberId,
    unit: award.unit,
    amount,
    against: 'program',
  })
  return amount
}

function kindOf(reason: Reason, posted: Posted): Entry['kind'] {
  if (posted.versions === 0) return 'award'
  return reason.code === 'refunded' || reason.code === 'partlyRefunded' ? 'refund' : 'correction'
}

/** What the ledger owes a member in this unit: the sum of all postings. */
export async function balanceOf(db: Db | Tx, memberId: number, unit: RewardUnit): Promise<number> {
  const row = await db
    .selectFrom('postings')
    .select((select) => sql<number>`coalesce(sum(${select.ref('amount')}), 0)::bigint`.as('balance'))
    .where('member_id', '=', memberId)
    .where('unit', '=', unit)
    .executeTakeFirstOrThrow()
  return row.balance
}
