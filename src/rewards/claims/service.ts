import { type EmailContent, queueEmail } from '../../identity/email/service.ts'
import { lockMember, lockOwnMember } from '../../identity/members/service.ts'
import { audit } from '../../platform/database/audit.ts'
import { type Db, inTransaction, type Tx } from '../../platform/database/db.ts'
import { ApiError, ValidationError } from '../../platform/errors.ts'
import type { Ctx, MemberCtx } from '../../platform/http/context.ts'
import { interpolate } from '../../platform/interpolate.ts'
import { formatCents, parseDollars } from '../../platform/money.ts'
import { publicId } from '../../platform/security/ids.ts'
import { DAY } from '../../platform/time.ts'
import { postManualCredit } from '../awards/manual-credit.ts'
import { areSimilarClaims, type ClaimedMeal } from '../awards/meal-match.ts'
import type { Claim, Explanation, Sentence } from './contract.ts'
import { type ClaimedTransaction, explainTransaction, wasLinked } from './explain-missing.ts'
import type { MissingTransaction } from './forms.ts'
import {
  decisionWithinDays,
  isFutureDate,
  isOverdue,
  matchesFileType,
  maxOpenClaims,
  maxReceiptBytes,
  maxStoredReceiptBytes,
  type ReceiptType,
  type Resolution,
} from './rules.ts'
import * as store from './store.ts'

export { hasSharedClaim, moveClaims, purgeReceipts, redactAndCloseClaims } from './store.ts'

/** Returns the findings about a transaction that the signed-in member misses. */
export async function explain(ctx: MemberCtx, transaction: MissingTransaction): Promise<Explanation> {
  rejectFutureDate(ctx, transaction.date)
  const claimed = toClaimed(ctx, transaction)
  const explanation = await explainTransaction(ctx, claimed)
  if (explanation.outcome !== 'unexplained') return explanation
  const similar = await findSimilarClaim(ctx.db, claimed, await findMerchantId(ctx.db, transaction))
  return similar ? { outcome: 'claimed', findings: [claimedFinding(similar)], claimId: similar.public_id } : explanation
}

function toClaimed(ctx: MemberCtx, transaction: MissingTransaction): ClaimedTransaction {
  return { ...transaction, memberId: ctx.actor.memberId, cents: parseDollars(transaction.amount) as number }
}

function claimedFinding(claim: store.ClaimRow): Sentence {
  const date = new Date(`${claim.transaction_date}T00:00:00Z`)
  return {
    key: 'claims.already_claimed',
    params: {
      amount: formatCents(claim.amount_cents),
      merchant: claim.merchant_name,
      date: date.toLocaleDateString('en-US', { timeZone: 'UTC', dateStyle: 'medium' }),
    },
  }
}

/** Returns the id of the restaurant; null when it is unknown or several have the name. */
async function findMerchantId(db: Db, transaction: MissingTransaction): Promise<number | null> {
  const merchant = await store.findMerchant(db, transaction)
  return merchant === undefined || merchant === 'several' ? null : merchant.id
}

/** Returns the member's first claim that may be about this meal. */
async function findSimilarClaim(
  db: Db | Tx,
  { memberId, date, merchantName, cents }: Pick<ClaimedTransaction, 'memberId' | 'date' | 'merchantName' | 'cents'>,
  merchantId: number | null,
): Promise<store.ClaimRow | undefined> {
  const meal = { merchantId, merchantName, dinedAt: noonOf(date), cents }
  const claims = await store.listClaimsAround(db, memberId, date)
  return claims.find((claim) => areSimilarClaims(meal, mealOf(claim)))
}

const noonOf = (date: string) => new Date(`${date}T12:00:00Z`)

function mealOf(claim: store.ClaimRow): ClaimedMeal {
  return {
    merchantId: claim.merchant_id,
    merchantName: claim.merchant_name,
    dinedAt: noonOf(claim.transaction_date),
    cents: claim.amount_cents,
  }
}

function rejectFutureDate(ctx: Ctx, date: string): void {
  if (isFutureDate(date, ctx.now())) throw new ValidationError([{ field: 'date', message: 'claims.date_wrong' }])
}

export interface ClaimForm extends MissingTransaction {
  note: string
  /** It is none of the similar meals in the history and in earlier claims. */
  anotherMeal: boolean
  receipt?: { name: string; type: ReceiptType; content: string } | undefined
}

/**
 * Opens a claim of the signed-in member; a repeated request returns the same claim. A meal has one claim, and none when
 * it is in the history: unless the member says that it was another one, throws `mealClaimed` with the earlier claim, and
 * `mealFound` with the transaction. Also throws error codes `claimTooEarly` and `tooManyClaims`, and field errors.
 */
export async function openClaim(ctx: MemberCtx, form: ClaimForm): Promise<Claim> {
  rejectFutureDate(ctx, form.date)
  if (!isOverdue(form.date, ctx.now())) throw new ApiError('claimTooEarly')
  const memberId = ctx.actor.memberId
  const receipt = readReceipt(form.receipt)
  const { anotherMeal } = form
  const explanation = await explainTransaction(ctx, { ...toClaimed(ctx, form), isAnother: anotherMeal })
  const merchantId = await findMerchantId(ctx.db, form)
  const cards = await store.listCardLinks(ctx.db, memberId)
  return inTransaction(ctx.db, async (tx) => {
    // Counted under the lock, so that concurrent requests cannot all use the last place.
    await lockOwnMember(tx, ctx)
    const transaction = {
      memberId,
      date: form.date,
      merchantName: form.merchantName,
      cents: parseDollars(form.amount) as number,
    }
    const existing = await store.findExistingClaim(tx, transaction)
    if (existing) return claimOf(existing)
    const similar = anotherMeal ? undefined : await findSimilarClaim(tx, transaction, merchantId)
    if (similar) throw new ApiError('mealClaimed', { claim: similar.public_id })
    if (explanation.transactionId !== undefined) {
      throw new ApiError('mealFound', { transaction: explanation.transactionId })
    }
    assertWithinLimits(await store.getUsage(tx, memberId), receipt?.bytes.length ?? 0)
    const row = await store.insertClaim(tx, {
      ...transaction,
      publicId: publicId(),
      merchantId,
      cardId: cards.find((card) => card.publicId === form.cardId)?.id ?? null,
      note: form.note,
      receipt,
      findings: { ...explanation, ...(anotherMeal && { anotherMeal }) },
      respondBy: new Date(ctx.now().getTime() + decisionWithinDays * DAY),
    })
    await audit(tx, ctx, { action: 'claim.opened', memberId, detail: { claim: row.public_id } })
    return claimOf(row)
  })
}

function assertWithinLimits({ open, receiptBytes }: store.ClaimUsage, newBytes: number): void {
  if (open >= maxOpenClaims) throw new ApiError('tooManyClaims')
  if (newBytes > 0 && receiptBytes + newBytes > maxStoredReceiptBytes) {
    throw new ValidationError([{ field: 'receipt', message: 'claims.receipts_full' }])
  }
}

function readReceipt(receipt: ClaimForm['receipt']): store.NewClaim['receipt'] {
  if (!receipt) return null
  const bytes = Buffer.from(receipt.content, 'base64')
  const fieldError = (message: string) => new ValidationError([{ field: 'receipt', message }])
  if (bytes.length > maxReceiptBytes) throw fieldError('claims.receipt_large')
  if (!matchesFileType(receipt.type, bytes)) throw fieldError('claims.receipt_wrong')
  return { name: receipt.name, type: receipt.type, bytes }
}

/** Returns the signed-in member's claims. */
export async function listClaims(ctx: MemberCtx): Promise<Claim[]> {
  return (await store.listClaims(ctx.db, ctx.actor.memberId)).map(claimOf)
}

interface Decision {
  code: Resolution
  words: string
  /** In the smallest unit of the currency. */
  benefit: number
  /** Network ids of the member's entries that the operator confirmed to be other meals. */
  otherMeals?: readonly string[]
}

function claimOf(row: store.ListedClaim): Claim {
  const decision = row.decision as unknown as Decision | null
  return {
    id: row.public_id,
    date: row.transaction_date,
    merchantName: row.merchant_name,
    amount: row.amount_cents / 100,
    openedAt: row.opened_at.toISOString(),
    answerBy: row.respond_by.toISOString(),
    hasReceipt: row.receipt_type !== null,
    decision: decision && {
      code: decision.code,
      words: decision.words,
      at: (row.decided_at as Date).toISOString(),
    },
  }
}

/** Executes an operator's decision on a claim, once: the reward, and an email to the member. */
export async function executeDecision(
  ctx: Ctx,
  { origin }: { origin: (partnerId: string) => string },
  claimId: number,
): Promise<void> {
  await inTransaction(ctx.db, async (tx) => {
    const memberId = await store.findDecided(tx, claimId)
    if (memberId === undefined) return
    // The member first, as the deletion of the account does.
    const asked = await lockMember(tx, memberId)
    const [claim] = await store.lockDecided(tx, { id: claimId })
    if (!claim) return
    // The account may have been merged meanwhile: its claims are those of the other one.
    const member = claim.member_id === memberId ? asked : await lockMember(tx, claim.member_id)
    const decision = member && !member.deleted_at ? await creditDecided(tx, ctx, claim) : decisionOf(claim)
    if (member && !member.deleted_at) {
      await queueEmail(tx, ctx, {
        memberId: member.id,
        recipient: member.email,
        topic: 'claim.decided',
        about: claim.public_id,
        content: decisionEmail(ctx, { claim, decision, name: member.first_name, origin: origin(ctx.partnerId) }),
      })
    }
    await finish(tx, ctx, claim, decision)
  })
}

/**
 * Executes what operators have decided about a member's claims and no job has executed yet, before the account is deleted:
 * its last payout contains it. Writes no email. The caller holds the member's lock.
 */
export async function executeDecisionsOf(tx: Tx, ctx: Ctx, memberId: number): Promise<void> {
  for (const claim of await store.lockDecided(tx, { memberId })) {
    await finish(tx, ctx, claim, await creditDecided(tx, ctx, claim))
  }
}

const decisionOf = (claim: store.ClaimRow) => claim.decision as unknown as Decision

/** Posts the reward of a decision. Returns the decision, which is another one when the meal is paid already. */
async function creditDecided(tx: Tx, ctx: Ctx, claim: store.ClaimRow): Promise<Decision> {
  const decision = decisionOf(claim)
  if (decision.code !== 'credited' || decision.benefit === 0 || (await credit(tx, ctx, claim, decision)))
    return decision
  // The transaction itself has earned, or another claim for it was credited.
  const earned: Decision = { ...decision, code: 'alreadyEarned', benefit: 0 }
  await store.updateDecision(tx, claim.id, { ...earned })
  return earned
}

async function finish(tx: Tx, ctx: Ctx, claim: store.ClaimRow, { code, benefit }: Decision): Promise<void> {
  await audit(tx, ctx, {
    action: 'claim.settled',
    memberId: claim.member_id,
    detail: { claim: claim.public_id, code, benefit, by: claim.decided_by },
  })
  await store.markExecuted(tx, claim.id)
}

async function credit(
  tx: Tx,
  ctx: Ctx,
  claim: store.ClaimRow,
  { benefit, otherMeals = [] }: Decision,
): Promise<boolean> {
  const cards = await store.listCardLinks(tx, claim.member_id)
  const isNamed = ({ id }: store.CardLinkPeriod) => id === claim.card_id
  const card = cards.find(isNamed) ?? cards.find((each) => wasLinked(each, claim.transaction_date)) ?? cards[0]
  return postManualCredit(tx, ctx, {
    ...mealOf(claim),
    memberId: claim.member_id,
    cardId: card?.id ?? null,
    cardLastFour: card?.lastFour ?? '0000',
    claimId: claim.public_id,
    benefit,
    otherMeals,
  })
}

interface DecisionEmailInput {
  claim: store.ClaimRow
  decision: Decision
  name: string
  origin: string
}

function decisionEmail(ctx: Ctx, { claim, decision, name, origin }: DecisionEmailInput): EmailContent {
  const outcome = ctx.t(`claims.decided_${decision.code}`)
  const date = new Date(`${claim.transaction_date}T00:00:00Z`).toLocaleDateString('en-US', {
    timeZone: 'UTC',
    dateStyle: 'long',
  })
  const values = { name, merchant: claim.merchant_name, amount: formatCents(claim.amount_cents), date, outcome }
  const t = (key: string) => interpolate(ctx.t(`claims.mail.${key}`), values)
  return {
    subject: t('subject'),
    preview: t('preview'),
    title: t('title'),
    paragraphs: [t('body'), outcome, ...(decision.words === '' ? [] : [decision.words])],
    facts: [],
    action: { text: t('action'), href: `${origin}/account/missing_meal` },
    smallPrint: [],
  }
}
