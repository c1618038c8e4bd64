import { type Letter, postMail } from '../../identity/email/service.ts'
import { memberRow } from '../../identity/members/service.ts'
import type { Tx } from '../../platform/database/db.ts'
import { fill } from '../../platform/fill.ts'
import type { Ctx } from '../../platform/http/context.ts'
import { formatReward } from '../../programs/partners/rates.ts'
import { hasCard } from '../../rewards/cards/service.ts'
import { calendarOf } from './calendar.ts'
import type { Reservation } from './contract.ts'
import type { Desk } from './desk.ts'
import { clockText, dayText } from './rules.ts'
import { shown } from './shown.ts'
import type { ReservationRow } from './store.ts'

export type Event = 'reservation.booked' | 'reservation.changed' | 'reservation.cancelled'

const keys = {
  'reservation.booked': 'booked',
  'reservation.changed': 'changed',
  'reservation.cancelled': 'cancelled',
} as const

/** Queues the email about a change of a reservation, with its calendar file. */
export async function tellMember(tx: Tx, ctx: Ctx, desk: Desk, event: Event, row: ReservationRow): Promise<void> {
  const member = await memberRow(tx, row.member_id)
  if (!member || member.deleted_at) return
  const origin = desk.origin(ctx.partnerId)
  const reservation = shown(row)
  await postMail(tx, ctx, {
    memberId: member.id,
    recipient: member.email,
    topic: event,
    // Each change of the table is notified separately.
    about: `${row.public_id}:${row.token}`,
    letter: letterOf(ctx, keys[event], reservation, {
      firstName: member.first_name,
      origin,
      hasCard: await hasCard(tx, member.id),
    }),
    attachments: [
      { name: 'reservation.ics', type: 'text/calendar; charset=utf-8', content: calendarOf(ctx, reservation, origin) },
    ],
  })
}

function letterOf(
  ctx: Ctx,
  kind: (typeof keys)[Event],
  reservation: Reservation,
  { firstName, origin, hasCard: canEarn }: { firstName: string; origin: string; hasCard: boolean },
): Letter {
  const { merchantName, date, time, partySize, confirmation, bonus } = reservation
  const values = {
    name: firstName,
    restaurant: merchantName,
    day: dayText(date),
    time: clockText(time),
    bonus: bonus ? formatReward(ctx.program.config, bonus.amount) : '',
  }
  const t = (key: string) => fill(ctx.word(`reservations.mail.${key}`), values)
  const stands = kind !== 'cancelled'
  return {
    subject: t(`${kind}_subject`),
    preview: `${dayText(date)}, ${clockText(time)}`,
    title: t(`${kind}_title`),
    paragraphs: [
      t(kind),
      ...(stands && bonus ? [t(canEarn ? 'bonus' : 'bonus_without_card'), bonus.condition] : []),
      ...(stands && !canEarn ? [ctx.word(`reservations.card_missing${bonus ? '_bonus' : ''}`)] : []),
    ],
    facts: [
      [t('restaurant'), merchantName],
      [t('address'), reservation.address],
      [t('when'), `${dayText(date)}, ${clockText(time)}`],
      [t('party'), String(partySize)],
      [t('confirmation'), confirmation],
    ],
    action: { text: t('manage'), href: `${origin}/account/reservations` },
    smallPrint: stands ? [t('calendar')] : [],
  }
}
