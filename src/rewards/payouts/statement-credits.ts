import { lockMember } from '../../identity/members/service.ts'
import { inTransaction, type Tx } from '../../platform/database/db.ts'
import type { Ctx } from '../../platform/http/context.ts'
import type { ClaimedJob } from '../../platform/jobs/workers.ts'
import { publicId } from '../../platform/security/ids.ts'
import { publishActivity } from '../ledger/announce-activity.ts'
import { getBalances, postEntries, rewardPostings } from '../ledger/entries.ts'
import type { RedemptionStatus } from './contract.ts'
import type { CreditOrder, CreditProcessor } from './processor.ts'
import * as store from './store.ts'

/**
 * Orders the whole balance of each member who has reached the program's threshold as one statement credit: it leaves
 * the balance now, and a processor executes it later. A second call finds empty balances. The caller holds the locks of
 * the members. Each comes with the card of the transaction that filled the balance.
 */
export async function payOutBalances(tx: Tx, ctx: Ctx, cards: ReadonlyMap<number, number | null>): Promise<void> {
  const { currencyType, statementCreditFromCents } = ctx.program.config
  if (currencyType !== 'Credit' || statementCreditFromCents === undefined) return
  for (const [memberId, balance] of await getBalances(tx, [...cards.keys()], 'cent')) {
    if (balance >= statementCreditFromCents) await orderCredit(tx, ctx, memberId, cards.get(memberId) ?? null, balance)
  }
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
  const target = await findTarget(tx, ctx, cardId)
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

/** Returns the card of the transaction that filled the balance; without one, the program's payout provider. */
async function findTarget(
  tx: Tx,
  ctx: Ctx,
  cardId: number | null,
): Promise<Pick<CreditOrder, 'brand' | 'delivery' | 'targetLabel'>> {
  const card = cardId === null ? undefined : await store.findCardTarget(tx, cardId)
  if (card) return { brand: brands[card.cardType] ?? unknownBrand, delivery: 'Card', targetLabel: card.label }
  return { brand: ctx.program.config.payoutBrand ?? unknownBrand, delivery: 'Email', targetLabel: '' }
}

/**
 * Submits an open credit to its processor, or asks for its outcome, outside any transaction, and records the response.
 * The processor knows the credit by its id, so that a repetition pays nothing twice. Rejects without a response; with
 * the last attempt, the credit returns to the balance instead.
 */
export async function executeCredit(
  ctx: Ctx,
  processor: CreditProcessor,
  { id, isLastAttempt }: Pick<ClaimedJob, 'id' | 'isLastAttempt'>,
): Promise<void> {
  const credit = await store.findOpenCredit(ctx.db, Number(id))
  if (!credit) return
  const order = store.toOrder(credit)
  const change = { processor: processor.name, wait: processor.checkEvery }
  let status: RedemptionStatus
  try {
    status = await (credit.status === 'pending' ? processor.submit(ctx, order) : processor.check(ctx, order))
  } catch (error) {
    ctx.log.warn({ err: error, credit: credit.public_id }, 'a statement credit could not be carried out')
    if (!isLastAttempt) throw error
    status = 'error'
  }
  await inTransaction(ctx.db, (tx) => record(tx, ctx, credit, { ...change, status }))
}

/** Stores a credit's status: a completed one makes its transactions `Paid`, a rejected one returns to the balance. */
async function record(tx: Tx, ctx: Ctx, credit: store.CreditRow, change: store.CreditChange): Promise<void> {
  const { member_id: memberId } = credit
  // A concurrent award of this member must not overwrite what is written here.
  await lockMember(tx, memberId)
  // Another process has recorded an outcome meanwhile.
  if (!(await store.changeCredit(tx, credit, change))) return
  if (change.status === 'completed')
    await store.markPaid(tx, await store.getCoveredTransactionIds(tx, credit), ctx.now())
  if (change.status === 'rejected' || change.status === 'error') await returnToBalance(tx, credit)
  if (change.status !== credit.status) await publishActivity(tx, ctx.partnerId, [memberId])
}

async function returnToBalance(tx: Tx, credit: store.CreditRow): Promise<void> {
  const { member_id: memberId, amount_cents: amount } = credit
  const [journalId] = await postEntries(tx, [
    {
      source: 'statement-credit',
      sourceId: credit.public_id,
      version: 2,
      kind: 'returned-credit',
      reason: { returned: credit.public_id },
      postings: rewardPostings({ memberId, unit: 'cent', amount }, 'payout'),
    },
  ])
  await store.setReturned(tx, credit.id, journalId as number)
}
