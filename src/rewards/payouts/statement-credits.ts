import { inTransaction, type Tx } from '../../platform/database/db.ts'
import type { Ctx } from '../../platform/http/context.ts'
import type { ClaimedJob } from '../../platform/jobs/workers.ts'
import { publicId } from '../../platform/security/ids.ts'
import { settleDebts } from '../debts/service.ts'
import { getBalances, postEntries, rewardPostings } from '../ledger/entries.ts'
import { type Answer, executeDecisions, recordAnswer } from './outcomes.ts'
import type { CreditOrder, CreditProcessor } from './processor.ts'
import { placeOf } from './rules.ts'
import * as store from './store.ts'

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
  await payOut(tx, ctx, cards, (memberId) => (closed.has(memberId) ? 1 : threshold))
}

/**
 * Orders what is left in the balance of an account that is about to be deleted, whatever the amount, as one last
 * statement credit to the card that earned last. Returns its cents, 0 without any; null while another transaction has
 * locked an account whose debt must be settled first. The caller holds the member's lock.
 */
export async function payOutRest(tx: Tx, ctx: Ctx, memberId: number): Promise<number | null> {
  if (thresholdOf(ctx) === null) return 0
  const cards = new Map([[memberId, await store.findLastEarningCard(tx, memberId)]])
  const { paid, waiting } = await payOut(tx, ctx, cards, () => 1)
  return waiting.has(memberId) ? null : (paid.get(memberId) ?? 0)
}

/** Returns the cents from which a balance is paid; null in programs without statement credits. */
function thresholdOf(ctx: Ctx): number | null {
  const { currencyType, statementCreditFromCents } = ctx.program.config
  return currencyType === 'Credit' ? (statementCreditFromCents ?? null) : null
}

interface PaidOut {
  /** Cents by member. */
  paid: ReadonlyMap<number, number>
  waiting: ReadonlySet<number>
}

async function payOut(
  tx: Tx,
  ctx: Ctx,
  cards: ReadonlyMap<number, number | null>,
  fromCents: (memberId: number) => number,
): Promise<PaidOut> {
  const listFull = async (memberIds: readonly number[]) =>
    [...(await getBalances(tx, memberIds, 'cent'))].filter(([memberId, balance]) => balance >= fromCents(memberId))
  const paid = new Map<number, number>()
  const members = (await listFull([...cards.keys()])).map(([memberId]) => memberId)
  if (members.length === 0) return { paid, waiting: new Set() }
  const { waiting } = await settleDebts(tx, ctx, members)
  for (const [memberId, balance] of await listFull(members)) {
    if (waiting.has(memberId)) continue
    await orderCredit(tx, ctx, memberId, cards.get(memberId) ?? null, balance)
    paid.set(memberId, balance)
  }
  return { paid, waiting }
}

async function orderCredit(
  tx: Tx,
  ctx: Ctx,
  memberId: number,
  cardId: number | null,
  amountCents: number,
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
  const target = await findTarget(tx, ctx, memberId, cardId)
  await store.insertCredit(tx, {
    creditId,
    amountCents,
    ...target,
    memberId,
    journalId: journalId as number,
    createdAt: ctx.now(),
  })
}

const brands: Readonly<Record<string, string>> = { VISA: 'Visa', MAST: 'MasterCard' }
/** The brand of an unknown card or provider. */
const unknownBrand = 'XXXX'

/**
 * Returns the card of the transaction that filled the balance; without one, the program's payout provider. A deleted
 * account has only cards without a number: it is paid like the last time.
 */
async function findTarget(
  tx: Tx,
  ctx: Ctx,
  memberId: number,
  cardId: number | null,
): Promise<Pick<CreditOrder, 'brand' | 'delivery' | 'targetLabel'>> {
  const card = cardId === null ? undefined : await store.findCardTarget(tx, cardId)
  if (card && !card.isErased)
    return { brand: brands[card.cardType] ?? unknownBrand, delivery: 'Card', targetLabel: card.label }
  const last = card && (await store.findLastTarget(tx, memberId))
  return last ?? { brand: ctx.program.config.payoutBrand ?? unknownBrand, delivery: 'Email', targetLabel: '' }
}

export { enqueueOverdue as enqueueOverdueCredits } from './store.ts'

/**
 * Carries out what operators have decided about a credit, submits it to its processor or asks for its outcome, outside
 * any transaction, and records the answer. The processor knows the credit by its id, so that a repetition pays nothing
 * twice. Without an answer, the credit stays open and gets a later job; it never returns to the balance by itself.
 */
export async function executeCredit(
  ctx: Ctx,
  processor: CreditProcessor,
  { id }: Pick<ClaimedJob, 'id'>,
): Promise<void> {
  await executeDecisions(ctx, Number(id))
  const credit = await store.findAskedCredit(ctx.db, Number(id))
  if (!credit) return
  const isFirst = placeOf(credit.status) === 'open' && (await store.markSubmitted(ctx.db, credit.id, ctx.now()))
  const answer = await ask(ctx, processor, credit, isFirst)
  await inTransaction(ctx.db, (tx) => recordAnswer(tx, ctx, credit, processor, answer))
}

/** Returns what the processor says, or `unknown` when it says nothing. */
async function ask(ctx: Ctx, processor: CreditProcessor, credit: store.CreditRow, isFirst: boolean): Promise<Answer> {
  const order = store.toOrder(credit)
  try {
    if (isFirst) return await processor.submit(ctx, order)
    // An earlier attempt may have reached the processor: its outcome is asked for, even where it would not remember the
    // id of a repetition for days.
    const answer = await processor.check(ctx, order)
    const isMissing = answer.outcome === 'notReceived' && placeOf(credit.status) === 'open'
    return isMissing ? { ...(await processor.submit(ctx, order)), isResubmitted: true } : answer
  } catch (error) {
    ctx.log.warn({ err: error, credit: credit.public_id }, 'a payout processor did not answer')
    return { outcome: 'unknown', error: (error instanceof Error ? error.message : 'unknown').slice(0, 200) }
  }
}
