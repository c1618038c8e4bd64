import { beforeAll, expect, test, vi } from 'vitest'
import { addOperator } from '../../src/console/operators/service.ts'
import { writeFlag } from '../../src/programs/partners/service.ts'
import { asOwner } from '../support/app.ts'
import { type ConsoleSession, openConsole } from '../support/console.ts'
import { setUpTestApp } from '../support/file-setup.ts'
import { send } from '../support/http.ts'

const app = setUpTestApp()
const password = 'sourdough 4 breakfast'
const program = '/api/programs/skyharbor'
let admin: ConsoleSession
let viewer: ConsoleSession

beforeAll(async () => {
  for (const role of ['admin', 'viewer'] as const) {
    const email = `${role}@dineback.example`
    await addOperator(app.database.consolePools.shared, { email, name: role, role, partners: ['skyharbor'], password })
  }
  admin = await openConsole(app, 'admin@dineback.example', password)
  viewer = await openConsole(app, 'viewer@dineback.example', password)
})

interface Listed {
  kind: string
  name: string
  isOn: boolean
  set: { at: string; by: string | null } | null
}

const flags = async (session = admin) => (await session.call('GET', `${program}/flags`)).body
const find = ({ flags: all }: { flags: Listed[] }, name: string) => all.find((flag) => flag.name === name)

const setFlag = (session: ConsoleSession, path: string, isOn: boolean, was: boolean) =>
  session.call('PUT', `${program}/flags/${path}`, { isOn, was, reason: 'Ticket 7' })

const siteFlags = async () =>
  (await send({ port: app.port, host: 'skyharbor.localhost', method: 'GET', path: '/api/feature-flags' })).json<{
    authFlags: Record<string, boolean>
    partnerFeatureFlags: Record<string, boolean>
  }>()

test('CON-406 a flag is switched with a reason, takes effect at once, and says since when and by whom', async () => {
  const before = find(await flags(viewer), 'merchantFavorites') as Listed
  expect(before).toMatchObject({ kind: 'partnerFeatureFlags', set: null })
  const path = 'partnerFeatureFlags/merchantFavorites'
  expect((await setFlag(viewer, path, !before.isOn, before.isOn)).status).toBe(403)
  expect(find(await flags(), 'merchantFavorites')).toEqual(before)
  const { body } = await setFlag(admin, path, !before.isOn, before.isOn)
  expect(find(body, 'merchantFavorites')).toMatchObject({ isOn: !before.isOn, set: { by: 'admin' } })
  await vi.waitFor(
    async () => expect((await siteFlags()).partnerFeatureFlags).toMatchObject({ merchantFavorites: !before.isOn }),
    20_000,
  )
  // Somebody who saw the former value would undo it unseen.
  expect((await setFlag(admin, path, !before.isOn, before.isOn)).body).toMatchObject({ code: 'conflict' })
  for (const unknown of ['partnerFeatureFlags/nonsense', 'filters/merchantFavorites', 'nonsense/merchantFavorites'])
    expect((await setFlag(admin, unknown, true, false)).status).toBe(404)
  const acts = await asOwner(app, `select * from console.acts where action = 'setFlag' and status = 200`)
  expect(acts).toMatchObject([
    {
      partner_id: 'skyharbor',
      object_type: 'flag',
      object_id: 'partnerFeatureFlags.merchantFavorites',
      reason: 'Ticket 7',
      before: { merchantFavorites: before.isOn ? 'on' : 'off' },
      after: { merchantFavorites: before.isOn ? 'off' : 'on' },
    },
  ])
  // Set on the command line, it is nobody's.
  await writeFlag(app.database.pools.forPartner('skyharbor'), {
    kind: 'partnerFeatureFlags',
    name: 'merchantFavorites',
    value: before.isOn,
  })
  expect(find(await flags(), 'merchantFavorites')).toMatchObject({ isOn: before.isOn, set: { by: null } })
})

test('CON-406 a flag of one program is that of no other, and two operators at once switch it once', async () => {
  const other = async () =>
    asOwner(app, `select name from feature_flags where partner_id <> 'skyharbor' and name = 'showEarnRate'`)
  const foreign = await other()
  const { isOn } = find(await flags(), 'showEarnRate') as Listed
  const path = 'partnerFeatureFlags/showEarnRate'
  const done = await Promise.all([setFlag(admin, path, !isOn, isOn), setFlag(admin, path, !isOn, isOn)])
  expect(done.map(({ status }) => status).toSorted()).toEqual([200, 409])
  expect(await other()).toEqual(foreign)
  expect((await setFlag(admin, path, isOn, !isOn)).status).toBe(200)
})

const setMaintenance = (session: ConsoleSession, isOn: boolean, was: string) =>
  session.call('PUT', `${program}/maintenance`, { isOn, was, reason: 'The card network moves' })

test('CON-407 a program is closed for maintenance and opened again, with a reason, at once', async () => {
  expect(await flags()).toMatchObject({ maintenance: 'off' })
  expect((await setMaintenance(viewer, true, 'off')).status).toBe(403)
  expect((await setMaintenance(admin, true, 'on')).status).toBe(409)
  expect((await setMaintenance(admin, true, 'off')).body).toMatchObject({ maintenance: 'on' })
  const closed = { siteMaintenance: true, loginMaintenance: true, joinMaintenance: true }
  await vi.waitFor(async () => expect((await siteFlags()).authFlags).toMatchObject(closed), 20_000)
  expect((await setFlag(admin, 'authFlags/joinMaintenance', false, true)).body).toMatchObject({ maintenance: 'partly' })
  expect((await setMaintenance(admin, false, 'partly')).body).toMatchObject({ maintenance: 'off' })
  await vi.waitFor(async () => expect((await siteFlags()).authFlags).toMatchObject({ siteMaintenance: false }), 20_000)
  const acts = await asOwner(
    app,
    `select before, after from console.acts where action = 'setMaintenance' and status = 200 order by id`,
  )
  expect(acts).toEqual([
    { before: { maintenance: 'off' }, after: { maintenance: 'on' } },
    { before: { maintenance: 'partly' }, after: { maintenance: 'off' } },
  ])
})
