import { mayEverywhere } from '../../../console-kit/permissions.ts'
import { inTransaction, type Tx } from '../../../platform/database/db.ts'
import { ApiError } from '../../../platform/errors.ts'
import type { OperatorCtx } from '../../../platform/http/operator.ts'
import { formatCents } from '../../../platform/money.ts'
import { DAY, dayIn } from '../../../platform/time.ts'
import { lockOperatorLimit, needsSecondOperator } from '../../awards/operator-limits.ts'
import { matchingDays } from '../../awards/pending.ts'
import { dayText } from '../../earning/explain.ts'
import { attach, type ChangedTransaction, type Target } from '../attach.ts'
import { summarize } from './changes.ts'
import type { AttachPreview, LikelyRestaurant, UnmatchedDetail, UnmatchedTransaction } from './contract.ts'
import { likenessOfRestaurant, type Place } from './likely.ts'
import * as store from './unmatched-store.ts'

function toUnmatched(row: store.UnmatchedRow): UnmatchedTransaction {
  const { id, merchantName, cents, cardLastFour, dinedAt, missing, ignoredAt, ignoredBy, ignoredReason } = row
  return {
    id,
    merchantName,
    cents,
    cardLastFour,
    missing,
    dinedAt: dinedAt.toISOString(),
    waitsUntil: new Date(dinedAt.getTime() + matchingDays * DAY).toISOString(),
    ignored: ignoredAt && { by: ignoredBy ?? '', at: ignoredAt.toISOString(), reason: ignoredReason ?? '' },
  }
}

/** Returns one page of the queue. */
export async function listUnmatched(ctx: OperatorCtx, query: Omit<store.UnmatchedFilter, 'lateBefore'>) {
  const lateBefore = new Date(ctx.now().getTime() - matchingDays * DAY)
  const { rows, next, total } = await store.listUnmatched(ctx.db, { ...query, lateBefore })
  return { items: rows.map(toUnmatched), next, total }
}

async function requireUnmatched(ctx: OperatorCtx, id: string, db: OperatorCtx['db'] | Tx = ctx.db) {
  const row = await store.findUnmatched(db, id)
  if (!row) throw new ApiError('notFound')
  return row
}

/** Suggestions with less speak for nothing. */
const leastScore = 20
const maxSuggestions = 5

/** Returns an unmatched transaction with suggestions. Throws `notFound`, also for one that is matched. */
export async function getUnmatched(ctx: OperatorCtx, id: string): Promise<UnmatchedDetail> {
  const row = await requireUnmatched(ctx, id)
  if (row.unmatched === null) throw new ApiError('notFound')
  const place = placeOf(row)
  const [candidates, cards] = await Promise.all([
    row.merchantId === null ? store.listCandidates(ctx.db, place) : [],
    row.missing === 'card' ? store.listCards(ctx.db, row) : [],
  ])
  const restaurants = candidates
    .map((candidate) => ({ candidate, ...likenessOfRestaurant(place, candidate) }))
    .filter(({ score }) => score >= leastScore)
    .toSorted((a, b) => b.score - a.score || a.candidate.rowId - b.candidate.rowId)
    .slice(0, maxSuggestions)
  const { networkId, locationId, restaurantName, memberName, waiting } = row
  return {
    ...toUnmatched(row),
    networkId,
    locationId,
    restaurantName,
    memberName,
    waiting,
    address: [place.address, place.city, place.zipCode].filter((part) => part !== '').join(', '),
    restaurants: restaurants.map(({ candidate, why }) => toRestaurant(candidate, why)),
    cards: cards.map((card) => ({
      id: card.id,
      memberName: card.memberName,
      memberId: card.memberId,
      label: `${card.cardType} ending in ${card.lastFour}`,
      why: reasonsForCard(ctx, card, row),
    })),
  }
}

function placeOf({ merchantName, locationId, location }: store.UnmatchedEvidence): Place {
  const text = (...names: string[]) =>
    names.map((name) => location?.[name]).find((value): value is string => typeof value === 'string') ?? ''
  return {
    name: merchantName,
    locationId,
    address: text('address', 'address1', 'street'),
    city: text('city'),
    zipCode: text('postcode', 'postalCode', 'zip', 'zipCode'),
  }
}

const toRestaurant = (row: store.RestaurantRow, why: string[]): LikelyRestaurant => ({
  id: row.id,
  name: row.name,
  address: [row.address1, row.city, row.state].filter((part) => part !== '').join(', '),
  isParticipating: row.participating,
  why,
})

function reasonsForCard(ctx: OperatorCtx, card: store.CardRow, row: store.UnmatchedEvidence): string[] {
  const day = (at: Date) => dayText(dayIn(at, ctx.program.config.timeZone))
  return [
    'has the same last four digits',
    ...(card.hasDinedThere ? ['its member has dined there before'] : []),
    card.linkedAt <= row.dinedAt
      ? `linked ${day(card.linkedAt)}, before the meal`
      : `linked ${day(card.linkedAt)}, after the meal`,
    ...(card.removedAt ? [`removed ${day(card.removedAt)}`] : []),
    ...(row.scheme ? [`the network calls it ${row.scheme}`] : []),
  ]
}

/** Returns restaurants by the beginning of their names. */
export async function findRestaurants(ctx: OperatorCtx, text: string): Promise<LikelyRestaurant[]> {
  return (await store.findRestaurants(ctx.db, text)).map((row) => toRestaurant(row, []))
}

export interface TargetForm {
  kind: 'restaurant' | 'card'
  id: string
}

/**
 * Returns what a form names. A restaurant and its network ids belong to all programs, so only who may attach in all of
 * them teaches it one: throws `sharedRestaurant`. A card has the last four digits of the transaction: throws `notFound`.
 */
async function targetOf(ctx: OperatorCtx, row: store.UnmatchedRow, { kind, id }: TargetForm): Promise<Target> {
  if (kind === 'restaurant' && !mayEverywhere(ctx.operator, 'transactions.attach'))
    throw new ApiError('sharedRestaurant')
  const found =
    kind === 'card' ? await store.findCardId(ctx.db, id, row.cardLastFour) : await store.findRestaurantId(ctx.db, id)
  if (found === undefined) throw new ApiError('notFound')
  return kind === 'card' ? { cardId: found } : { merchantId: found }
}

/** Returns a transaction that waits in the queue. Throws `notFound`, and `setAside` when somebody has set it aside. */
async function requireQueued(ctx: OperatorCtx, id: string) {
  const row = await requireUnmatched(ctx, id)
  if (row.unmatched !== null && row.ignoredAt) throw new ApiError('setAside')
  return row
}

/** Returns what attaching would do, by doing it in a transaction that is rolled back. Throws `setAside`. */
export async function previewAttach(ctx: OperatorCtx, id: string, form: TargetForm): Promise<AttachPreview> {
  const row = await requireQueued(ctx, id)
  const changed = await attach(ctx, row.networkId, await targetOf(ctx, row, form), { isDry: true })
  await requireAlone(ctx.db, ctx, form, changed)
  return summarize(ctx, changed)
}

const unitsOf = (changed: readonly ChangedTransaction[]) => changed.reduce((sum, { is }) => sum + is.benefit, 0)

/**
 * A card that has the last four digits may be a friend's, so what attaching gives it counts toward what one operator does
 * alone. Throws `tooMuchAlone`, but not to those who approve requests.
 */
async function requireAlone(
  db: OperatorCtx['db'] | Tx,
  ctx: OperatorCtx,
  { kind }: TargetForm,
  changed: readonly ChangedTransaction[],
): Promise<void> {
  const memberId = changed[0]?.is.member_id
  if (kind !== 'card' || memberId === undefined || memberId === null || ctx.may('approvals.decide')) return
  if (await needsSecondOperator(db, ctx, { memberId, amount: unitsOf(changed) })) throw new ApiError('tooMuchAlone')
}

/**
 * Attaches a transaction. Throws `conflict` when it is no longer unmatched, or when the outcome is another than the one
 * that the operator was shown, `setAside` when somebody has set it aside, and `tooMuchAlone`: nothing is stored then.
 */
export async function attachTransaction(
  ctx: OperatorCtx,
  id: string,
  { target, reason, fingerprint }: { target: TargetForm; reason: string; fingerprint: string },
): Promise<AttachPreview> {
  const row = await requireQueued(ctx, id)
  const changed = await attach(ctx, row.networkId, await targetOf(ctx, row, target), {
    isDry: false,
    record: async (tx, done) => {
      // The row was written by now, so whoever sets it aside waits, or has done so.
      if (await store.isIgnored(tx, row.rowId)) throw new ApiError('setAside')
      const outcome = await summarize(ctx, done, tx)
      await lockOperatorLimit(tx, ctx)
      await requireAlone(tx, ctx, target, done)
      if (outcome.fingerprint !== fingerprint) throw new ApiError('conflict')
      await ctx.record(tx, {
        object: objectOf(row),
        before: { missing: row.missing },
        after: {
          [target.kind]: target.id,
          transactions: outcome.count,
          reward: outcome.reward,
          ...(target.kind === 'card' && { units: unitsOf(done) }),
        },
        reason,
        memberId: done[0]?.is.member_id ?? null,
      })
    },
  })
  return summarize(ctx, changed)
}

const objectOf = ({ id, merchantName, cents }: store.UnmatchedRow) => ({
  type: 'transaction',
  id,
  label: `${merchantName}, ${formatCents(cents)}`,
})

/** Sets a transaction aside. Throws `notFound`, and `conflict` when it is matched or set aside by now. */
export async function ignoreTransaction(ctx: OperatorCtx, id: string, reason: string): Promise<UnmatchedDetail> {
  await inTransaction(ctx.db, async (tx) => {
    const row = await requireUnmatched(ctx, id, tx)
    const isNew =
      (await store.lockUnmatched(tx, row.rowId)) &&
      (await store.insertIgnored(tx, row.rowId, { reason, by: ctx.operator.name }))
    if (!isNew) throw new ApiError('conflict')
    await ctx.record(tx, { object: objectOf(row), before: { state: 'open' }, after: { state: 'ignored' }, reason })
  })
  return getUnmatched(ctx, id)
}

/** Puts a transaction back into the queue. Throws `notFound`, and `conflict` when it is there. */
export async function restoreTransaction(ctx: OperatorCtx, id: string): Promise<UnmatchedDetail> {
  await inTransaction(ctx.db, async (tx) => {
    const row = await requireUnmatched(ctx, id, tx)
    if (!(await store.deleteIgnored(tx, row.rowId))) throw new ApiError('conflict')
    await ctx.record(tx, { object: objectOf(row), before: { state: 'ignored' }, after: { state: 'open' } })
  })
  return getUnmatched(ctx, id)
}
