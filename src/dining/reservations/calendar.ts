import ical, { ICalCalendarMethod, ICalEventStatus } from 'ical-generator'
import type { Ctx } from '../../platform/http/context.ts'
import { interpolate } from '../../platform/interpolate.ts'
import { MINUTE } from '../../platform/time.ts'
import type { Reservation } from './contract.ts'
import { turnMinutes } from './rules.ts'

/** Returns a reservation as an iCalendar file (RFC 5545), in UTC. A stable UID lets a change update the entry. */
export function calendarOf(ctx: Ctx, reservation: Reservation, origin: string): string {
  const { merchantName, partySize, confirmation, startsAt } = reservation
  const start = new Date(startsAt)
  const calendar = ical({
    prodId: { company: 'Dineback', product: 'Reservations' },
    method: ICalCalendarMethod.PUBLISH,
  })
  calendar.createEvent({
    id: `${reservation.id}@${new URL(origin).hostname}`,
    // Increases with every change, because it is derived from the clock.
    sequence: Math.floor(ctx.now().getTime() / 1000) % 2 ** 31,
    stamp: ctx.now(),
    start,
    end: new Date(start.getTime() + turnMinutes(partySize) * MINUTE),
    summary: merchantName,
    description: interpolate(ctx.t('reservations.calendar_text'), { people: String(partySize), confirmation }),
    location: reservation.address,
    url: `${origin}/account/reservations`,
    status: reservation.status === 'booked' ? ICalEventStatus.CONFIRMED : ICalEventStatus.CANCELLED,
  })
  return calendar.toString()
}
