import { randomBytes } from 'node:crypto'
import { beforeAll, expect, test } from 'vitest'
import { addOperator } from '../../src/console/operators/service.ts'
import { makeReservation, type ReservationDeps } from '../../src/dining/reservations/service.ts'
import { addDays } from '../../src/platform/time.ts'
import { reconcileReservationBonus } from '../../src/rewards/awards/apply.ts'
import { asOwner } from '../support/app.ts'
import { type ConsoleSession, openConsole } from '../support/console.ts'
import { setUpTestApp } from '../support/file-setup.ts'
import { addMerchantWithTables, createMemberContext } from '../support/reservation-harness.ts'

const app = setUpTestApp()
const password = 'sourdough 4 breakfast'
const program = '/api/programs/skyharbor'
let support: ConsoleSession
let editor: ConsoleSession

beforeAll(async () => {
  for (const role of ['support', 'editor'] as const) {
    const email = `${role}@dineback.example`
    await addOperator(app.database.consolePools.shared, { email, name: role, role, partners: ['skyharbor'], password })
  }
  support = await openConsole(app, 'support@dineback.example', password)
  editor = await openConsole(app, 'editor@dineback.example', password)
})

const deps: ReservationDeps = {
  http: null,
  guestKey: randomBytes(32),
  origin: (partner) => `http://${partner}.localhost`,
  settleBonus: reconcileReservationBonus,
}

/** Books a table for two in three days; returns its id and restaurant. */
async function book() {
  const ctx = await createMemberContext(app.database as never, 'skyharbor', { now: new Date() })
  const { publicId } = await addMerchantWithTables(ctx.db, { seats: [2] })
  const date = addDays(new Date().toISOString().slice(0, 10), 3)
  const { id } = await makeReservation(ctx, deps, { merchantId: publicId, date, time: '19:00', partySize: 2 })
  return { id, merchantId: publicId, date }
}

const get = async (path: string, session = support) => {
  const { status, json } = await session.call('GET', `${program}/reservations${path}`)
  return { status, body: json() }
}
const post = async (path: string, body: object = {}, session = support) => {
  const { status, json } = await session.call('POST', `${program}/reservations${path}`, body)
  return { status, body: json() }
}

const statuses = async (action: string) =>
  (
    await asOwner<{ status: number }>(app, 'select status from console.acts where action = $1 order by id', [action])
  ).map(({ status }) => status)

test('CON-161 CON-705 lists reservations by day, restaurant and state, and shows one with its history and the provider’s answers', async () => {
  const { id, merchantId, date } = await book()
  const ids = async (query: string) => (await get(query)).body.items.map((item: { id: string }) => item.id)
  expect(await ids(`?restaurant=${merchantId}`)).toEqual([id])
  expect(await ids(`?restaurant=${merchantId}&state=booked&from=${addDays(date, -1)}&to=${addDays(date, 1)}`)).toEqual([
    id,
  ])
  const [{ name, email } = { name: '', email: '' }] = await asOwner<{ name: string; email: string }>(
    app,
    `select m.name, (select v.email from members v join reservations o on o.member_id = v.id where o.public_id = $2) as email
     from merchants m where m.public_id = $1`,
    [merchantId, id],
  )
  expect(await ids(`?restaurant=${encodeURIComponent(name.slice(0, -1).toUpperCase())}`)).toEqual([id])
  expect(await ids(`?member=${encodeURIComponent(` ${email.toUpperCase()} `)}`)).toEqual([id])
  expect(await ids('?member=nobody@example.com')).toEqual([])
  expect(await ids(`?restaurant=${merchantId}&state=canceled`)).toEqual([])
  expect(await ids(`?restaurant=${merchantId}&to=${addDays(date, -2)}`)).toEqual([])
  const { body } = await get(`/${id}`)
  expect(body.merchantId).toMatch(/^[\w-]+$/)
  expect(body.city).toMatch(/^\S.*, [A-Z]{2}$/)
  expect(body).toMatchObject({ state: 'booked', partySize: 2, provider: 'book', isOver: false })
  expect(body.messages).toMatchObject([{ request: 'book', outcome: 'done', confirmation: body.confirmation }])
  expect(body.history.map(({ text }: { text: string }) => text)).toEqual(['Booked'])
  // Its time is still to come.
  expect(body.bonusWords).toContain('still to be earned')
  expect((await get(`/${id}`, editor)).status).toBe(403)
  expect((await get('/unknown')).status).toBe(404)
  expect(await statuses('getReservation')).toEqual([200, 403, 404])
})

test('CON-162 cancels a reservation through its provider with a reason, once, and only at the time that was shown', async () => {
  const { id } = await book()
  const { startsAt } = (await get(`/${id}`)).body
  const cancel = (over: object = {}) => post(`/${id}/cancel`, { startsAt, reason: 'The member called', ...over })
  expect((await cancel({ reason: '' })).status).toBe(400)
  expect((await cancel({ startsAt: '2026-01-01T00:00:00.000Z' })).status).toBe(409)
  const { body } = await cancel()
  expect(body).toMatchObject({ state: 'canceled' })
  expect(body.messages.map(({ request }: { request: string }) => request)).toEqual(['book', 'cancel'])
  expect(body.history.map(({ text }: { text: string }) => text)).toContain('Canceled a reservation: The member called')
  expect(body.bonusWords).toContain('was canceled')
  expect((await cancel()).status).toBe(409)
  expect(await statuses('cancelReservationByOperator')).toEqual([400, 409, 200, 409])
  const emails = await asOwner(app, `select id from emails where topic = 'reservation.canceled'`)
  expect(emails).toHaveLength(1)
})

test('CON-163 marks a no-show after its time, takes the mark back, and confirms only what is being booked', async () => {
  const { id } = await book()
  const mark = (isNoShow: boolean, session = support) => post(`/${id}/no-show`, { isNoShow }, session)
  expect((await mark(true)).body).toMatchObject({ code: 'tooEarly' })
  await asOwner(
    app,
    `update reservations set starts_at = now() - interval '1 day', clear_until = now() - interval '22 hours' where public_id = $1`,
    [id],
  )
  expect((await get(`/${id}`)).body.bonusWords).toContain('no transaction of the member')
  expect((await mark(true, editor)).status).toBe(403)
  expect((await mark(true)).body).toMatchObject({ state: 'noShow' })
  expect((await mark(true)).status).toBe(409)
  expect((await get('?state=noShow')).body.items.map((item: { id: string }) => item.id)).toEqual([id])
  expect((await mark(false)).body).toMatchObject({ state: 'booked' })
  expect((await post(`/${id}/confirm`)).status).toBe(409)
  // A booking whose outcome is not known: the provider knows its token, and answers the same.
  await asOwner(app, `update reservations set status = 'booking', confirmation = null where public_id = $1`, [id])
  expect((await post(`/${id}/confirm`)).body).toMatchObject({ state: 'booked' })
})
