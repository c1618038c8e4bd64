import { type EmailContent, queueEmail } from '../../identity/email/service.ts'
import { lockMember, lockOpenMember } from '../../identity/members/service.ts'
import { audit } from '../../platform/database/audit.ts'
import { inTransaction, type Tx } from '../../platform/database/db.ts'
import { ApiError, ValidationError } from '../../platform/errors.ts'
import type { Ctx, MemberCtx } from '../../platform/http/context.ts'
import { interpolate } from '../../platform/interpolate.ts'
import { formatCents, parseDollars } from '../../platform/money.ts'
import { publicId } from '../../platform/security/ids.ts'
import { DAY } from '../../platform/time.ts'
import { postManualCredit } from '../awards/manual-credit.ts'
import type { Claim, Explanation } from './contract.ts'
import { explainTransaction, wasLinked } from './explain-missing.ts'
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

export { purgeReceipts, redactAndCloseClaims } from './store.ts'

/** Returns the findings about a transaction that the signed-in member misses. */
export async function explain(ctx: MemberCtx, transaction: MissingTransaction): Promise<Explanation> {
  rejectFutureDate(ctx, transaction.date)
  const { memberId } = ctx.actor
  const claimed = { ...transaction, memberId, cents: parseDollars(transaction.amount) as number }
  const explanation = await explainTransaction(ctx, claimed)
  const isClaimed = explanation.outcome === 'unexplained' && (await store.findExistingClaim(ctx.db, claimed))
  return isClaimed ? { outcome: 'claimed', findings: [{ key: 'claims.already_claimed', params: {} }] } : explanation
}

function rejectFutureDate(ctx: Ctx, date: string): void {
  if (isFutureDate(date, ctx.now())) throw new ValidationError([{ field: 'date', message: 'claims.date_wrong' }])
}

export interface ClaimForm extends MissingTransaction {
  note: string
  receipt?: { name: string; type: ReceiptType; content: string } | undefined
}

/**
 * Opens a claim of the signed-in member; a repeated request returns the same claim. Throws error codes `claimTooEarly`
 * and `tooManyClaims`, and field errors.
 */
export async function openClaim(ctx: MemberCtx, form: ClaimForm): Promise<Claim> {
  rejectFutureDate(ctx, form.date)
  if (!isOverdue(form.date, ctx.now())) throw new ApiError('claimTooEarly')
  const memberId = ctx.actor.memberId
  const receipt = readReceipt(form.receipt)
  const explanation = await explain(ctx, form)
  const merchant = await store.findMerchant(ctx.db, form)
  const cards = await store.listCardLinks(ctx.db, memberId)
  return inTransaction(ctx.db, async (tx) => {
    // Counted under the lock, so that concurrent requests cannot all use the last place.
    await lockOpenMember(tx, memberId)
    const transaction = {
      memberId,
      date: form.date,
      merchantName: form.merchantName,
      cents: parseDollars(form.amount) as number,
    }
    const existing = await store.findExistingClaim(tx, transaction)
    if (existing) return claimOf(existing)
    assertWithinLimits(await store.getUsage(tx, memberId), receipt?.bytes.length ?? 0)
    const row = await store.insertClaim(tx, {
      ...transaction,
      publicId: publicId(),
      merchantId: merchant === undefined || merchant === 'several' ? null : merchant.id,
      cardId: cards.find((card) => card.publicId === form.cardId)?.id ?? null,
      note: form.note,
      receipt,
      findings: explanation,
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
    const claim = await store.lockDecided(tx, claimId)
    if (claim) await settleClaim(tx, ctx, origin(ctx.partnerId), claim)
  })
}

async function settleClaim(tx: Tx, ctx: Ctx, origin: string, claim: store.ClaimRow): Promise<void> {
  const member = await lockMember(tx, claim.member_id)
  let decision = claim.decision as unknown as Decision
  if (member && !member.deleted_at) {
    if (decision.code === 'credited' && decision.benefit > 0 && !(await credit(tx, ctx, claim, decision))) {
      // The transaction itself has arrived since the decision, and has earned.
      decision = { ...decision, code: 'alreadyEarned', benefit: 0 }
      await store.updateDecision(tx, claim.id, { ...decision })
    }
    await queueEmail(tx, ctx, {
      memberId: member.id,
      recipient: member.email,
      topic: 'claim.decided',
      about: claim.public_id,
      content: decisionEmail(ctx, { claim, decision, name: member.first_name, origin }),
    })
  }
  await audit(tx, ctx, {
    action: 'claim.settled',
    memberId: claim.member_id,
    detail: { claim: claim.public_id, code: decision.code, benefit: decision.benefit, by: claim.decided_by },
  })
  await store.markExecuted(tx, claim.id)
}

async function credit(tx: Tx, ctx: Ctx, claim: store.ClaimRow, { benefit }: Decision): Promise<boolean> {
  const cards = await store.listCardLinks(tx, claim.member_id)
  const isNamed = ({ id }: store.CardLinkPeriod) => id === claim.card_id
  const card = cards.find(isNamed) ?? cards.find((each) => wasLinked(each, claim.transaction_date)) ?? cards[0]
  return postManualCredit(tx, ctx, {
    memberId: claim.member_id,
    cardId: card?.id ?? null,
    cardLastFour: card?.lastFour ?? '0000',
    merchantId: claim.merchant_id,
    merchantName: claim.merchant_name,
    reference: `claim:${claim.public_id}`,
    cents: claim.amount_cents,
    benefit,
    dinedAt: new Date(`${claim.transaction_date}T12:00:00Z`),
    decidedAt: claim.decided_at as Date,
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
