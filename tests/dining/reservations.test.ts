import { randomBytes } from 'node:crypto'
import { beforeEach, describe, expect, test } from 'vitest'
import {
  barGuest,
  cancelReservation,
  changeReservation,
  type Desk,
  holdTable,
  httpProvider,
  listReservations,
  makeReservation,
  readAvailability,
  readCalendar,
  settleReservations,
} from '../../src/dining/reservations/service.ts'
import { deliverMails } from '../../src/identity/email/service.ts'
import type { Ctx } from '../../src/platform/http/context.ts'
import { instantOf, MINUTE, minutesOf } from '../../src/platform/time.ts'
import { balanceOf } from '../../src/rewards/ledger/entries.ts'
import { startBookingServer } from '../support/booking-server.ts'
import { codeOf, friday, openDiningRooms, seatings, wishFor } from '../support/dining-room.ts'
import { feedEvent } from '../support/reward-fixtures.ts'
import { addCard, ledgerFaults, receiveOne } from '../support/rewards.ts'

const { clock, desk, guest, room } = openDiningRooms()

describe('availability', () => {
  const state = async (merchantId: string, over = {}, ctx?: Ctx) => {
    const answer = await readAvailability(ctx ?? (await guest()), desk, wishFor(merchantId, over))
    return answer
  }

  test('RESV-001 RESV-005 RESV-009 there are tables around the wish, with the bonus', async () => {
    const { publicId } = await room([2, 4])
    const answer = await state(publicId)
    expect(answer.state).toBe('available')
    expect(answer.slots).toHaveLength(18)
    expect(answer.slots).toContainEqual({ time: '19:00', bonus: true })
  })

  test('RESV-005 too big, too small, too far, too close, none', async () => {
    const { publicId } = await room([8])
    expect((await state(publicId, { partySize: 9 })).state).toBe('tooBig')
    expect((await state(publicId, { partySize: 2 })).state).toBe('tooSmall')
    expect((await state(publicId, { partySize: 6, date: '2027-06-01' })).state).toBe('tooFar')
    expect((await state(publicId, { partySize: 6, date: '2026-11-17' })).state).toBe('tooClose')
    for (const time of ['17:00', '19:30', '22:00']) {
      await makeReservation(await guest(), desk, wishFor(publicId, { partySize: 6, time }))
    }
    expect(await state(publicId, { partySize: 6 })).toMatchObject({ state: 'none', slots: [], nextDate: '2026-11-21' })
  })

  test('RESV-005 a wish of an hour ago still shows what is free tonight; with the night over it is too close', async () => {
    const { publicId } = await room([2])
    clock.now = instantOf(friday, minutesOf('20:00'), 'America/New_York') as Date
    expect((await state(publicId)).slots.map(({ time }) => time)[0]).toBe('20:30')
    clock.now = instantOf(friday, minutesOf('23:00'), 'America/New_York') as Date
    expect(await state(publicId)).toMatchObject({ state: 'tooClose', slots: [], nextDate: '2026-11-21' })
  })

  test('RESV-005 no bonus on a day on which a meal earns nothing', async () => {
    const { publicId } = await room([2], { offers: [{ type: 'Unlimited', startsOn: '2026-01-01', days: [1, 2] }] })
    expect((await state(publicId)).state).toBe('noBonus')
    expect((await state(publicId, { date: '2026-11-23' })).state).toBe('available')
  })

  test('RESV-014 only where the restaurant has a provider and the program books', async () => {
    const { publicId } = await room([2], { reservationProvider: null })
    expect(await codeOf(state(publicId))).toBe('notBookable')
    const { publicId: bookable } = await room([2])
    const ctx = await guest()
    const off = (over: object) => ({ ...ctx, program: { ...ctx.program, config: { ...ctx.program.config, ...over } } })
    expect(await codeOf(state(bookable, {}, off({ openTableReservationsEnabled: false })))).toBe('notBookable')
    expect(await codeOf(state(bookable, {}, off({ enrollmentType: 'none' })))).toBe('notBookable')
    expect(await codeOf(state('no-such-place'))).toBe('merchantNotFound')
  })
})

describe('booking', () => {
  test('a held table becomes a reservation that is listed, mailed and put into the calendar', async () => {
    const { publicId } = await room([2])
    const ctx = await guest()
    const { token } = await holdTable(ctx, desk, wishFor(publicId))
    const made = await makeReservation(ctx, desk, { ...wishFor(publicId), holdToken: token })
    expect(made).toMatchObject({ date: friday, time: '19:00', partySize: 2, status: 'booked', bonus: { amount: 500 } })
    expect(made.startsAt).toBe('2026-11-21T00:00:00.000Z')
    expect((await listReservations(ctx)).upcoming).toEqual([made])
    const file = await readCalendar(ctx, desk, made.id)
    expect(file).toContain('DTSTART:20261121T000000Z')
    expect(file).toContain('STATUS:CONFIRMED')
    const [mail] = await mailsOf(ctx)
    expect(mail).toMatchObject({ topic: 'reservation.booked' })
    expect(mail?.body_text).toContain(made.confirmation)
    expect(JSON.stringify(mail?.attachments)).toContain('BEGIN:VCALENDAR')
  })

  test('a member without a card is asked for one by mail, and is not promised the bonus', async () => {
    const { publicId } = await room([2, 2])
    const [without, having] = [await guest(), await guest()]
    await addCard(having.db, having.actor.memberId as number)
    for (const ctx of [without, having]) await makeReservation(ctx, desk, wishFor(publicId))
    const [asks] = await mailsOf(without)
    expect(asks?.body_text).toContain('reservations.card_missing_bonus')
    expect(asks?.body_text).toContain('reservations.mail.bonus_without_card')
    const [promises] = await mailsOf(having)
    expect(promises?.body_text).not.toContain('card_missing')
    expect(promises?.body_text).toContain('reservations.mail.bonus')
  })

  test('the same request again, also at once, is the same reservation', async () => {
    const { publicId } = await room([2, 2])
    const ctx = await guest()
    const all = await Promise.all(Array.from({ length: 10 }, () => makeReservation(ctx, desk, wishFor(publicId))))
    expect(new Set(all.map(({ id }) => id)).size).toBe(1)
    expect(await seatings(ctx, publicId)).toBe(1)
    expect(await mailsOf(ctx)).toHaveLength(1)
  })

  test('RESV-011 RESV-013 ERR-024 within two hours at one restaurant is refused, two hours later is not', async () => {
    const { publicId } = await room([2, 2, 2])
    const { publicId: elsewhere } = await room([2])
    const ctx = await guest()
    await makeReservation(ctx, desk, wishFor(publicId))
    expect(await codeOf(makeReservation(ctx, desk, wishFor(publicId, { time: '20:45' })))).toBe('overlap')
    expect(await codeOf(holdTable(ctx, desk, wishFor(publicId, { time: '17:15' })))).toBe('overlap')
    expect(await codeOf(makeReservation(ctx, desk, wishFor(publicId, { time: '21:00' })))).toBe('done')
    expect(await codeOf(makeReservation(ctx, desk, wishFor(elsewhere)))).toBe('done')
  })

  test('RESV-012 ERR-024 a barred diner is refused, in every program, and nothing is left of the attempt', async () => {
    const { publicId } = await room([2])
    const ctx = await guest()
    const member = await ctx.db
      .selectFrom('members')
      .select('email')
      .where('id', '=', ctx.actor.memberId)
      .executeTakeFirstOrThrow()
    await barGuest(ctx, desk, { email: member.email.toUpperCase(), barred: true })
    expect(await codeOf(makeReservation(ctx, desk, wishFor(publicId)))).toBe('fraud')
    const other = await guest('gallonaire')
    await other.db.updateTable('members').set({ email: member.email }).where('id', '=', other.actor.memberId).execute()
    expect(await codeOf(makeReservation(other, desk, wishFor(publicId)))).toBe('fraud')
    await barGuest(ctx, desk, { email: member.email, barred: false })
    expect(await codeOf(makeReservation(ctx, desk, wishFor(publicId)))).toBe('done')
  })

  test('a time that is not offered, is over or too far is refused with no trace', async () => {
    const { publicId } = await room([2])
    const ctx = await guest()
    expect(await codeOf(makeReservation(ctx, desk, wishFor(publicId, { time: '10:00' })))).toBe('slotTaken')
    expect(await codeOf(makeReservation(ctx, desk, wishFor(publicId, { date: '2026-11-17' })))).toBe('tooClose')
    expect(await codeOf(makeReservation(ctx, desk, wishFor(publicId, { date: '2027-10-01' })))).toBe('tooFar')
    expect(await codeOf(makeReservation(ctx, desk, wishFor(publicId, { partySize: 5 })))).toBe('tooBig')
    expect(await listReservations(ctx)).toEqual({ upcoming: [], past: [] })
  })

  test('a table taken by another program is taken: the tables are the restaurant’s', async () => {
    const { publicId } = await room([2])
    await makeReservation(await guest('gallonaire'), desk, wishFor(publicId))
    expect(await codeOf(makeReservation(await guest(), desk, wishFor(publicId)))).toBe('slotTaken')
  })

  test('a reservation is its member’s alone', async () => {
    const { publicId } = await room([2])
    const made = await makeReservation(await guest(), desk, wishFor(publicId))
    for (const other of [await guest(), await guest('gallonaire')]) {
      expect(await codeOf(cancelReservation(other, desk, made.id))).toBe('reservationNotFound')
      expect(await codeOf(changeReservation(other, desk, made.id, wishFor(publicId)))).toBe('reservationNotFound')
      expect(await codeOf(readCalendar(other, desk, made.id))).toBe('reservationNotFound')
    }
  })
})

describe('changing and cancelling', () => {
  test('a change moves the reservation, within two hours of itself too, and keeps its id', async () => {
    const { publicId } = await room([2])
    const ctx = await guest()
    const made = await makeReservation(ctx, desk, wishFor(publicId))
    const moved = await changeReservation(ctx, desk, made.id, { date: friday, time: '19:30', partySize: 2 })
    expect(moved).toMatchObject({ id: made.id, time: '19:30', status: 'booked' })
    expect(await seatings(ctx, publicId)).toBe(1)
    const again = await changeReservation(ctx, desk, made.id, { date: friday, time: '19:30', partySize: 2 })
    expect(again).toEqual(moved)
    expect((await mailsOf(ctx)).map(({ topic }) => topic)).toEqual(['reservation.booked', 'reservation.changed'])
  })

  test('a change that cannot be had leaves the reservation as it was', async () => {
    const { publicId } = await room([2])
    const ctx = await guest()
    const made = await makeReservation(ctx, desk, wishFor(publicId))
    await makeReservation(await guest(), desk, wishFor(publicId, { time: '21:30' }))
    const wish = { date: friday, time: '21:15', partySize: 2 }
    expect(await codeOf(changeReservation(ctx, desk, made.id, wish))).toBe('slotTaken')
    expect((await listReservations(ctx)).upcoming).toEqual([made])
    expect(await seatings(ctx, publicId)).toBe(2)
  })

  test('a change next to another reservation of one’s own is refused', async () => {
    const { publicId } = await room([2, 2])
    const ctx = await guest()
    const made = await makeReservation(ctx, desk, wishFor(publicId, { time: '17:00' }))
    await makeReservation(ctx, desk, wishFor(publicId, { time: '21:00' }))
    const wish = { date: friday, time: '19:15', partySize: 2 }
    expect(await codeOf(changeReservation(ctx, desk, made.id, wish))).toBe('overlap')
  })

  test('a cancelled table is free again; cancelling twice is once; afterwards the same can be booked anew', async () => {
    const { publicId } = await room([2])
    const ctx = await guest()
    const made = await makeReservation(ctx, desk, wishFor(publicId))
    const [one, two] = await Promise.all([cancelReservation(ctx, desk, made.id), cancelReservation(ctx, desk, made.id)])
    expect([one.status, two.status]).toEqual(['cancelled', 'cancelled'])
    expect(await seatings(ctx, publicId)).toBe(0)
    expect(await readCalendar(ctx, desk, made.id)).toContain('STATUS:CANCELLED')
    expect((await listReservations(ctx)).past.map(({ status }) => status)).toEqual(['cancelled'])
    const anew = await makeReservation(ctx, desk, wishFor(publicId))
    expect(anew.id).not.toBe(made.id)
    expect((await mailsOf(ctx)).map(({ topic }) => topic)).toEqual([
      'reservation.booked',
      'reservation.cancelled',
      'reservation.booked',
    ])
  })

  test('a tab that looked before another tab cancelled is told the same', async () => {
    const { publicId } = await room([2])
    const ctx = await guest()
    const made = await makeReservation(ctx, desk, wishFor(publicId))
    let other: Promise<unknown> | undefined
    const slow = ctx.db.withPlugin({
      transformQuery: ({ node }) => node,
      transformResult: async ({ result }) => {
        other ??= cancelReservation(ctx, desk, made.id)
        await other
        return result
      },
    })
    expect((await cancelReservation({ ...ctx, db: slow }, desk, made.id)).status).toBe('cancelled')
    expect((await mailsOf(ctx)).map(({ topic }) => topic)).toEqual(['reservation.booked', 'reservation.cancelled'])
  })

  test('what is over cannot be changed', async () => {
    const { publicId } = await room([2])
    const ctx = await guest()
    const made = await makeReservation(ctx, desk, wishFor(publicId))
    clock.now = new Date('2026-11-21T01:00:00Z')
    expect(await codeOf(cancelReservation(ctx, desk, made.id))).toBe('alreadyOver')
    const wish = { date: '2026-11-22', time: '19:00', partySize: 2 }
    expect(await codeOf(changeReservation(ctx, desk, made.id, wish))).toBe('alreadyOver')
    expect((await listReservations(ctx)).past).toHaveLength(1)
  })
})

describe('a provider that fails', () => {
  let server: Awaited<ReturnType<typeof startBookingServer>>
  let far: Desk
  beforeEach(async () => {
    server = await startBookingServer({ seats: [2], clock: () => clock.now })
    far = { ...desk, http: httpProvider({ url: server.url, credentials: 'dineback:open', fetch, patience: 500 }) }
    return () => server.stop()
  })
  const farRoom = () => room([], { reservationProvider: 'http', reservationRef: `ref-${Math.random()}` })

  test('RESV-010 ERR-024 is told as such, and nothing is left there or here', async () => {
    const { publicId } = await farRoom()
    const ctx = await guest()
    server.mood.before = true
    expect(await codeOf(makeReservation(ctx, far, wishFor(publicId)))).toBe('reservationFailed')
    expect(await codeOf(readAvailability(ctx, far, wishFor(publicId)))).toBe('reservationFailed')
    server.mood.before = false
    expect(await codeOf(makeReservation(ctx, far, wishFor(publicId)))).not.toBe('overlap')
    clock.now = new Date(clock.now.getTime() + 2 * MINUTE)
    await settleReservations(ctx, far)
    expect(await stuck(ctx)).toEqual([])
  })

  test('one that books and loses its answer has its booking given back, later if it cannot be reached', async () => {
    const { publicId } = await farRoom()
    const ctx = await guest()
    server.mood.after = true
    expect(await codeOf(makeReservation(ctx, far, wishFor(publicId)))).toBe('reservationFailed')
    server.mood.after = false
    clock.now = new Date(clock.now.getTime() + 2 * MINUTE)
    expect(await settleReservations(ctx, far)).toBe(1)
    expect(server.booked()).toEqual([])
    expect(await stuck(ctx)).toEqual([])
    expect(await mailsOf(ctx)).toEqual([])
  })

  test('a cancellation counts at once and is told to the provider when it can be reached', async () => {
    const { publicId } = await farRoom()
    const ctx = await guest()
    const made = await makeReservation(ctx, far, wishFor(publicId))
    server.mood.before = true
    expect((await cancelReservation(ctx, far, made.id)).status).toBe('cancelled')
    expect(server.booked()).toHaveLength(1)
    server.mood.before = false
    clock.now = new Date(clock.now.getTime() + 2 * MINUTE)
    await settleReservations(ctx, far)
    expect(server.booked()).toEqual([])
    expect(await stuck(ctx)).toEqual([])
  })

  test('a change whose answer is lost is taken back', async () => {
    const { publicId } = await farRoom()
    const ctx = await guest()
    const made = await makeReservation(ctx, far, wishFor(publicId))
    server.mood.after = true
    const wish = { date: friday, time: '21:30', partySize: 2 }
    expect(await codeOf(changeReservation(ctx, far, made.id, wish))).toBe('reservationFailed')
    server.mood.after = false
    clock.now = new Date(clock.now.getTime() + 2 * MINUTE)
    await settleReservations(ctx, far)
    expect((await listReservations(ctx)).upcoming).toEqual([made])
    expect(server.booked().map(({ slot }) => slot.start_sec * 1000)).toEqual([Date.parse(made.startsAt)])
  })
})

describe('the reservation bonus', () => {
  async function dinner(over: { bonusDay?: string; dinedAt?: string } = {}) {
    const place = await room([2])
    const ctx = await guest()
    const card = await addCard(ctx.db, ctx.actor.memberId as number)
    await makeReservation(ctx, desk, wishFor(place.publicId))
    const id = randomBytes(8).toString('hex')
    const tell = (name: 'auth' | 'clearing' | 'refund', minute: number, more: object = {}) =>
      receiveOne(
        ctx,
        feedEvent(`transaction.${name}`, {
          id,
          programId: 'skyharbor',
          datetime: over.dinedAt ?? '2026-11-21T01:50:00.000Z',
          created: '2026-11-21T02:00:00.000Z',
          updated: new Date(Date.UTC(2026, 10, 21, 3, minute)).toISOString(),
          amount: '50.00',
          card: { id: card.token, lastNumbers: card.lastFour },
          location: { id: place.locationId },
          ...more,
        }),
      )
    const memberId = ctx.actor.memberId as number
    return { ctx, id, tell, balance: () => balanceOf(ctx.db, memberId, 'mile') }
  }

  test('is granted when the card is seen there that evening, once, and goes with the meal when that is refunded', async () => {
    const { ctx, id, tell, balance } = await dinner()
    await tell('auth', 1)
    expect(await balance()).toBe(0)
    await tell('clearing', 2)
    expect(await balance()).toBe(650)
    await tell('clearing', 3)
    expect(await balance()).toBe(650)
    await tell('refund', 4, { id: `${id}-refund`, originalTransactionId: id, amount: '-50.00' })
    expect(await balance()).toBe(0)
    expect(await ledgerFaults(ctx.db)).toEqual([])
  })

  test('is not granted on another evening', async () => {
    const { tell, balance } = await dinner({ dinedAt: '2026-11-23T01:50:00.000Z' })
    await tell('clearing', 2)
    expect(await balance()).toBe(150)
  })
})

describe('mails', () => {
  test('are sent once, tried again after a failure, and kept where there is no mail server', async () => {
    const { publicId } = await room([2])
    const ctx = await guest('gallonaire')
    await ctx.db.updateTable('mails').set({ status: 'kept' }).execute()
    await makeReservation(ctx, desk, wishFor(publicId))
    const sent: string[] = []
    let down = true
    const transport = async ({ subject }: { subject: string }) => {
      if (down) throw new Error('no route to host')
      sent.push(subject)
    }
    const delivery = { db: ctx.db, partnerId: 'gallonaire', from: 'Dineback <a@b.example>' }
    await deliverMails({ ...delivery, transport })
    expect((await mailsOf(ctx))[0]).toMatchObject({ status: 'waiting', attempts: 1, last_error: 'no route to host' })
    down = false
    await ctx.db
      .updateTable('mails')
      .set({ next_attempt_at: new Date(0) })
      .execute()
    const both = [deliverMails({ ...delivery, transport }), deliverMails({ ...delivery, transport })]
    await Promise.all(both)
    expect(sent).toHaveLength(1)
    const other = await guest('gallonaire')
    await makeReservation(other, desk, wishFor(publicId, { time: '21:00' }))
    await deliverMails({ ...delivery, transport: null })
    expect((await mailsOf(other))[0]).toMatchObject({ status: 'kept' })
  })
})

const mailsOf = (ctx: Ctx) =>
  ctx.db.selectFrom('mails').selectAll().where('member_id', '=', ctx.actor.memberId).orderBy('id').execute()

/** Returns reservations in a transitional state. */
const stuck = (ctx: Ctx) =>
  ctx.db.selectFrom('reservations').select('id').where('status', 'in', ['booking', 'cancelling']).execute()
