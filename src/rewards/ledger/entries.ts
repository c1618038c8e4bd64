import { sql } from 'kysely'
import type { Merge } from '../../identity/members/service.ts'
import type { Db, Tx } from '../../platform/database/db.ts'
import { rowSource } from '../../platform/database/rows.ts'
import type { RewardUnit } from '../earning/terms.ts'

/**
 * The account of a posting: positive is what the holder has or is owed, negative what it gives or owes. `debt` is what
 * members owe that no account carries, `bank` what restaurants have paid (negative: it is there).
 */
export type Account = 'member' | 'program' | 'payout' | 'restaurant' | 'partner' | 'platform' | 'debt' | 'bank'

export interface Posting {
  account: Account
  /** Of the account `member`. */
  memberId?: number
  /** The restaurant, in every posting of a rewarded transaction; none in those of bonuses and manual entries. */
  merchantId?: number
  unit: RewardUnit
  /** In the smallest unit; not 0. */
  amount: number
}

export interface Entry {
  source: 'transaction' | 'statement-credit' | 'adjustment' | 'debt' | 'payment' | 'merge'
  sourceId: string
  /** Counted from 1; the same version of the same source can be posted only once. */
  version: number
  kind:
    | 'award'
    | 'correction'
    | 'refund'
    | 'statement-credit'
    | 'returned-credit'
    | 'adjustment'
    | 'debt'
    | 'written-off-debt'
    | 'payment'
    | 'undone-payment'
    | 'merge'
  reason: unknown
  /** The postings sum to zero in every unit. */
  postings: readonly Posting[]
}

/**
 * Returns the two postings of a member's gain in rewards (or loss, if negative). `merchantId` is the restaurant of a
 * rewarded transaction.
 */
export function rewardPostings(
  {
    memberId,
    merchantId,
    unit,
    amount,
  }: { memberId: number; merchantId?: number | undefined; unit: RewardUnit; amount: number },
  against: 'program' | 'payout' | 'debt' = 'program',
): Posting[] {
  if (amount === 0) return []
  const at = merchantId === undefined ? {} : { merchantId }
  return [
    { account: 'member', memberId, ...at, unit, amount },
    { account: against, ...at, unit, amount: -amount },
  ]
}

/** Inserts immutable journal entries with their postings, which sum to zero. Returns the journal ids, in order. */
export async function postEntries(tx: Tx, entries: readonly Entry[]): Promise<number[]> {
  if (entries.length === 0) return []
  const journals = entries.map((entry) => ({ ...keyOf(entry), kind: entry.kind, reason: entry.reason }))
  const postings = entries.flatMap((entry) =>
    entry.postings.map((posting) => ({ ...keyOf(entry), ...toPostingRow(posting) })),
  )
  const { rows } = await sql<{ id: number } & ReturnType<typeof keyOf>>`
    with written as (
      insert into journal_entries (source, source_id, version, kind, reason)
      select source, source_id, version, kind, reason from ${rowSource(journals, journalColumns)}
      returning id, source, source_id, version
    ), sides as (
      insert into postings (journal_entry_id, account, member_id, merchant_id, unit, amount)
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

function toPostingRow({ account, memberId, merchantId, unit, amount }: Posting) {
  return { account, member_id: memberId, merchant_id: merchantId, unit, amount }
}

/**
 * What has been posted so far for one source: its last version, and the balance of each account. What was posted to an
 * account that was merged since has moved with its balance: it counts for the account that has it now.
 */
export interface Posted {
  versions: number
  postings: readonly Posting[]
}

const unposted: Posted = { versions: 0, postings: [] }

async function loadPosted(tx: Tx, sourceIds: readonly string[]): Promise<Map<string, Posted>> {
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
    select j.source_id as "sourceId", max(j.version) as versions, p.account,
      coalesce(m.merged_into_id, p.member_id) as "memberId", p.merchant_id as "merchantId", p.unit,
      sum(p.amount)::bigint as amount
    from journal_entries j join postings p on p.journal_entry_id = j.id
      left join members m on m.partner_id = p.partner_id and m.id = p.member_id
    where j.partner_id = current_partner() and j.source = 'transaction' and j.source_id = any(${sourceIds})
    group by j.source_id, p.account, 4, p.merchant_id, p.unit`.execute(tx)
  return new Map(
    [...Map.groupBy(rows, (row) => row.sourceId)].map(([sourceId, postings]) => [
      sourceId,
      {
        versions: Math.max(...postings.map(({ versions }) => versions)),
        postings: postings.map(({ account, memberId, merchantId, unit, amount }) => ({
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
export interface TargetPostings {
  sourceId: string
  postings: readonly Posting[]
  reason: { code: string }
  /** Whether nothing can have been posted for it before; saves a query of the ledger. */
  isNew: boolean
  /** The kind of its first journal entry; `award` by default. */
  firstKind?: Entry['kind']
}

/**
 * Posts the differences between what is due and what was posted as new journal entries, so a repeated or late message
 * posts nothing and a refund reverses. The caller holds the locks of the members. Returns the sources with a new
 * journal entry.
 */
export async function reconcilePostings(tx: Tx, targets: readonly TargetPostings[]): Promise<Set<string>> {
  const before = await loadPosted(
    tx,
    targets.filter(({ isNew }) => !isNew).map(({ sourceId }) => sourceId),
  )
  const entries = targets.flatMap((target) => entryOf(target, before.get(target.sourceId) ?? unposted) ?? [])
  await postEntries(tx, entries)
  return new Set(entries.map(({ sourceId }) => sourceId))
}

function entryOf({ sourceId, postings, reason, firstKind }: TargetPostings, posted: Posted): Entry | null {
  const missing = differences(postings, posted.postings)
  if (missing.length === 0) return null
  const kind = kindOf(reason.code, posted, firstKind)
  return { source: 'transaction', sourceId, version: posted.versions + 1, kind, reason, postings: missing }
}

function kindOf(code: string, { versions }: Posted, firstKind: Entry['kind'] = 'award'): Entry['kind'] {
  if (versions === 0) return firstKind
  return code === 'refunded' || code === 'partlyRefunded' ? 'refund' : 'correction'
}

function differences(target: readonly Posting[], posted: readonly Posting[]): Posting[] {
  const byAccount = new Map<string, Posting>()
  const add = (posting: Posting, amount: number) => {
    const key = `${posting.account} ${posting.unit} ${posting.memberId ?? ''} ${posting.merchantId ?? ''}`
    byAccount.set(key, { ...posting, amount: (byAccount.get(key)?.amount ?? 0) + amount })
  }
  for (const posting of target) add(posting, posting.amount)
  for (const posting of posted) add(posting, -posting.amount)
  return [...byAccount.values()].filter(({ amount }) => amount !== 0)
}

/** Returns a member's balance in this unit: the sum of all postings. */
export async function getBalance(db: Db | Tx, memberId: number, unit: RewardUnit): Promise<number> {
  return (await getBalances(db, [memberId], unit)).get(memberId) ?? 0
}

/** Returns the balances of members; members without postings are left out. */
export async function getBalances(
  db: Db | Tx,
  memberIds: readonly number[],
  unit: RewardUnit,
): Promise<Map<number, number>> {
  const { rows } = await sql<{ memberId: number; balance: number }>`
    select member_id as "memberId", sum(amount)::bigint as balance from postings
    where member_id = any(${memberIds}) and unit = ${unit} group by member_id`.execute(db)
  return new Map(rows.map(({ memberId, balance }) => [memberId, balance]))
}

/**
 * Moves the balance of an account to the one that it is merged into: one entry for each unit, between the two accounts
 * alone. What was posted before stays where it was posted. The caller holds the locks of both members.
 */
export async function postMerge(tx: Tx, { from, to }: Merge, sourceId: string): Promise<void> {
  const { rows } = await sql<{ unit: RewardUnit; amount: number }>`
    select unit, sum(amount)::bigint as amount from postings where member_id = ${from}
    group by unit having sum(amount) <> 0 order by unit`.execute(tx)
  await postEntries(
    tx,
    rows.map(({ unit, amount }, index) => ({
      source: 'merge',
      sourceId,
      version: index + 1,
      kind: 'merge',
      reason: { code: 'accountsMerged' },
      postings: [
        { account: 'member', memberId: from, unit, amount: -amount },
        { account: 'member', memberId: to, unit, amount },
      ],
    })),
  )
}

/** Returns whether anything was ever posted to a member's balance. */
export async function hasPostings(tx: Tx, memberId: number): Promise<boolean> {
  const { rows } = await sql`select from postings where member_id = ${memberId} limit 1`.execute(tx)
  return rows.length > 0
}
