import { actName } from '../../../console-kit/act-words.ts'
import { dayText } from '../../../console-kit/times.ts'
import { lockMember } from '../../../identity/members/service.ts'
import { type Db, inTransaction } from '../../../platform/database/db.ts'
import { ApiError } from '../../../platform/errors.ts'
import type { OperatorCtx } from '../../../platform/http/operator.ts'
import { HOUR } from '../../../platform/time.ts'
import { formatReward } from '../../../programs/partners/rates.ts'
import { clockText } from '../rules.ts'
import { cancelForMember, confirmReservation, type ReservationDeps } from '../service.ts'
import * as reservations from '../store.ts'
import type { ListedReservation, ReservationDetail } from './contract.ts'
import * as store from './store.ts'

export interface ReservationsConsoleDeps {
  reservationDeps: ReservationDeps
  /** Explains the bonus of a reservation. Rewards are above reservations, so it is passed in. */
  explainBonus: (
    db: Db,
    reservation: { memberId: number; merchantId: number; publicId: string },
  ) => Promise<{ code: string; meals: { id: string; dinedAt: Date; code: string }[] }>
}

function toListed(ctx: OperatorCtx, row: store.ListedRow): ListedReservation {
  const { id, date, time, partySize, merchantName, memberName, memberId, bonus, bonusEarned } = row
  return {
    id,
    date,
    time,
    partySize,
    merchantName,
    memberName,
    memberId,
    startsAt: row.startsAt.toISOString(),
    state: row.noShowAt ? 'noShow' : (row.status as ListedReservation['state']),
    confirmation: row.confirmation ?? '',
    bonus: bonus && formatReward(ctx.program.config, bonus.amount),
    bonusEarned,
  }
}

/** Returns one page of a program's reservations. */
export async function listReservationsOfProgram(ctx: OperatorCtx, query: Parameters<typeof store.listReservations>[1]) {
  const { rows, next, total } = await store.listReservations(ctx.db, query, ctx.program.config.timeZone)
  return { items: rows.map((row) => toListed(ctx, row)), next, total }
}

const bonusWords: Readonly<Record<string, string>> = {
  paid: 'The bonus is paid: a meal in time, by a linked card, has honored the reservation.',
  noBonus: 'There is no bonus on this day: no meal earns here then, or the program gives none.',
  notConfirmed: 'There is no bonus: the reservation was never confirmed, was canceled, or the guests did not come.',
  noMeal: 'There is no bonus yet: no transaction of the member at this restaurant is known around that day.',
  dayPaid: 'There is no bonus: a day at a restaurant pays once, and another reservation of that day has it.',
  noneFits: 'There is no bonus: none of the transactions around that day fits. See why below.',
}

/** A reservation whose time is still to come may earn its bonus yet. */
const toCome = ['noMeal', 'noneFits']
const toComeWords =
  'The bonus is still to be earned: by a meal within two hours of the reserved time, paid with a linked card.'

const mealWords: Readonly<Record<string, string>> = {
  honors: 'It has honored the reservation.',
  noDine: 'It is not final, or it earns nothing itself.',
  notOnTime: 'It was authorized more than two hours before or after the reserved time.',
  beforeAgreed: 'It was authorized before this time was agreed on.',
  honorsAnother: 'It fits, and honors another reservation.',
}

const historyWords: Readonly<Record<string, string>> = {
  'reservation.booked': 'Booked',
  'reservation.changed': 'Changed',
  'reservation.canceled': 'Canceled',
}

async function requireRow(ctx: OperatorCtx, id: string): Promise<store.ListedRow> {
  const row = await store.findReservation(ctx.db, id)
  if (!row) throw new ApiError('notFound')
  return row
}

/** Returns a reservation with its history. Throws `notFound`. */
export async function getReservation(
  ctx: OperatorCtx,
  { explainBonus }: ReservationsConsoleDeps,
  id: string,
): Promise<ReservationDetail> {
  const row = await requireRow(ctx, id)
  const [history, messages, bonus] = await Promise.all([
    store.listHistory(ctx.db, row),
    store.listMessages(ctx.db, row.rowId),
    explainBonus(ctx.db, { memberId: row.memberRowId, merchantId: row.merchantRowId, publicId: id }),
  ])
  return {
    ...toListed(ctx, row),
    merchantId: row.merchantId,
    city: row.city,
    provider: row.provider,
    bookedAt: row.createdAt.toISOString(),
    agreedAt: row.agreedAt.toISOString(),
    isOver: row.startsAt <= ctx.now(),
    bonusWords:
      !isEarnable(row, ctx.now()) || !toCome.includes(bonus.code)
        ? (bonusWords[bonus.code] ?? bonus.code)
        : toComeWords,
    meals: bonus.meals.map(({ id: meal, dinedAt, code }) => ({
      id: meal,
      dinedAt: dinedAt.toISOString(),
      words: mealWords[code] ?? code,
    })),
    history: history.map(({ at, action, by, reason }) => ({
      at: at.toISOString(),
      text: `${historyWords[action] ?? actName(action)}${reason && `: ${reason}`}`,
      by,
    })),
    messages: messages.map((message) => ({ ...message, at: message.at.toISOString() })),
  }
}

/** Returns whether a meal can still be in time: until two hours after the reserved time. */
const isEarnable = ({ startsAt }: store.ListedRow, now: Date) => now.getTime() <= startsAt.getTime() + 2 * HOUR

const objectOf = ({ id, merchantName, date, time }: store.ListedRow) => ({
  type: 'reservation',
  id,
  label: `${merchantName}, ${dayText(date)}, ${clockText(time)}`,
})

/** Throws `conflict` for a failure that means that somebody else changed the reservation meanwhile. */
function toConflict(error: unknown): never {
  const conflicts = ['alreadyOver', 'reservationChanged', 'reservationNotFound']
  throw error instanceof ApiError && conflicts.includes(error.code) ? new ApiError('conflict') : error
}

/** Asks the provider again for a table whose booking had no known outcome. Throws `conflict` in any other state. */
export async function confirmByOperator(
  ctx: OperatorCtx,
  deps: ReservationsConsoleDeps,
  id: string,
): Promise<ReservationDetail> {
  const listed = await requireRow(ctx, id)
  if (listed.status !== 'booking') throw new ApiError('conflict')
  // Recorded before: the provider is asked outside of any transaction, whatever it answers.
  await inTransaction(ctx.db, (tx) =>
    ctx.record(tx, { object: objectOf(listed), before: { state: 'booking' }, memberId: listed.memberRowId }),
  )
  const row = (await reservations.findById(ctx.db, listed.rowId)) as reservations.ReservationRow
  await confirmReservation(ctx, deps.reservationDeps, row).catch(toConflict)
  return getReservation(ctx, deps, id)
}

/** Cancels a reservation as its member does. Throws `conflict` when it is over, canceled, or at another time. */
export async function cancelByOperator(
  ctx: OperatorCtx,
  deps: ReservationsConsoleDeps,
  id: string,
  { startsAt, reason }: { startsAt: string; reason: string },
): Promise<ReservationDetail> {
  const listed = await requireRow(ctx, id)
  const row = (await reservations.findById(ctx.db, listed.rowId)) as reservations.ReservationRow
  if (listed.noShowAt) throw new ApiError('conflict')
  await cancelForMember(ctx, deps.reservationDeps, row, {
    startsAt,
    record: (tx) =>
      ctx.record(tx, {
        object: objectOf(listed),
        before: { state: listed.status },
        after: { state: 'canceled' },
        reason,
        memberId: listed.memberRowId,
      }),
  }).catch(toConflict)
  return getReservation(ctx, deps, id)
}

/**
 * Marks that the guests did not come, so that no later transaction earns the bonus, or takes the mark back. Throws
 * `tooEarly` before its time, `honored` when a meal has earned the bonus, and `conflict` when it is so already.
 */
export async function markNoShow(
  ctx: OperatorCtx,
  deps: ReservationsConsoleDeps,
  id: string,
  isNoShow: boolean,
): Promise<ReservationDetail> {
  await inTransaction(ctx.db, async (tx) => {
    const first = await requireRow(ctx, id)
    await lockMember(tx, first.memberRowId)
    const row = (await store.findReservation(tx, id)) ?? first
    if (isNoShow && row.startsAt > ctx.now()) throw new ApiError('tooEarly')
    if (isNoShow && row.bonusEarned) throw new ApiError('honored')
    if (!(await store.setNoShow(tx, row.rowId, isNoShow ? ctx.now() : null))) throw new ApiError('conflict')
    await deps.reservationDeps.settleBonus(tx, ctx, {
      memberId: row.memberRowId,
      merchantId: row.merchantRowId,
      publicId: id,
      dates: [row.date],
    })
    await ctx.record(tx, {
      object: objectOf(row),
      before: { noShow: !isNoShow },
      after: { noShow: isNoShow },
      memberId: row.memberRowId,
    })
  })
  return getReservation(ctx, deps, id)
}
