import { askApproval, findOpenRequest } from '../../../console-kit/approvals/service.ts'
import { lockMember } from '../../../identity/members/service.ts'
import { inTransaction, type Tx } from '../../../platform/database/db.ts'
import { ApiError, ValidationError } from '../../../platform/errors.ts'
import type { OperatorCtx } from '../../../platform/http/operator.ts'
import { interpolate } from '../../../platform/interpolate.ts'
import { formatCents } from '../../../platform/money.ts'
import { formatReward } from '../../../programs/partners/rates.ts'
import { lockOperatorLimit, needsSecondOperator } from '../../awards/operator-limits.ts'
import { ordinaryReward } from '../../earning/rules.ts'
import { unitOf } from '../../earning/terms.ts'
import { getBalance } from '../../ledger/entries.ts'
import type { Explanation } from '../contract.ts'
import type { Resolution } from '../rules.ts'
import type { ClaimDetail, QueuedClaim } from './contract.ts'
import { rewardFieldFor } from './reward-field.ts'
import * as store from './store.ts'

export { rewardFieldFor } from './reward-field.ts'

/** A larger reward, as a multiple of the expected one, is credited only after a confirmation. */
const maxTimesExpected = 2

interface StoredDecision {
  code: Resolution
  words: string
  /** In the smallest unit of the currency. */
  benefit: number
}

type Decided = Pick<store.ConsoleClaim, 'decision' | 'deciderName' | 'decidedAt'>

function toDecision(ctx: OperatorCtx, { decision, deciderName, decidedAt }: Decided): QueuedClaim['decision'] {
  if (!decidedAt) return null
  const { code, words, benefit } = decision as StoredDecision
  const reward = benefit > 0 ? formatReward(ctx.program.config, benefit) : ''
  return { code, words, reward, by: deciderName ?? '', at: decidedAt.toISOString() }
}

type Listed = Omit<store.QueuedClaim, 'cursorKey' | 'cursorId'>

function toQueued(ctx: OperatorCtx, claim: Listed): QueuedClaim {
  const { publicId: id, merchantName, dinedOn, amountCents, memberName, hasReceipt, ownerId, ownerName } = claim
  return {
    id,
    merchantName,
    dinedOn,
    amountCents,
    memberName,
    hasReceipt,
    openedAt: claim.openedAt.toISOString(),
    respondBy: claim.respondBy.toISOString(),
    owner: ownerName === null ? null : { name: ownerName, isMe: ownerId === ctx.operator.id },
    decision: toDecision(ctx, claim),
  }
}

interface QueueQuery {
  state: 'open' | 'late' | 'decided'
  owner: 'anybody' | 'me' | 'nobody'
  q?: string | undefined
  cursor?: string | undefined
  limit: number
}

/** Returns one page of the claims of a program. */
export async function listClaimQueue(ctx: OperatorCtx, { state, owner, q, cursor, limit }: QueueQuery) {
  const ownerId = { anybody: undefined, me: ctx.operator.id, nobody: null }[owner]
  const filter = { state, now: ctx.now(), owner: ownerId, text: q, cursor, limit }
  const { rows, next, total } = await store.listClaimQueue(ctx.db, filter)
  return { items: rows.map((row) => toQueued(ctx, row)), next, total }
}

/** Returns a claim with its evidence. Throws `notFound`. */
export async function getClaim(ctx: OperatorCtx, id: string): Promise<ClaimDetail> {
  const claim = await store.findClaim(ctx.db, id)
  if (!claim) throw new ApiError('notFound')
  const { config } = ctx.program
  const { findings, anotherMeal = false } = claim.findings as Explanation & { anotherMeal?: boolean }
  const [{ similar, more }, similarClaims, request] = await Promise.all([
    store.listSimilarTransactions(ctx.db, claim),
    store.listSimilarClaims(ctx.db, claim),
    findOpenRequest(ctx.db, requestOf(id)),
  ])
  const rewardField = rewardFieldFor(config)
  return {
    ...toQueued(ctx, { ...claim, hasReceipt: claim.receiptType !== null }),
    memberId: claim.memberPublicId,
    restaurant: claim.restaurant,
    note: claim.note,
    receiptType: claim.receiptType,
    cardLastFour: claim.cardLastFour,
    findings: findings.map(({ key, params }) => interpolate(ctx.t(key), params)),
    saysAnother: anotherMeal,
    similarTransactions: similar.map(({ unmatched, dinedAt, ...rest }) => ({
      ...rest,
      dinedAt: dinedAt.toISOString(),
      isUnmatched: unmatched === 'card',
    })),
    moreUnmatched: more,
    similarClaims: similarClaims.map(({ publicId: otherId, ...rest }) => ({ id: otherId, ...rest })),
    suggestedReward: rewardField.format(expectedBenefit(ctx, claim)),
    rewardUnit: rewardField.unit,
    waits: request ? { approval: request.id, summary: request.summary } : null,
  }
}

/**
 * Returns the reward that the member was shown as expected, in the smallest unit; where none was shown, that of the bill
 * at the ordinary rate of the program.
 */
function expectedBenefit(ctx: OperatorCtx, claim: store.ConsoleClaim): number {
  const { findings } = claim.findings as Explanation
  const shown = findings.find(({ key }) => key === 'claims.would_earn')?.params.smallestUnits
  return shown === undefined ? ordinaryReward(ctx.program.config, claim.amountCents, 'OptedIn') : Number(shown)
}

const objectOf = ({ publicId: id, merchantName, amountCents }: store.ConsoleClaim) => ({
  type: 'claim',
  id,
  label: `${merchantName}, ${formatCents(amountCents)}`,
})

export interface DecisionForm {
  code: Resolution
  words: string
  reward: string
  confirmedReward: string
  otherMeals: readonly string[]
}

/** The request for a large credit: at most one is open for a claim. */
const requestOf = (claim: string) => ({ kind: 'claim', subject: claim })

interface Payload {
  claim: string
  decision: store.NewDecision
}

/**
 * Stores the decision of a claim; a job then credits the meal and writes to the member. A credit above what one operator may
 * do alone becomes a request for a second one. A credit needs confirmations: of a reward of more than twice the usual one
 * (`largeReward`), and, where the meal may earn already, that it is another one (`mealEarns`). Throws `claimDecided`
 * after another decision, and `claimWaits` or `conflict` while a request is open; the same decision again changes nothing.
 */
export async function decideClaim(ctx: OperatorCtx, id: string, form: DecisionForm): Promise<ClaimDetail> {
  const claim = await store.findClaim(ctx.db, id)
  if (!claim) throw new ApiError('notFound')
  if (claim.decidedAt) return repeatDecision(ctx, claim, form)
  const decision = await readDecision(ctx, claim, form)
  await inTransaction(ctx.db, async (tx) => {
    if (await findOpenRequest(tx, requestOf(id))) throw new ApiError('claimWaits')
    if (decision.benefit > 0 && (await isAboveLimit(tx, ctx, claim, decision))) {
      return askForCredit(tx, ctx, claim, decision)
    }
    if (!(await store.storeDecision(tx, id, decision)) && !(await store.hasDecision(tx, id, decision)))
      throw new ApiError('claimDecided')
    await ctx.record(tx, {
      object: objectOf(claim),
      before: { state: 'open' },
      after: afterOf(ctx, decision),
      reason: decision.words,
      memberId: claim.memberId,
    })
  })
  return getClaim(ctx, id)
}

/** Returns whether a credit is above what the operator may do alone. Locks the member, as an adjustment does. */
async function isAboveLimit(
  tx: Tx,
  ctx: OperatorCtx,
  { memberId, publicId: id }: store.ConsoleClaim,
  decision: store.NewDecision,
): Promise<boolean> {
  await lockMember(tx, memberId)
  await lockOperatorLimit(tx, ctx)
  // The same decision again is no second credit.
  if (await store.hasDecision(tx, id, decision)) return false
  return needsSecondOperator(tx, ctx, { memberId, amount: decision.benefit })
}

/** Asks a second operator for a credit. The database refuses a second request for the same claim. */
async function askForCredit(
  tx: Tx,
  ctx: OperatorCtx,
  claim: store.ConsoleClaim,
  decision: store.NewDecision,
): Promise<void> {
  const { config } = ctx.program
  const object = objectOf(claim)
  const [reward, usual] = [decision.benefit, expectedBenefit(ctx, claim)].map((each) => formatReward(config, each))
  const summary = `Credit of ${reward} for a claim: ${object.label}, which would earn ${usual}`
  const payload: Payload = { claim: claim.publicId, decision }
  const { memberId } = claim
  const reason = 'The member claims a meal that did not earn.'
  const asked = await effectOf(tx, ctx, claim, decision)
  const request = { ...requestOf(claim.publicId), payload, asked, summary, reason, memberId }
  const approval = await askApproval(tx, ctx, request)
  await ctx.record(tx, { object, after: { asked: summary, approval }, reason: decision.words, memberId })
}

/** Returns the balance of the member before the credit of a claim, and after the job that posts it. */
async function effectOf(tx: Tx, ctx: OperatorCtx, { memberId }: store.ConsoleClaim, { benefit }: store.NewDecision) {
  const { config } = ctx.program
  const balance = await getBalance(tx, memberId, unitOf(config.currencyType))
  return { before: formatReward(config, balance), after: formatReward(config, balance + benefit) }
}

/**
 * Stores an approved credit, in the transaction of the approval. Returns the balance before and after. Throws `notFound`
 * and `claimDecided`.
 */
export async function executeClaimCredit(tx: Tx, ctx: OperatorCtx, { payload }: { payload: unknown }) {
  const { claim: id, decision } = payload as Payload
  const claim = await store.findClaim(tx, id)
  if (!claim) throw new ApiError('notFound')
  const approved = { ...decision, approvedBy: ctx.operator.email }
  if (!(await store.storeDecision(tx, id, approved))) throw new ApiError('claimDecided')
  return effectOf(tx, ctx, claim, decision)
}

const afterOf = (ctx: OperatorCtx, { code, benefit }: StoredDecision) => ({
  code,
  ...(benefit > 0 && { reward: formatReward(ctx.program.config, benefit) }),
})

/** Answers a decision that was sent twice, as by a double click. Throws `claimDecided` after another one. */
async function repeatDecision(ctx: OperatorCtx, claim: store.ConsoleClaim, form: DecisionForm): Promise<ClaimDetail> {
  const { code, words, benefit } = claim.decision as StoredDecision
  const typed = form.code === 'credited' ? rewardFieldFor(ctx.program.config).parse(form.reward) : 0
  const isSame =
    code === form.code && words === form.words && benefit === typed && claim.decidedBy === ctx.operator.email
  if (!isSame) throw new ApiError('claimDecided')
  const after = { ...afterOf(ctx, { code, words, benefit }), sentAgain: true }
  await inTransaction(ctx.db, (tx) => ctx.record(tx, { object: objectOf(claim), after, memberId: claim.memberId }))
  return getClaim(ctx, claim.publicId)
}

async function readDecision(ctx: OperatorCtx, claim: store.ConsoleClaim, form: DecisionForm) {
  const { code, words } = form
  const benefit = code === 'credited' ? readReward(ctx, claim, form) : 0
  const otherMeals = code === 'credited' ? await confirmOthers(ctx, claim, form) : []
  return { code, words, benefit, ...(otherMeals.length > 0 && { otherMeals }), by: ctx.operator.email }
}

function readReward(ctx: OperatorCtx, claim: store.ConsoleClaim, form: DecisionForm): number {
  const field = rewardFieldFor(ctx.program.config)
  const benefit = field.parse(form.reward)
  if (benefit === null) throw new ValidationError([{ field: 'reward', message: field.problem }])
  const expected = expectedBenefit(ctx, claim)
  // Only this reward was confirmed, no other one that was typed since.
  const isConfirmed = field.parse(form.confirmedReward) === benefit
  if (benefit > maxTimesExpected * Math.max(expected, 1) && !isConfirmed) {
    throw new ApiError('largeReward', { usual: formatReward(ctx.program.config, expected) })
  }
  return benefit
}

/** Returns the ids of earning transactions, when the operator has seen exactly these. */
async function confirmOthers(
  ctx: OperatorCtx,
  claim: store.ConsoleClaim,
  { otherMeals }: DecisionForm,
): Promise<readonly string[]> {
  const { similar } = await store.listSimilarTransactions(ctx.db, claim)
  const networkIds = similar.flatMap(({ earning, networkId }) => (earning ? [networkId] : []))
  const isSeen = networkIds.length === otherMeals.length && networkIds.every((each) => otherMeals.includes(each))
  if (!isSeen) throw new ApiError('mealEarns', { networkIds })
  return networkIds
}

/** Gives an open claim to the operator, or back to the queue. Throws `notFound` and `claimDecided`. */
export async function setClaimOwner(ctx: OperatorCtx, id: string, owner: 'me' | 'nobody'): Promise<ClaimDetail> {
  const ownerId = owner === 'me' ? ctx.operator.id : null
  await inTransaction(ctx.db, async (tx) => {
    const claim = await store.findClaim(tx, id)
    if (!claim) throw new ApiError('notFound')
    if (!(await store.setOwner(tx, id, ownerId))) throw new ApiError('claimDecided')
    const after = owner === 'me' ? ctx.operator.name : null
    await ctx.record(tx, { object: objectOf(claim), before: { owner: claim.ownerName }, after: { owner: after } })
  })
  return getClaim(ctx, id)
}

/** Returns a receipt. Throws `notFound`. */
export async function getReceipt(ctx: OperatorCtx, id: string): Promise<{ type: string; bytes: Buffer }> {
  const receipt = await store.findReceipt(ctx.db, id)
  if (!receipt) throw new ApiError('notFound')
  return receipt
}

export { resolutionNames } from './resolution-names.ts'
