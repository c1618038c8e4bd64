import { hashCard, hashPerson } from '../../identity/members/service.ts'
import { acquireAdvisoryLock, inTransaction, type Tx } from '../../platform/database/db.ts'
import type { Ctx } from '../../platform/http/context.ts'
import type { RewardUnit } from '../earning/terms.ts'
import { type Entry, postEntries, rewardPostings } from '../ledger/entries.ts'
import { planAccount } from './related-debts.ts'
import type { DebtStep } from './rules.ts'
import * as store from './store.ts'

export { findCurrentHolders, findDebtors } from './store.ts'

export interface Settled {
  /** The members whose balance changed. */
  changed: Set<number>
  /** The members for whom another account has to be settled that another transaction has locked: nothing is paid yet. */
  waiting: Set<number>
}

/**
 * Settles what these accounts and their persons or cards owe, before anything new is paid: a debt leaves a deleted
 * account and is carried by the person's next one, or by the account in which its card is linked now; what a corrected
 * refund gives back goes the same way. The caller holds the locks of its members; others are settled if they are free.
 * See docs/decisions/070.
 */
export async function settleDebts(tx: Tx, ctx: Ctx, memberIds: readonly number[]): Promise<Settled> {
  const settled: Settled = { changed: new Set(), waiting: new Set() }
  const queue = [...new Set(memberIds)].toSorted((a, b) => a - b)
  const seen = new Set(queue)
  for (const id of queue) {
    for (const carrier of await settleAccount(tx, ctx, id, settled)) {
      if (seen.has(carrier)) continue
      seen.add(carrier)
      queue.push(carrier)
    }
  }
  return settled
}

/**
 * Lets one transaction of a program at a time decide what depends on other accounts of a person or a card: debts, and
 * who has a bonus. The caller holds the locks of its members: no transaction waits for a member's lock while it holds
 * this one.
 */
export async function lockAcrossAccounts(tx: Tx, { partnerId }: Pick<Ctx, 'partnerId'>): Promise<void> {
  await acquireAdvisoryLock(tx, `debts ${partnerId}`)
}

/** Returns the accounts that carry the changed debts: they may have to be settled too. */
async function settleAccount(tx: Tx, ctx: Ctx, id: number, settled: Settled): Promise<number[]> {
  const account = await store.findAccount(tx, id)
  const planned = account ? await planAccount(tx, ctx, account) : []
  if (!account || planned.length === 0) return []
  await lockAcrossAccounts(tx, ctx)
  const free = await store.lockFreeAccounts(tx, [id, ...planned.map(({ memberId }) => memberId)])
  // What was read before the locks may have changed since.
  const locked = free.get(id)
  const steps = locked ? await planAccount(tx, ctx, locked) : []
  if (!locked || steps.some(({ memberId }) => !free.has(memberId))) {
    settled.waiting.add(id)
    return []
  }
  const carriers: number[] = []
  for (const step of steps) carriers.push(...(await postStep(tx, step, settled)))
  if (locked.isDeleted && !(await store.isRecognizable(tx, id))) {
    for (const { originId, unit } of steps) await writeOff(tx, originId, unit)
  }
  return carriers
}

async function postStep(tx: Tx, { originId, unit, memberId, amount, code }: DebtStep, settled: Settled) {
  const debt = await store.findOrInsertDebt(tx, originId, unit)
  await post(tx, debt, {
    kind: 'debt',
    reason: { code },
    opened: amount,
    postings: rewardPostings({ memberId, unit, amount }, 'debt'),
  })
  settled.changed.add(memberId)
  const rows = await store.listDebts(tx, { origins: [originId], carriers: [] })
  return rows.filter((row) => row.unit === unit && row.open !== 0).flatMap(({ carried }) => [...carried.keys()])
}

async function post(
  tx: Tx,
  debt: store.DebtRow,
  { opened, ...entry }: Pick<Entry, 'kind' | 'reason' | 'postings'> & { opened: number },
): Promise<void> {
  const version = debt.versions + 1
  await postEntries(tx, [{ source: 'debt', sourceId: debt.public_id, version, ...entry }])
  await store.updateDebt(tx, { id: debt.id, open: debt.open + opened, versions: version })
}

/** Posts what no account will carry any more to the program. */
async function writeOff(tx: Tx, originId: number, unit: RewardUnit): Promise<void> {
  const debt = await store.findOrInsertDebt(tx, originId, unit)
  if (debt.open === 0) return
  await post(tx, debt, {
    kind: 'written-off-debt',
    reason: { code: 'writtenOff' },
    opened: -debt.open,
    postings: [
      { account: 'debt', unit, amount: debt.open },
      { account: 'program', unit, amount: -debt.open },
    ],
  })
}

/** Writes off the debts that no stored hash finds any more. */
export async function writeOffUnreachable(ctx: Ctx): Promise<void> {
  await inTransaction(ctx.db, async (tx) => {
    await lockAcrossAccounts(tx, ctx)
    for (const { originId, unit } of await store.listUnreachable(tx)) await writeOff(tx, originId, unit)
  })
}

const batchSize = 500

/**
 * Returns the open accounts that a debt which no account carries belongs to: a refund that arrived after its account was
 * deleted finds the person's next account only by the hashes.
 */
export async function listCarriers(ctx: Ctx): Promise<number[]> {
  const debtors = await store.listOpenDebtors(ctx.db)
  const found: number[] = []
  if (debtors.size === 0) return found
  for (let after = 0; ; ) {
    const accounts = await store.listReturned(ctx.db, after, batchSize)
    const hashed = accounts.map((account) => ({
      id: account.id,
      hashes: [
        ...hashPerson(ctx.returningKey, account),
        ...account.fingerprints.map((fingerprint) => hashCard(ctx.returningKey, fingerprint)),
      ],
    }))
    const former = await store.findFormerAccounts(
      ctx.db,
      hashed.flatMap(({ hashes }) => hashes),
    )
    const owed = new Set(former.filter(({ memberId }) => debtors.has(memberId)).map(({ hash }) => hash))
    found.push(
      ...hashed.filter(({ hashes }) => hashes.some((hash) => owed.has(hash.toString('hex')))).map(({ id }) => id),
    )
    const last = accounts.at(-1)
    if (!last || accounts.length < batchSize) return found
    after = last.id
  }
}
