import { lockMember } from '../../identity/members/service.ts'
import { audit } from '../../platform/database/audit.ts'
import { inTransaction, type Tx } from '../../platform/database/db.ts'
import { ApiError } from '../../platform/errors.ts'
import type { Ctx } from '../../platform/http/context.ts'
import { DAY } from '../../platform/time.ts'
import { settleDebts } from '../debts/service.ts'
import { publishActivity } from '../ledger/announce-activity.ts'
import { postEntries, rewardPostings } from '../ledger/entries.ts'
import * as decisions from './decision-store.ts'
import { orderAgain } from './order-credits.ts'
import type { CheckAnswer, CreditProcessor, SubmitAnswer } from './processor.ts'
import { isLeftInClosedAccount } from './rests-store.ts'
import { type Attention, attentionOf, decisionsFor, laterChecks, placeOf, waitAfter } from './rules.ts'
import * as store from './store.ts'

/** An answer of the processor, or that there was none. `isResubmitted`: it had not received an earlier attempt. */
export type Answer = CheckAnswer | (SubmitAnswer & { isResubmitted: true }) | { outcome: 'unknown'; error: string }

/**
 * Records an answer about a credit, whatever has become of the credit since the question: another process or an operator
 * may have decided it. Money moves only where the answer differs from what the ledger says.
 */
export async function recordAnswer(
  tx: Tx,
  ctx: Ctx,
  asked: store.CreditRow,
  processor: Pick<CreditProcessor, 'name' | 'checkEvery'>,
  answer: Answer,
): Promise<void> {
  // A concurrent award of this member must not overwrite what is written here.
  await lockMember(tx, asked.member_id)
  const credit = await store.findCredit(tx, asked.id)
  if (!credit) return
  const record = { open: recordOpen, paid: recordPaid, returned: recordReturned }[placeOf(credit.status)]
  await record({ tx, ctx, credit, answer }, processor)
  const after = await store.findCredit(tx, asked.id)
  const isShown = after?.status !== credit.status || after.unanswered > 0 !== credit.unanswered > 0
  if (isShown) await publishActivity(tx, ctx.partnerId, [credit.member_id])
}

interface Step {
  tx: Tx
  ctx: Ctx
  credit: store.CreditRow
  answer: Answer
}

async function recordOpen(
  { tx, ctx, credit, answer }: Step,
  { name: processor, checkEvery }: Pick<CreditProcessor, 'name' | 'checkEvery'>,
): Promise<void> {
  const now = ctx.now()
  const resubmitted = credit.resubmitted + ('isResubmitted' in answer ? 1 : 0)
  const answered = { processor, unanswered: 0, lastError: null, resubmitted }
  if ('isResubmitted' in answer) await decisions.insertEvent(tx, credit.id, 'resubmitted')
  switch (answer.outcome) {
    case 'accepted': {
      if (credit.status === 'pending') await decisions.insertEvent(tx, credit.id, 'accepted')
      const attention = attentionOf({ unanswered: 0, resubmitted, createdAt: credit.created_at }, now)
      const wait = 'isResubmitted' in answer && resubmitted > 1 ? waitAfter(resubmitted - 1) : checkEvery
      return store.changeCredit(tx, credit, { ...answered, status: 'pending_received', attention, wait }, now)
    }
    case 'completed':
      await store.changeCredit(tx, credit, { ...answered, status: 'completed', attention: null }, now)
      return recordPayment(tx, ctx, credit, 'completed', '')
    case 'rejected':
      await store.changeCredit(tx, credit, { ...answered, status: 'rejected', attention: null }, now)
      await decisions.insertEvent(tx, credit.id, 'rejected', answer.reason)
      return returnToBalance(tx, ctx, credit)
    default: {
      const unanswered = credit.unanswered + 1
      const attention = attentionOf({ ...credit, unanswered, createdAt: credit.created_at }, now)
      const lastError = answer.outcome === 'unknown' ? answer.error : 'it was not received'
      const change = { processor, unanswered, lastError, attention, wait: waitAfter(unanswered) }
      return store.changeCredit(tx, credit, change, now)
    }
  }
}

/** A paid credit is paid, whoever said so. A processor that denies it is shown to an operator: no money moves. */
async function recordPaid({ tx, ctx, credit, answer }: Step): Promise<void> {
  if (answer.outcome === 'rejected') {
    await decisions.insertEvent(tx, credit.id, 'rejectedAfterPaid', answer.reason)
    return store.changeCredit(tx, credit, { attention: 'rejectedAfterPaid', checksLeft: 0 }, ctx.now())
  }
  if (credit.checks_left === 0) return
  if (answer.outcome !== 'completed') return recordLaterCheck({ tx, ctx, credit, answer })
  await decisions.insertEvent(tx, credit.id, 'completed')
  return store.changeCredit(tx, credit, { checksLeft: 0, unanswered: 0, lastError: null }, ctx.now())
}

/** A returned credit that was paid after all leaves the balance again, and is shown to an operator. */
async function recordReturned({ tx, ctx, credit, answer }: Step): Promise<void> {
  const now = ctx.now()
  if (answer.outcome === 'completed') {
    await postPayout(tx, ctx, credit)
    const change = { status: 'completed', attention: 'paidAfterReturn', checksLeft: 0, lastError: null } as const
    await store.changeCredit(tx, credit, { ...change, unanswered: 0 }, now)
    return recordPayment(tx, ctx, credit, 'paidAfterReturn', '')
  }
  // The processor has rejected it: an older answer says nothing new.
  if (credit.status === 'rejected' && credit.checks_left === 0) return
  if (answer.outcome === 'rejected') {
    await decisions.insertEvent(tx, credit.id, 'rejected', answer.reason)
    const attention = credit.attention === 'openAfterReturn' ? await findRest(tx, credit) : credit.attention
    return store.changeCredit(tx, credit, { attention, checksLeft: 0, lastError: null, unanswered: 0 }, now)
  }
  if (answer.outcome === 'accepted') {
    if (credit.attention !== 'openAfterReturn') await decisions.insertEvent(tx, credit.id, 'acceptedAfterReturn')
    return store.changeCredit(tx, credit, { attention: 'openAfterReturn', wait: DAY, lastError: null }, now)
  }
  return recordLaterCheck({ tx, ctx, credit, answer })
}

/** A check without an answer does not count. */
async function recordLaterCheck({ tx, ctx, credit, answer }: Step): Promise<void> {
  const change =
    answer.outcome === 'unknown'
      ? { lastError: answer.error, unanswered: credit.unanswered + 1 }
      : { lastError: null, unanswered: 0, checksLeft: credit.checks_left - 1 }
  return store.changeCredit(tx, credit, { ...change, wait: DAY }, ctx.now())
}

/** Carries out what operators have decided about a credit and was not carried out yet. */
export async function executeDecisions(ctx: Ctx, creditId: number): Promise<void> {
  for (const { id } of await decisions.listOpenDecisions(ctx.db, creditId)) {
    await inTransaction(ctx.db, (tx) => executeDecision(tx, ctx, id))
  }
}

/**
 * Stores an operator's decision and carries it out, in one transaction; a job then asks the processor. Returns whether the
 * credit allowed it. Throws `accountBusy` while another transaction has locked an account whose debt comes first.
 */
export async function decide(tx: Tx, ctx: Ctx, decision: decisions.NewDecision): Promise<boolean> {
  return executeDecision(tx, ctx, await decisions.insertDecision(tx, decision))
}

/** Returns whether the decision was carried out. */
async function executeDecision(tx: Tx, ctx: Ctx, id: number): Promise<boolean> {
  const found = await decisions.findDecision(tx, id)
  if (!found) return false
  await lockMember(tx, found.memberId)
  const [decided, credit] = [await decisions.findDecision(tx, id), await store.findCredit(tx, found.creditId)]
  if (!decided || !credit || decided.isExecuted) return false
  const { decision, reason, by } = decided
  const isPossible = decisionsFor(credit.status, credit.attention).includes(decision)
  await decisions.markExecuted(tx, id, ctx.now(), isPossible)
  if (!isPossible) return false
  const later = { attention: null, checksLeft: laterChecks, wait: DAY, unanswered: 0 }
  const place = placeOf(credit.status)
  const detail = `${by}: ${reason}`
  if (decision === 'ask') {
    if (place !== 'open')
      await store.changeCredit(tx, credit, { checksLeft: Math.max(1, credit.checks_left) }, ctx.now())
    return true
  }
  if (decision === 'acknowledge') {
    await decisions.insertEvent(tx, credit.id, 'acknowledged', detail)
    const isRest = place !== 'returned' || credit.attention === 'leftInClosedAccount'
    await store.changeCredit(tx, credit, { attention: isRest ? null : await findRest(tx, credit) }, ctx.now())
  } else if (decision === 'order') {
    await decisions.insertEvent(tx, credit.id, 'orderedAgain', detail)
    await store.changeCredit(tx, credit, { attention: null }, ctx.now())
    // The job is repeated, and with it the decision.
    if ((await orderAgain(tx, ctx, credit.member_id)) === null) throw new ApiError('accountBusy')
  } else if (decision === 'paid') {
    if (place === 'returned') await postPayout(tx, ctx, credit)
    await store.changeCredit(tx, credit, { ...later, status: 'completed' }, ctx.now())
    await recordPayment(tx, ctx, credit, 'markedPaid', detail)
  } else {
    await store.changeCredit(tx, credit, { ...later, status: 'error' }, ctx.now())
    await decisions.insertEvent(tx, credit.id, 'returned', detail)
    if (place === 'paid') await store.markAwarded(tx, await store.getCoveredTransactionIds(tx, credit))
    await returnToBalance(tx, ctx, credit)
  }
  const memberId = credit.member_id
  await audit(tx, ctx, { action: `payout.${decision}`, memberId, detail: { credit: credit.public_id, by } })
  await publishActivity(tx, ctx.partnerId, [memberId])
  return true
}

async function recordPayment(
  tx: Tx,
  ctx: Ctx,
  credit: store.CreditRow,
  event: 'completed' | 'markedPaid' | 'paidAfterReturn',
  detail: string,
): Promise<void> {
  await decisions.insertEvent(tx, credit.id, event, detail)
  await store.markPaid(tx, await store.getCoveredTransactionIds(tx, credit), ctx.now())
}

/**
 * Of an account that was deleted meanwhile, the amount settles the debt first. What is left then waits for an operator: it
 * is not ordered again by itself, because the same target would reject it again and again.
 */
async function returnToBalance(tx: Tx, ctx: Ctx, credit: store.CreditRow): Promise<void> {
  const reason = { returned: credit.public_id }
  const journalId = await postMovement(tx, credit, { kind: 'returned-credit', reason, amount: credit.amount_cents })
  await store.setReturned(tx, credit.id, journalId)
  const { changed } = await settleDebts(tx, ctx, [credit.member_id])
  await store.endAttentionOfRests(tx, [...changed])
  const attention = await findRest(tx, credit)
  if (attention) await store.changeCredit(tx, credit, { attention }, ctx.now())
}

/** Returns the notice of an amount that is back in the balance of a deleted account, or null. */
async function findRest(tx: Tx, { member_id }: store.CreditRow): Promise<Attention | null> {
  return (await isLeftInClosedAccount(tx, member_id)) ? 'leftInClosedAccount' : null
}

/** Takes a returned credit out of the balance again. Of a deleted account, that is a debt. */
async function postPayout(tx: Tx, ctx: Ctx, credit: store.CreditRow): Promise<void> {
  const reason = { paidAfterReturn: credit.public_id }
  await postMovement(tx, credit, { kind: 'statement-credit', reason, amount: -credit.amount_cents })
  const { changed } = await settleDebts(tx, ctx, [credit.member_id])
  await store.endAttentionOfRests(tx, [credit.member_id, ...changed])
}

async function postMovement(
  tx: Tx,
  credit: store.CreditRow,
  { kind, reason, amount }: { kind: 'statement-credit' | 'returned-credit'; reason: object; amount: number },
): Promise<number> {
  const postings = rewardPostings({ memberId: credit.member_id, unit: 'cent', amount }, 'payout')
  const version = await store.nextVersion(tx, credit)
  const entry = { source: 'statement-credit', sourceId: credit.public_id, version, kind, reason, postings } as const
  const [journalId] = await postEntries(tx, [entry])
  return journalId as number
}
