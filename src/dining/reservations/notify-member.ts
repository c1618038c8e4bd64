import { type EmailContent, queueEmail } from '../../identity/email/service.ts'
import { findMemberRow } from '../../identity/members/service.ts'
import type { Tx } from '../../platform/database/db.ts'
import type { Ctx } from '../../platform/http/context.ts'
import { interpolate } from '../../platform/interpolate.ts'
import { formatReward } from '../../programs/partners/rates.ts'
import { hasCard } from '../../rewards/cards/service.ts'
import { calendarOf } from './calendar.ts'
import type { Reservation } from './contract.ts'
import type { ReservationDeps } from './deps.ts'
import { clockText, dayText } from './rules.ts'
import type { ReservationRow } from './store.ts'
import { toReservation } from './to-reservation.ts'

export type ReservationEvent = 'reservation.booked' | 'reservation.changed' | 'reservation.canceled'

const keys = {
  'reservation.booked': 'booked',
  'reservation.changed': 'changed',
  'reservation.canceled': 'canceled',
} as const

/** Queues the email about a change of a reservation, with its calendar file. */
export async function notifyMember(
  tx: Tx,
  ctx: Ctx,
  deps: ReservationDeps,
  event: ReservationEvent,
  row: ReservationRow,
): Promise<void> {
  const member = await findMemberRow(tx, row.member_id)
  if (!member || member.deleted_at) return
  const origin = deps.origin(ctx.partnerId)
  const reservation = toReservation(row)
  await queueEmail(tx, ctx, {
    memberId: member.id,
    recipient: member.email,
    topic: event,
    // Each change of the table is notified separately.
    about: `${row.public_id}:${row.token}`,
    content: reservationEmail(ctx, keys[event], reservation, {
      firstName: member.first_name,
      origin,
      hasCard: await hasCard(tx, member.id),
    }),
    attachments: [
      { name: 'reservation.ics', type: 'text/calendar; charset=utf-8', content: calendarOf(ctx, reservation, origin) },
    ],
  })
}

function reservationEmail(
  ctx: Ctx,
  kind: (typeof keys)[ReservationEvent],
  reservation: Reservation,
  { firstName, origin, hasCard: canEarn }: { firstName: string; origin: string; hasCard: boolean },
): EmailContent {
  const { merchantName, date, time, partySize, confirmation, bonus } = reservation
  const values = {
    name: firstName,
    restaurant: merchantName,
    day: dayText(date),
    time: clockText(time),
    bonus: bonus ? formatReward(ctx.program.config, bonus.amount) : '',
  }
  const t = (key: string) => interpolate(ctx.t(`reservations.mail.${key}`), values)
  const isActive = kind !== 'canceled'
  return {
    subject: t(`${kind}_subject`),
    preview: `${dayText(date)}, ${clockText(time)}`,
    title: t(`${kind}_title`),
    paragraphs: [
      t(kind),
      ...(isActive && bonus ? [t(canEarn ? 'bonus' : 'bonus_without_card'), bonus.condition] : []),
      ...(isActive && !canEarn ? [ctx.t(`reservations.card_missing${bonus ? '_bonus' : ''}`)] : []),
    ],
    facts: [
      [t('restaurant'), merchantName],
      [t('address'), reservation.address],
      [t('when'), `${dayText(date)}, ${clockText(time)}`],
      [t('party'), String(partySize)],
      [t('confirmation'), confirmation],
    ],
    action: { text: t('manage'), href: `${origin}/account/reservations` },
    smallPrint: isActive ? [t('calendar')] : [],
  }
}
