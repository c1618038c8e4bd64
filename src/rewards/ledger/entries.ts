import { sql } from 'kysely'
import type { Db, Tx } from '../../platform/database/db.ts'
import { rowSource } from '../../platform/database/rows.ts'
import type { RewardUnit } from '../earning/terms.ts'

/** The account of a posting: positive is what the holder has or is owed, negative what it gives or owes. */
export type Account = 'member' | 'program' | 'payout' | 'restaurant' | 'partner' | 'house'

export interface Leg {
  account: Account
  /** Of the account `member`. */
  memberId?: number
  /** Of the account `restaurant`. */
  merchantId?: number
  unit: RewardUnit
  /** In the smallest unit; not 0. */
  amount: number
}

export interface Entry {
  source: 'transaction' | 'statement-credit' | 'adjustment'
  sourceId: string
  /** Counted from 1; the same version of the same source can be posted only once. */
  version: number
  kind: 'award' | 'correction' | 'refund' | 'statement-credit' | 'returned-credit' | 'adjustment'
  reason: unknown
  /** The postings sum to zero in every unit. */
  legs: readonly Leg[]
}

/** Returns the two postings of a member's gain in rewards (or loss, if negative). */
export function rewardLegs(
  { memberId, unit, amount }: { memberId: number; unit: RewardUnit; amount: number },
  against: 'program' | 'payout' = 'program',
): Leg[] {
  if (amount === 0) return []
  return [
    { account: 'member', memberId, unit, amount },
    { account: against, unit, amount: -amount },
  ]
}

/** Inserts immutable journal entries with their postings, which sum to zero. Returns the journal ids, in order. */
export async function postEntries(tx: Tx, entries: readonly Entry[]): Promise<number[]> {
  if (entries.length === 0) return []
  const journals = entries.map((entry) => ({ ...keyOf(entry), kind: entry.kind, reason: entry.reason }))
  const postings = entries.flatMap((entry) => entry.legs.map((leg) => ({ ...keyOf(entry), ...sidesOf(leg) })))
  const { rows } = await sql<{ id: number } & ReturnType<typeof keyOf>>`
    with written as (
      insert into journals (source, source_id, version, kind, reason)
      select source, source_id, version, kind, reason from ${rowSource(journals, journalColumns)}
      returning id, source, source_id, version
    ), sides as (
      insert into postings (journal_id, account, member_id, merchant_id, unit, amount)
      select written.id, account, member_id, merchant_id, unit, amount
      from ${rowSource(postings, postingColumns)} join written using (source, source_id, version)
    )
    select id, source, source_id, version from written`.execute(tx)
  const ids = new Map(rows.map((row) => [textOf(row), row.id]))
  return entries.map((entry) => ids.get(textOf(keyOf(entry))) as number)
}

const keyOf = ({ source, sourceId, version }: Entry) => ({ source, source_id: sourceId, version })
const textOf = ({ source, source_id, version }: ReturnType<typeof keyOf>) => `${source} ${version} ${source_id}`

const keyColumns = { source: 'text', source_id: 'text', version: 'int' }
const journalColumns = { ...keyColumns, kind: 'text', reason: 'jsonb' }
const postingColumns = {
  ...keyColumns,
  account: 'text',
  member_id: 'bigint',
  merchant_id: 'bigint',
  unit: 'text',
  amount: 'bigint',
}

function sidesOf({ account, memberId, merchantId, unit, amount }: Leg) {
  return { account, member_id: memberId, merchant_id: merchantId, unit, amount }
}

/** What has been posted so far for one source: its last version, and the balance of each account. */
export interface Posted {
  versions: number
  legs: readonly Leg[]
}

const unposted: Posted = { versions: 0, legs: [] }

async function postedFor(tx: Tx, sourceIds: readonly string[]): Promise<Map<string, Posted>> {
  if (sourceIds.length === 0) return new Map()
  const { rows } = await sql<{
    sourceId: string
    versions: number
    account: Account
    memberId: number | null
    merchantId: number | null
    unit: RewardUnit
    amount: number
  }>`
    select j.source_id as "sourceId", max(j.version) as versions, p.account, p.member_id as "memberId",
      p.merchant_id as "merchantId", p.unit, sum(p.amount)::bigint as amount
    from journals j join postings p on p.journal_id = j.id
    where j.partner_id = current_partner() and j.source = 'transaction' and j.source_id = any(${sourceIds})
    group by j.source_id, p.account, p.member_id, p.merchant_id, p.unit`.execute(tx)
  return new Map(
    [...Map.groupBy(rows, (row) => row.sourceId)].map(([sourceId, legs]) => [
      sourceId,
      {
        versions: Math.max(...legs.map(({ versions }) => versions)),
        legs: legs.map(({ account, memberId, merchantId, unit, amount }) => ({
          account,
          ...(memberId !== null && { memberId }),
          ...(merchantId !== null && { merchantId }),
          unit,
          amount,
        })),
      },
    ]),
  )
}

/** The postings that a transaction should have in the ledger now, and why. */
export interface Due {
  sourceId: string
  legs: readonly Leg[]
  reason: { code: string }
  /** Whether nothing can have been posted for it before; saves a query of the ledger. */
  isNew: boolean
}

/**
 * Posts the differences between what is due and what was posted as new journal entries, so a repeated or late message
 * posts nothing and a refund reverses. The caller holds the locks of the members. Returns the sources with a new
 * journal entry.
 */
export async function bringTo(tx: Tx, dues: readonly Due[]): Promise<Set<string>> {
  const before = await postedFor(
    tx,
    dues.filter(({ isNew }) => !isNew).map(({ sourceId }) => sourceId),
  )
  const entries = dues.flatMap((due) => entryOf(due, before.get(due.sourceId) ?? unposted) ?? [])
  await postEntries(tx, entries)
  return new Set(entries.map(({ sourceId }) => sourceId))
}

function entryOf({ sourceId, legs, reason }: Due, posted: Posted): Entry | null {
  const missing = differences(legs, posted.legs)
  if (missing.length === 0) return null
  const kind = kindOf(reason.code, posted)
  return { source: 'transaction', sourceId, version: posted.versions + 1, kind, reason, legs: missing }
}

function kindOf(code: string, { versions }: Posted): Entry['kind'] {
  if (versions === 0) return 'award'
  return code === 'refunded' || code === 'partlyRefunded' ? 'refund' : 'correction'
}

function differences(due: readonly Leg[], posted: readonly Leg[]): Leg[] {
  const sides = new Map<string, Leg>()
  const add = (leg: Leg, amount: number) => {
    const key = `${leg.account} ${leg.unit} ${leg.memberId ?? ''} ${leg.merchantId ?? ''}`
    sides.set(key, { ...leg, amount: (sides.get(key)?.amount ?? 0) + amount })
  }
  for (const leg of due) add(leg, leg.amount)
  for (const leg of posted) add(leg, -leg.amount)
  return [...sides.values()].filter(({ amount }) => amount !== 0)
}

/** Returns a member's balance in this unit: the sum of all postings. */
export async function balanceOf(db: Db | Tx, memberId: number, unit: RewardUnit): Promise<number> {
  return (await balancesOf(db, [memberId], unit)).get(memberId) ?? 0
}

/** Returns the balances of members; members without postings are left out. */
export async function balancesOf(
  db: Db | Tx,
  memberIds: readonly number[],
  unit: RewardUnit,
): Promise<Map<number, number>> {
  const { rows } = await sql<{ memberId: number; balance: number }>`
    select member_id as "memberId", sum(amount)::bigint as balance from postings
    where member_id = any(${memberIds}) and unit = ${unit} group by member_id`.execute(db)
  return new Map(rows.map(({ memberId, balance }) => [memberId, balance]))
}
