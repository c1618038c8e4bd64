import type { Tx } from '../../platform/database/db.ts'
import type { Ctx } from '../../platform/http/context.ts'
import { publicId } from '../../platform/security/ids.ts'
import { settleDebts } from '../debts/service.ts'
import { getBalances, postEntries, rewardPostings } from '../ledger/entries.ts'
import type { CreditOrder } from './processor.ts'
import { listUnorderedRests } from './rests-store.ts'
import * as store from './store.ts'

type Target = Pick<CreditOrder, 'brand' | 'delivery' | 'targetLabel'>

/**
 * Orders the whole balance of each member who has reached the program's threshold as one statement credit: it leaves
 * the balance now, and a processor executes it later. A deleted account has no threshold: nothing would ever be added to
 * what clears after the deletion. A second call finds empty balances. What the member or a linked card owes from another
 * account is settled first. The caller holds the locks of the members. Each comes with the card of the transaction that
 * filled the balance.
 */
export async function payOutBalances(tx: Tx, ctx: Ctx, cards: ReadonlyMap<number, number | null>): Promise<void> {
  const threshold = thresholdOf(ctx)
  if (threshold === null) return
  const closed = await store.listDeletedMembers(tx, [...cards.keys()])
  await payOut(tx, ctx, [...cards.keys()], {
    fromCents: (memberId) => (closed.has(memberId) ? 1 : threshold),
    targetOf: (memberId) => findTarget(tx, ctx, memberId, cards.get(memberId) ?? null),
  })
  // A refund, or a debt, may have taken what a credit had left there.
  await store.endAttentionOfRests(tx, [...closed])
}

/**
 * Orders what is left in the balance of an account that is about to be deleted, whatever the amount, as one last
 * statement credit to the card that earned last. Returns its cents, 0 without any; null while another transaction has
 * locked an account whose debt must be settled first. The caller holds the member's lock.
 */
export async function payOutRest(tx: Tx, ctx: Ctx, memberId: number): Promise<number | null> {
  if (thresholdOf(ctx) === null) return 0
  const cardId = await store.findLastEarningCard(tx, memberId)
  return payOutWhole(tx, ctx, memberId, () => findTarget(tx, ctx, memberId, cardId))
}

/**
 * Orders what a credit has left in the balance of a deleted account under a new id, by the program's payout provider:
 * the card did not take it. Without a provider, to the same target. Returns like `payOutRest`. The caller holds the
 * member's lock.
 */
export async function orderAgain(tx: Tx, ctx: Ctx, memberId: number): Promise<number | null> {
  return payOutWhole(tx, ctx, memberId, async () => {
    const last = ctx.program.config.payoutBrand ? undefined : await store.findLastTarget(tx, memberId)
    return last ?? providerTarget(ctx)
  })
}

async function payOutWhole(
  tx: Tx,
  ctx: Ctx,
  memberId: number,
  targetOf: () => Promise<Target>,
): Promise<number | null> {
  const { paid, waiting } = await payOut(tx, ctx, [memberId], { fromCents: () => 1, targetOf })
  return waiting.has(memberId) ? null : (paid.get(memberId) ?? 0)
}

/**
 * Returns the deleted accounts with an award that was never ordered, each with its card: another transaction had locked an
 * account whose debt must be settled first. What a credit has left in a balance waits for an operator instead.
 */
export async function listWaitingRests(ctx: Ctx): Promise<ReadonlyMap<number, number | null>> {
  return thresholdOf(ctx) === null ? new Map() : listUnorderedRests(ctx.db)
}

/** Returns the cents from which a balance is paid; null in programs without statement credits. */
function thresholdOf(ctx: Ctx): number | null {
  const { currencyType, statementCreditFromCents } = ctx.program.config
  return currencyType === 'Credit' ? (statementCreditFromCents ?? null) : null
}

interface PayOutRules {
  fromCents: (memberId: number) => number
  targetOf: (memberId: number) => Promise<Target>
}

interface PaidOut {
  /** Cents by member. */
  paid: ReadonlyMap<number, number>
  waiting: ReadonlySet<number>
}

async function payOut(
  tx: Tx,
  ctx: Ctx,
  memberIds: readonly number[],
  { fromCents, targetOf }: PayOutRules,
): Promise<PaidOut> {
  const listFull = async (ids: readonly number[]) =>
    [...(await getBalances(tx, ids, 'cent'))].filter(([memberId, balance]) => balance >= fromCents(memberId))
  const paid = new Map<number, number>()
  const members = (await listFull(memberIds)).map(([memberId]) => memberId)
  if (members.length === 0) return { paid, waiting: new Set() }
  const { waiting } = await settleDebts(tx, ctx, members)
  for (const [memberId, balance] of await listFull(members)) {
    if (waiting.has(memberId)) continue
    await orderCredit(tx, ctx, { memberId, amountCents: balance, target: await targetOf(memberId) })
    paid.set(memberId, balance)
  }
  return { paid, waiting }
}

async function orderCredit(
  tx: Tx,
  ctx: Ctx,
  { memberId, amountCents, target }: { memberId: number; amountCents: number; target: Target },
): Promise<void> {
  const creditId = publicId()
  const covered = await store.listTransactionIdsInBalance(tx, memberId)
  const [journalId] = await postEntries(tx, [
    {
      source: 'statement-credit',
      sourceId: creditId,
      version: 1,
      kind: 'statement-credit',
      reason: { covered },
      postings: rewardPostings({ memberId, unit: 'cent', amount: -amountCents }, 'payout'),
    },
  ])
  await store.insertCredit(tx, {
    creditId,
    amountCents,
    ...target,
    memberId,
    journalId: journalId as number,
    createdAt: ctx.now(),
  })
  await store.endAttentionOfRests(tx, [memberId])
}

const brands: Readonly<Record<string, string>> = { VISA: 'Visa', MAST: 'MasterCard' }
/** The brand of an unknown card or provider. */
const unknownBrand = 'XXXX'

/**
 * Returns the card of the transaction that filled the balance, or when the member has removed it, the linked card that
 * earned last; without one, the program's payout provider. A deleted account has only cards without a number: it is paid
 * like the last time.
 */
async function findTarget(tx: Tx, ctx: Ctx, memberId: number, cardId: number | null): Promise<Target> {
  const card = await findCard(tx, cardId)
  if (card?.isErased) return (await store.findLastTarget(tx, memberId)) ?? providerTarget(ctx)
  const linked = card?.isRemoved ? await findCard(tx, await store.findLastEarningCard(tx, memberId)) : card
  if (!linked) return providerTarget(ctx)
  return { brand: brands[linked.cardType] ?? unknownBrand, delivery: 'Card', targetLabel: linked.label }
}

async function findCard(tx: Tx, id: number | null): Promise<store.TargetCard | undefined> {
  return id === null ? undefined : store.findCardTarget(tx, id)
}

function providerTarget(ctx: Ctx): Target {
  return { brand: ctx.program.config.payoutBrand ?? unknownBrand, delivery: 'Email', targetLabel: '' }
}
