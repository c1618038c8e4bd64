import { randomBytes } from 'node:crypto'
import { beforeEach, describe, expect, test } from 'vitest'
import {
  blockGuest,
  cancelReservation,
  changeReservation,
  holdTable,
  httpProvider,
  listReservations,
  makeReservation,
  type ReservationDeps,
  readAvailability,
  readCalendar,
  recoverReservation,
} from '../../src/dining/reservations/service.ts'
import { type EmailTransport, sendEmail } from '../../src/identity/email/service.ts'
import type { Ctx } from '../../src/platform/http/context.ts'
import { MINUTE, parseClock, toInstant } from '../../src/platform/time.ts'
import { getBalance } from '../../src/rewards/ledger/entries.ts'
import { startBookingServer } from '../support/booking-server.ts'
import {
  countSeatings,
  createReservationHarness,
  friday,
  reservationRequest,
  resultCode,
} from '../support/reservation-harness.ts'
import { feedEvent } from '../support/reward-fixtures.ts'
import { addCard, findLedgerViolations, receiveEvent } from '../support/rewards-harness.ts'
import { runJobs } from '../support/run-jobs.ts'

const { clock, deps, memberContext, addMerchant, harness } = createReservationHarness()

describe('availability', () => {
  const state = async (merchantId: string, over = {}, ctx?: Ctx) => {
    const response = await readAvailability(ctx ?? (await memberContext()), deps, reservationRequest(merchantId, over))
    return response
  }

  test('RESV-001 RESV-005 RESV-009 tables near the requested time are offered, with the bonus', async () => {
    const { publicId } = await addMerchant([2, 4])
    const response = await state(publicId)
    expect(response.state).toBe('available')
    expect(response.slots).toHaveLength(18)
    expect(response.slots).toContainEqual({ time: '19:00', bonus: true })
  })

  test('RESV-005 a party that is too large or too small, and a time that is too far or too soon, have no tables', async () => {
    const { publicId } = await addMerchant([8])
    expect((await state(publicId, { partySize: 9 })).state).toBe('tooBig')
    expect((await state(publicId, { partySize: 2 })).state).toBe('tooSmall')
    expect((await state(publicId, { partySize: 6, date: '2027-06-01' })).state).toBe('tooFar')
    expect((await state(publicId, { partySize: 6, date: '2026-11-17' })).state).toBe('tooClose')
    for (const time of ['17:00', '19:30', '22:00']) {
      await makeReservation(await memberContext(), deps, reservationRequest(publicId, { partySize: 6, time }))
    }
    expect(await state(publicId, { partySize: 6 })).toMatchObject({ state: 'none', slots: [], nextDate: '2026-11-21' })
  })

  test('RESV-005 a requested time in the past still shows later tables of that evening; after the last one it is too soon', async () => {
    const { publicId } = await addMerchant([2])
    clock.now = toInstant(friday, parseClock('20:00'), 'America/New_York') as Date
    expect((await state(publicId)).slots.map(({ time }) => time)[0]).toBe('20:30')
    clock.now = toInstant(friday, parseClock('23:00'), 'America/New_York') as Date
    expect(await state(publicId)).toMatchObject({ state: 'tooClose', slots: [], nextDate: '2026-11-21' })
  })

  test('RESV-005 the next date with a table is at most two weeks later, and the own table counts as free', async () => {
    // Open on Fridays, for one party.
    const { publicId } = await addMerchant([2], { hours: { 5: [['19:00', '20:30']] } })
    const ctx = await memberContext()
    const over = (date: string) => ({ date, time: '19:15' })
    await makeReservation(await memberContext(), deps, reservationRequest(publicId, over(friday)))
    const { id: reservationId } = await makeReservation(ctx, deps, reservationRequest(publicId, over('2026-11-27')))
    expect(await state(publicId, {}, ctx)).toEqual({ state: 'none', slots: [], nextDate: '2026-12-04' })
    expect(await state(publicId, { reservationId }, ctx)).toEqual({ state: 'none', slots: [], nextDate: '2026-11-27' })
    await makeReservation(await memberContext(), deps, reservationRequest(publicId, over('2026-12-04')))
    expect(await state(publicId, {}, ctx)).toEqual({ state: 'none', slots: [], nextDate: null })
  })

  test('RESV-005 there is no bonus on a day without rewards', async () => {
    const { publicId } = await addMerchant([2], {
      offers: [{ type: 'Unlimited', startsOn: '2026-01-01', days: [1, 2] }],
    })
    expect((await state(publicId)).state).toBe('noBonus')
    expect((await state(publicId, { date: '2026-11-23' })).state).toBe('available')
  })

  test('RESV-014 booking requires that the restaurant has a provider and the program offers reservations', async () => {
    const { publicId } = await addMerchant([2], { reservationProvider: null })
    expect(await resultCode(state(publicId))).toBe('notBookable')
    const { publicId: bookable } = await addMerchant([2])
    const ctx = await memberContext()
    const off = (over: object) => ({ ...ctx, program: { ...ctx.program, config: { ...ctx.program.config, ...over } } })
    expect(await resultCode(state(bookable, {}, off({ openTableReservationsEnabled: false })))).toBe('notBookable')
    expect(await resultCode(state(bookable, {}, off({ enrollmentType: 'none' })))).toBe('notBookable')
    expect(await resultCode(state('no-such-place'))).toBe('merchantNotFound')
    // It has left the program.
    await ctx.db.updateTable('merchants').set({ participating: false }).where('public_id', '=', bookable).execute()
    expect(await resultCode(state(bookable))).toBe('merchantNotFound')
    expect(await resultCode(holdTable(ctx, deps, reservationRequest(bookable)))).toBe('merchantNotFound')
  })
})

describe('booking', () => {
  test('a held table becomes a reservation that is listed, emailed and added to the calendar', async () => {
    const { publicId } = await addMerchant([2])
    const words = { 'reservations.mail.booked_subject': '{day} at {time}' } as Record<string, string>
    const ctx = { ...(await memberContext()), t: (key: string) => words[key] ?? key }
    const { token } = await holdTable(ctx, deps, reservationRequest(publicId))
    const made = await makeReservation(ctx, deps, { ...reservationRequest(publicId), holdToken: token })
    expect(made).toMatchObject({ date: friday, time: '19:00', partySize: 2, status: 'booked', bonus: { amount: 500 } })
    expect(made.startsAt).toBe('2026-11-21T00:00:00.000Z')
    expect((await listReservations(ctx)).upcoming).toEqual([made])
    const file = await readCalendar(ctx, deps, made.id)
    expect(file).toContain('DTSTART:20261121T000000Z')
    expect(file).toContain('DTEND:20261121T013000Z')
    expect(file).toContain('STATUS:CONFIRMED')
    const [message] = await listEmails(ctx)
    expect(message).toMatchObject({
      topic: 'reservation.booked',
      subject: 'Friday, November 20 at 7:00 PM',
    })
    expect(message?.body_text).toContain(made.confirmation)
    expect(JSON.stringify(message?.attachments)).toContain('BEGIN:VCALENDAR')
  })

  test('a held table is taken for others, and free for the member who goes back to choose again', async () => {
    const { publicId } = await addMerchant([2])
    const ctx = await memberContext()
    await holdTable(ctx, deps, reservationRequest(publicId))
    const timesFor = async (asking: Ctx) =>
      (await readAvailability(asking, deps, reservationRequest(publicId))).slots.map(({ time }) => time)
    const other = await memberContext()
    expect(await timesFor(other)).not.toContain('19:00')
    expect(await timesFor({ ...other, actor: { ...other.actor, memberId: null } })).not.toContain('19:00')
    expect(await timesFor(ctx)).toContain('19:00')
    const { token } = await holdTable(ctx, deps, reservationRequest(publicId))
    await makeReservation(ctx, deps, { ...reservationRequest(publicId), holdToken: token })
    expect(await timesFor(ctx)).not.toContain('19:00')
  })

  test('a member without a card gets an email that requires one, and is not promised the bonus', async () => {
    const { publicId } = await addMerchant([2, 2])
    const [without, having] = [await memberContext(), await memberContext()]
    await addCard(having.db, having.actor.memberId)
    for (const ctx of [without, having]) await makeReservation(ctx, deps, reservationRequest(publicId))
    const [inquiry] = await listEmails(without)
    expect(inquiry?.body_text).toContain('reservations.card_missing_bonus')
    expect(inquiry?.body_text).toContain('reservations.mail.bonus_without_card')
    const [promises] = await listEmails(having)
    expect(promises?.body_text).not.toContain('card_missing')
    expect(promises?.body_text).toContain('reservations.mail.bonus')
  })

  test('repeating a request, also concurrently, returns the same reservation', async () => {
    const { publicId } = await addMerchant([2, 2])
    const ctx = await memberContext()
    const all = await Promise.all(
      Array.from({ length: 10 }, () => makeReservation(ctx, deps, reservationRequest(publicId))),
    )
    expect(new Set(all.map(({ id }) => id)).size).toBe(1)
    expect(await countSeatings(ctx, publicId)).toBe(1)
    expect(await listEmails(ctx)).toHaveLength(1)
  })

  test('repeating a request returns the same reservation when its time is too soon by then', async () => {
    const { publicId } = await addMerchant([2])
    const ctx = await memberContext()
    const { id } = await makeReservation(ctx, deps, reservationRequest(publicId))
    clock.now = toInstant(friday, parseClock('18:40'), 'America/New_York') as Date
    expect((await makeReservation(ctx, deps, reservationRequest(publicId))).id).toBe(id)
    await cancelReservation(ctx, deps, id)
    expect(await resultCode(makeReservation(ctx, deps, reservationRequest(publicId)))).toBe('tooClose')
  })

  test('a table that was held half an hour ahead can be confirmed while the hold lasts', async () => {
    const { publicId } = await addMerchant([2, 2])
    const [ctx, other] = [await memberContext(), await memberContext()]
    clock.now = toInstant(friday, parseClock('18:29'), 'America/New_York') as Date
    const { token } = await holdTable(ctx, deps, reservationRequest(publicId))
    clock.now = toInstant(friday, parseClock('18:33'), 'America/New_York') as Date
    expect(await resultCode(makeReservation(other, deps, reservationRequest(publicId)))).toBe('tooClose')
    expect(await resultCode(holdTable(other, deps, reservationRequest(publicId)))).toBe('tooClose')
    const held = { ...reservationRequest(publicId), holdToken: token }
    const { id } = await makeReservation(ctx, deps, held)
    await cancelReservation(ctx, deps, id)
    clock.now = toInstant(friday, parseClock('18:36'), 'America/New_York') as Date
    expect(await resultCode(makeReservation(ctx, deps, held))).toBe('tooClose')
  })

  test('RESV-011 RESV-013 ERR-024 a reservation within two hours at the same restaurant is rejected, two hours later it is accepted', async () => {
    const { publicId } = await addMerchant([2, 2, 2])
    const { publicId: elsewhere } = await addMerchant([2])
    const ctx = await memberContext()
    await makeReservation(ctx, deps, reservationRequest(publicId))
    expect(await resultCode(makeReservation(ctx, deps, reservationRequest(publicId, { time: '20:45' })))).toBe(
      'overlap',
    )
    expect(await resultCode(holdTable(ctx, deps, reservationRequest(publicId, { time: '17:15' })))).toBe('overlap')
    expect(await resultCode(makeReservation(ctx, deps, reservationRequest(publicId, { partySize: 1 })))).toBe('overlap')
    expect(await resultCode(makeReservation(ctx, deps, reservationRequest(publicId, { time: '21:00' })))).toBe('done')
    expect(await resultCode(makeReservation(ctx, deps, reservationRequest(elsewhere)))).toBe('done')
  })

  test('RESV-012 ERR-024 a barred diner is rejected in every program, and nothing is stored', async () => {
    const { publicId } = await addMerchant([2])
    const ctx = await memberContext()
    const member = await ctx.db
      .selectFrom('members')
      .select('email')
      .where('id', '=', ctx.actor.memberId)
      .executeTakeFirstOrThrow()
    await blockGuest(ctx, deps, { email: ` ${member.email.toUpperCase()} `, barred: true })
    expect(await resultCode(makeReservation(ctx, deps, reservationRequest(publicId)))).toBe('fraud')
    const other = await memberContext('gallonaire')
    await other.db.updateTable('members').set({ email: member.email }).where('id', '=', other.actor.memberId).execute()
    expect(await resultCode(makeReservation(other, deps, reservationRequest(publicId)))).toBe('fraud')
    await blockGuest(ctx, deps, { email: member.email, barred: false })
    expect(await resultCode(makeReservation(ctx, deps, reservationRequest(publicId)))).toBe('done')
  })

  test('RESV-029 a time that is not offered, past or too far is rejected without a trace', async () => {
    const { publicId } = await addMerchant([2])
    const ctx = await memberContext()
    expect(await resultCode(makeReservation(ctx, deps, reservationRequest(publicId, { time: '10:00' })))).toBe(
      'timeNotOffered',
    )
    expect(await resultCode(makeReservation(ctx, deps, reservationRequest(publicId, { date: '2026-11-17' })))).toBe(
      'tooClose',
    )
    expect(await resultCode(makeReservation(ctx, deps, reservationRequest(publicId, { date: '2027-10-01' })))).toBe(
      'tooFar',
    )
    expect(await resultCode(makeReservation(ctx, deps, reservationRequest(publicId, { partySize: 5 })))).toBe('tooBig')
    expect(await listReservations(ctx)).toEqual({ upcoming: [], past: [] })
  })

  test('a table taken by another program is taken, because tables belong to the restaurant', async () => {
    const { publicId } = await addMerchant([2])
    await makeReservation(await memberContext('gallonaire'), deps, reservationRequest(publicId))
    expect(await resultCode(makeReservation(await memberContext(), deps, reservationRequest(publicId)))).toBe(
      'slotTaken',
    )
  })

  test('the next reservation is listed first, past and canceled ones latest first, and failed ones never', async () => {
    const { publicId } = await addMerchant([2, 2])
    const { publicId: elsewhere } = await addMerchant([2])
    const ctx = await memberContext()
    const [sunday, onFriday, saturday] = ['2026-11-22', friday, '2026-11-21']
    const made: Record<string, string> = {}
    for (const date of [sunday, onFriday, saturday])
      made[date] = (await makeReservation(ctx, deps, reservationRequest(publicId, { date }))).id
    const sameTime = (await makeReservation(ctx, deps, reservationRequest(elsewhere))).id
    const tooBig = reservationRequest(publicId, { time: '22:00', partySize: 5 })
    expect(await resultCode(makeReservation(ctx, deps, tooBig))).toBe('tooBig')
    const idsOf = (list: { id: string }[]) => list.map(({ id }) => id)
    expect(idsOf((await listReservations(ctx)).upcoming)).toEqual([
      made[onFriday],
      sameTime,
      made[saturday],
      made[sunday],
    ])
    await cancelReservation(ctx, deps, made[saturday] as string)
    clock.now = new Date('2026-11-23T12:00:00Z')
    const { upcoming, past } = await listReservations(ctx)
    expect([upcoming, idsOf(past)]).toEqual([[], [made[sunday], made[saturday], sameTime, made[onFriday]]])
  })

  test('a reservation is visible to its member only', async () => {
    const { publicId } = await addMerchant([2])
    const made = await makeReservation(await memberContext(), deps, reservationRequest(publicId))
    for (const other of [await memberContext(), await memberContext('gallonaire')]) {
      expect(await resultCode(cancelReservation(other, deps, made.id))).toBe('reservationNotFound')
      expect(await resultCode(changeReservation(other, deps, made.id, reservationRequest(publicId)))).toBe(
        'reservationNotFound',
      )
      expect(await resultCode(readCalendar(other, deps, made.id))).toBe('reservationNotFound')
    }
  })
})

describe('changing and canceling', () => {
  test('a change moves the reservation, also within two hours of itself, and preserves its id', async () => {
    const { publicId } = await addMerchant([2])
    const ctx = await memberContext()
    const made = await makeReservation(ctx, deps, reservationRequest(publicId))
    const moved = await changeReservation(ctx, deps, made.id, { date: friday, time: '19:30', partySize: 2 })
    expect(moved).toMatchObject({ id: made.id, time: '19:30', status: 'booked' })
    expect(await countSeatings(ctx, publicId)).toBe(1)
    const again = await changeReservation(ctx, deps, made.id, { date: friday, time: '19:30', partySize: 2 })
    expect(again).toEqual(moved)
    // The same event for calendars, under the id that the first email had.
    const idIn = (text: string) => /UID:\S+/.exec(text)?.[0]
    const { attachments } = (await listEmails(ctx)).find(({ topic }) => topic === 'reservation.booked') ?? {}
    expect(idIn(await readCalendar(ctx, deps, made.id))).toBe(idIn(JSON.stringify(attachments).replaceAll('\\r', ' ')))
    expect(idIn(await readCalendar(ctx, deps, made.id))).toContain(made.id)
    expect((await listEmails(ctx)).map(({ topic }) => topic)).toEqual(['reservation.booked', 'reservation.changed'])
  })

  test('each change is emailed, also one of the party only, and one back to an earlier time', async () => {
    const { publicId } = await addMerchant([4])
    const ctx = await memberContext()
    const made = await makeReservation(ctx, deps, reservationRequest(publicId, { partySize: 3 }))
    const wanted = [
      { time: '19:30', partySize: 3 },
      { time: '19:30', partySize: 4 },
      { time: '20:00', partySize: 4 },
      { time: '19:30', partySize: 4 },
    ]
    for (const change of wanted) await changeReservation(ctx, deps, made.id, { date: friday, ...change })
    const changed = (await listEmails(ctx)).filter(({ topic }) => topic === 'reservation.changed')
    const previews = ['7:30 PM', '7:30 PM', '8:00 PM', '7:30 PM']
    expect(changed).toHaveLength(previews.length)
    for (const [i, time] of previews.entries()) expect(changed[i]?.body_text).toContain(time)
  })

  test('a change that is not possible leaves the reservation unchanged', async () => {
    const { publicId } = await addMerchant([2])
    const ctx = await memberContext()
    const made = await makeReservation(ctx, deps, reservationRequest(publicId))
    await makeReservation(await memberContext(), deps, reservationRequest(publicId, { time: '21:30' }))
    const request = { date: friday, time: '21:15', partySize: 2 }
    expect(await resultCode(changeReservation(ctx, deps, made.id, request))).toBe('slotTaken')
    expect((await listReservations(ctx)).upcoming).toEqual([made])
    expect(await countSeatings(ctx, publicId)).toBe(2)
  })

  test('a change too close to another own reservation is rejected', async () => {
    const { publicId } = await addMerchant([2, 2])
    const ctx = await memberContext()
    const made = await makeReservation(ctx, deps, reservationRequest(publicId, { time: '17:00' }))
    await makeReservation(ctx, deps, reservationRequest(publicId, { time: '21:00' }))
    const request = { date: friday, time: '19:15', partySize: 2 }
    expect(await resultCode(changeReservation(ctx, deps, made.id, request))).toBe('overlap')
  })

  test('a canceled table is free again; canceling twice has one effect; the same time can be booked again', async () => {
    const { publicId } = await addMerchant([2])
    const ctx = await memberContext()
    const made = await makeReservation(ctx, deps, reservationRequest(publicId))
    const [one, two] = await Promise.all([cancelReservation(ctx, deps, made.id), cancelReservation(ctx, deps, made.id)])
    expect([one.status, two.status]).toEqual(['cancelled', 'cancelled'])
    expect(await countSeatings(ctx, publicId)).toBe(0)
    expect(await readCalendar(ctx, deps, made.id)).toContain('STATUS:CANCELLED')
    expect((await listReservations(ctx)).past.map(({ status }) => status)).toEqual(['cancelled'])
    const rebooked = await makeReservation(ctx, deps, reservationRequest(publicId))
    expect(rebooked.id).not.toBe(made.id)
    expect((await listEmails(ctx)).map(({ topic }) => topic)).toEqual([
      'reservation.booked',
      'reservation.canceled',
      'reservation.booked',
    ])
  })

  test('canceling in a tab that is out of date returns the same result', async () => {
    const { publicId } = await addMerchant([2])
    const ctx = await memberContext()
    const made = await makeReservation(ctx, deps, reservationRequest(publicId))
    const slow = withActMeanwhile(ctx, () => cancelReservation(ctx, deps, made.id))
    expect((await cancelReservation(slow, deps, made.id)).status).toBe('cancelled')
    expect((await listEmails(ctx)).map(({ topic }) => topic)).toEqual(['reservation.booked', 'reservation.canceled'])
  })

  test('a reservation that was moved in another tab is not canceled by the one that shows its former time', async () => {
    const { publicId } = await addMerchant([2])
    const ctx = await memberContext()
    const made = await makeReservation(ctx, deps, reservationRequest(publicId))
    const { merchantId: _, ...when } = reservationRequest(publicId)
    const moved = await changeReservation(ctx, deps, made.id, { ...when, time: '21:00' })
    expect(await resultCode(cancelReservation(ctx, deps, made.id, made.startsAt))).toBe('reservationChanged')
    expect((await listReservations(ctx)).upcoming).toEqual([moved])
    // It may be moved between the check and the cancellation, too.
    const slow = withActMeanwhile(ctx, () => changeReservation(ctx, deps, made.id, { ...when, time: '20:00' }))
    const late = cancelReservation(slow, deps, made.id, moved.startsAt)
    expect(await resultCode(late)).toBe('reservationChanged')
    const [last] = (await listReservations(ctx)).upcoming
    expect((await cancelReservation(ctx, deps, made.id, last?.startsAt)).status).toBe('cancelled')
    // Sent again, also with an earlier time, it changes nothing.
    expect((await cancelReservation(ctx, deps, made.id, made.startsAt)).status).toBe('cancelled')
  })

  test('a reservation that another tab is changing cannot be canceled', async () => {
    const { publicId } = await addMerchant([2])
    const ctx = await memberContext()
    const made = await makeReservation(ctx, deps, reservationRequest(publicId))
    const change = { status: 'booking' } as const
    const slow = withActMeanwhile(ctx, () =>
      ctx.db.updateTable('reservations').set(change).where('public_id', '=', made.id).execute(),
    )
    expect(await resultCode(cancelReservation(slow, deps, made.id))).toBe('alreadyOver')
  })

  test('in a full restaurant the own table counts as free for its own change, and for nobody else', async () => {
    const { publicId } = await addMerchant([4])
    const ctx = await memberContext()
    const { id: reservationId } = await makeReservation(ctx, deps, reservationRequest(publicId))
    const timesFor = async (asking: Ctx, over = {}) => {
      const query = { ...reservationRequest(publicId, { partySize: 4 }), ...over }
      return (await readAvailability(asking, deps, query)).slots.map(({ time }) => time)
    }
    expect(await timesFor(ctx)).not.toContain('19:00')
    expect(await timesFor(ctx, { reservationId })).toEqual(expect.arrayContaining(['18:30', '19:00', '20:00']))
    const other = await memberContext()
    await makeReservation(other, deps, reservationRequest(publicId, { time: '21:00' }))
    expect(await timesFor(ctx, { reservationId })).not.toContain('19:15')
    expect(await resultCode(timesFor(other, { reservationId }))).toBe('reservationNotFound')
    const visitor = { ...other, actor: { ...other.actor, memberId: null } }
    expect(await resultCode(timesFor(visitor, { reservationId }))).toBe('unauthorized')
    const { date, time } = reservationRequest(publicId)
    expect(await changeReservation(ctx, deps, reservationId, { date, time, partySize: 4 })).toMatchObject({
      partySize: 4,
    })
    // A party of four stays two hours.
    expect(await readCalendar(ctx, deps, reservationId)).toContain('DTEND:20261121T020000Z')
  })

  test('canceling in a tab that is out of date settles the bonus of the date to which another tab has moved it', async () => {
    const { publicId } = await addMerchant([2])
    const ctx = await memberContext()
    const made = await makeReservation(ctx, deps, reservationRequest(publicId))
    const slow = withActMeanwhile(ctx, () =>
      changeReservation(ctx, deps, made.id, { date: '2026-11-21', time: '19:00', partySize: 2 }),
    )
    const settled: (readonly string[])[] = []
    const settleBonus: ReservationDeps['settleBonus'] = async (_tx, _ctx, { dates }) => void settled.push(dates)
    await cancelReservation(slow, { ...deps, settleBonus }, made.id)
    expect(settled).toEqual([['2026-11-21']])
  })

  test('a past reservation cannot be changed', async () => {
    const { publicId } = await addMerchant([2])
    const ctx = await memberContext()
    const made = await makeReservation(ctx, deps, reservationRequest(publicId))
    // The moment at which it starts.
    clock.now = new Date('2026-11-21T00:00:00Z')
    expect(await resultCode(cancelReservation(ctx, deps, made.id))).toBe('alreadyOver')
    const request = { date: '2026-11-22', time: '19:00', partySize: 2 }
    expect(await resultCode(changeReservation(ctx, deps, made.id, request))).toBe('alreadyOver')
    expect(await listReservations(ctx)).toMatchObject({ upcoming: [], past: [{ id: made.id }] })
    clock.now = new Date('2026-11-20T23:59:59.999Z')
    expect(await listReservations(ctx)).toMatchObject({ upcoming: [{ id: made.id }], past: [] })
  })
})

describe('a failing provider', () => {
  let server: Awaited<ReturnType<typeof startBookingServer>>
  let far: ReservationDeps
  /** Runs the program's jobs of reservations that are due in a minute. Returns the errors. */
  const recoverReservations = (ctx: Ctx) =>
    runJobs(
      harness.url,
      'reservations',
      async ({ partnerId, id }) => {
        if (partnerId === ctx.partnerId) await recoverReservation(ctx, far, Number(id))
      },
      { early: true },
    )
  beforeEach(async () => {
    server = await startBookingServer({ seats: [2], clock: () => clock.now })
    far = { ...deps, http: httpProvider({ url: server.url, credentials: 'dineback:open', fetch, timeoutMs: 500 }) }
    return () => server.stop()
  })
  const addRemoteMerchant = () =>
    addMerchant([], { reservationProvider: 'http', reservationRef: `ref-${Math.random()}` })

  test('RESV-010 ERR-024 is reported as such, and nothing is stored on either side', async () => {
    const { publicId } = await addRemoteMerchant()
    const ctx = await memberContext()
    server.failureMode.before = true
    expect(await resultCode(makeReservation(ctx, far, reservationRequest(publicId)))).toBe('reservationFailed')
    expect(await resultCode(readAvailability(ctx, far, reservationRequest(publicId)))).toBe('reservationFailed')
    server.failureMode.before = false
    expect(await resultCode(makeReservation(ctx, far, reservationRequest(publicId)))).not.toBe('overlap')
    clock.now = new Date(clock.now.getTime() + 2 * MINUTE)
    await recoverReservations(ctx)
    expect(await stuck(ctx)).toEqual([])
  })

  test('that books and loses the response has its booking canceled, later if it cannot be reached', async () => {
    const { publicId } = await addRemoteMerchant()
    const ctx = await memberContext()
    server.failureMode.after = true
    expect(await resultCode(makeReservation(ctx, far, reservationRequest(publicId)))).toBe('reservationFailed')
    server.failureMode.after = false
    clock.now = new Date(clock.now.getTime() + 2 * MINUTE)
    expect(await recoverReservations(ctx)).toEqual([])
    expect(server.booked()).toEqual([])
    expect(await stuck(ctx)).toEqual([])
    expect(await listEmails(ctx)).toEqual([])
  })

  test('is notified of a cancellation as soon as it can be reached, and the cancellation counts at once', async () => {
    const { publicId } = await addRemoteMerchant()
    const ctx = await memberContext()
    const made = await makeReservation(ctx, far, reservationRequest(publicId))
    server.failureMode.before = true
    // The member may press the button again meanwhile.
    for (const _ of [1, 2]) expect((await cancelReservation(ctx, far, made.id)).status).toBe('cancelled')
    expect(server.booked()).toHaveLength(1)
    server.failureMode.before = false
    clock.now = new Date(clock.now.getTime() + 2 * MINUTE)
    await recoverReservations(ctx)
    expect(server.booked()).toEqual([])
    expect(await stuck(ctx)).toEqual([])
  })

  test('is notified of a cancellation also after its restaurant has changed to another provider', async () => {
    const { id, publicId } = await addRemoteMerchant()
    const ctx = await memberContext()
    const made = await makeReservation(ctx, far, reservationRequest(publicId))
    expect(server.booked()).toHaveLength(1)
    await ctx.db.updateTable('merchants').set({ reservation_provider: 'book' }).where('id', '=', id).execute()
    expect((await cancelReservation(ctx, far, made.id)).status).toBe('cancelled')
    expect(server.booked()).toEqual([])
  })

  test('that loses the response to a change has the change undone', async () => {
    const { publicId } = await addRemoteMerchant()
    const ctx = await memberContext()
    const made = await makeReservation(ctx, far, reservationRequest(publicId))
    server.failureMode.after = true
    const request = { date: friday, time: '21:30', partySize: 2 }
    expect(await resultCode(changeReservation(ctx, far, made.id, request))).toBe('reservationFailed')
    server.failureMode.after = false
    clock.now = new Date(clock.now.getTime() + 2 * MINUTE)
    await recoverReservations(ctx)
    expect((await listReservations(ctx)).upcoming).toEqual([made])
    expect(server.booked().map(({ slot }) => slot.start_sec * 1000)).toEqual([Date.parse(made.startsAt)])
  })
})

describe('the reservation bonus', () => {
  async function dineWithReservation(over: { bonusDay?: string; dinedAt?: string } = {}) {
    const merchant = await addMerchant([2])
    const ctx = await memberContext()
    const card = await addCard(ctx.db, ctx.actor.memberId)
    await makeReservation(ctx, deps, reservationRequest(merchant.publicId))
    const id = randomBytes(8).toString('hex')
    const send = (name: 'auth' | 'clearing' | 'refund', minute: number, more: object = {}) =>
      receiveEvent(
        ctx,
        feedEvent(`transaction.${name}`, {
          id,
          programId: 'skyharbor',
          datetime: over.dinedAt ?? '2026-11-21T01:50:00.000Z',
          created: '2026-11-21T02:00:00.000Z',
          updated: new Date(Date.UTC(2026, 10, 21, 3, minute)).toISOString(),
          amount: '50.00',
          card: { id: card.token, lastNumbers: card.lastFour },
          location: { id: merchant.locationId },
          ...more,
        }),
      )
    const memberId = ctx.actor.memberId
    return { ctx, id, send, balance: () => getBalance(ctx.db, memberId, 'mile') }
  }

  test('is granted once when the card is authorized there that evening, and reversed when the transaction is refunded', async () => {
    const { ctx, id, send, balance } = await dineWithReservation()
    await send('auth', 1)
    expect(await balance()).toBe(0)
    await send('clearing', 2)
    expect(await balance()).toBe(650)
    await send('clearing', 3)
    expect(await balance()).toBe(650)
    await send('refund', 4, { id: `${id}-refund`, originalTransactionId: id, amount: '-50.00' })
    expect(await balance()).toBe(0)
    expect(await findLedgerViolations(ctx.db)).toEqual([])
  })

  test('is not granted on another evening', async () => {
    const { send, balance } = await dineWithReservation({ dinedAt: '2026-11-23T01:50:00.000Z' })
    await send('clearing', 2)
    expect(await balance()).toBe(150)
  })
})

describe('emails', () => {
  test('are sent once, retried after a failure, and stored when there is no mail server', async () => {
    const { publicId } = await addMerchant([2])
    const ctx = await memberContext('gallonaire')
    await ctx.db.updateTable('emails').set({ status: 'stored' }).execute()
    await makeReservation(ctx, deps, reservationRequest(publicId))
    const sent: string[] = []
    let isDown = true
    const transport = async ({ messageId }: { messageId: string }) => {
      if (isDown) throw new Error(`no route to host ${'x'.repeat(600)}`)
      sent.push(messageId)
    }
    const delivery = { db: ctx.db, partnerId: 'gallonaire', from: 'Dineback <a@b.example>' }
    const deliver = (to: EmailTransport | null, when: { early?: boolean } = {}) =>
      runJobs(
        harness.url,
        'emails',
        async (job) => {
          if (job.partnerId === 'gallonaire') await sendEmail({ ...delivery, transport: to }, job)
        },
        when,
      )
    expect(await deliver(transport)).toHaveLength(1)
    // At most 500 characters of the error are stored.
    const error = expect.stringMatching(/^no route to host x{483}$/)
    expect((await listEmails(ctx))[0]).toMatchObject({ status: 'waiting', last_error: error })
    isDown = false
    // It is not due yet.
    await deliver(transport)
    expect(sent).toEqual([])
    await Promise.all([deliver(transport, { early: true }), deliver(transport, { early: true })])
    const [email] = await listEmails(ctx)
    expect(email).toMatchObject({ status: 'sent', last_error: null })
    expect(sent).toEqual([`<gallonaire.${email?.id}@b.example>`])
    const other = await memberContext('gallonaire')
    await makeReservation(other, deps, reservationRequest(publicId, { time: '21:00' }))
    await deliver(null)
    expect((await listEmails(other))[0]).toMatchObject({ status: 'stored' })
  })
})

const listEmails = (ctx: Ctx) =>
  ctx.db.selectFrom('emails').selectAll().where('member_id', '=', ctx.actor.memberId).orderBy('id').execute()

/** Returns reservations in a transitional state. */
const stuck = (ctx: Ctx) =>
  ctx.db.selectFrom('reservations').select('id').where('status', 'in', ['booking', 'canceling']).execute()

/** Returns the same context, for which another act happens after its first query. */
function withActMeanwhile<C extends Ctx>(ctx: C, act: () => Promise<unknown>): C {
  let acting: Promise<unknown> | undefined
  const db = ctx.db.withPlugin({
    transformQuery: ({ node }) => node,
    transformResult: async ({ result }) => {
      acting ??= act()
      await acting
      return result
    },
  })
  return { ...ctx, db }
}
