import { createECDH, randomBytes } from 'node:crypto'
import { beforeAll, describe, expect, test } from 'vitest'
import { asOwner, visit, withoutBotCheck } from '../support/app.ts'
import { setUpTestApp } from '../support/file-setup.ts'
import { pushHost } from '../support/member-acts.ts'
import { newMember, recoveryCodeOf, signIn, type Visitor } from '../support/members.ts'

const app = setUpTestApp({ PUSH_HOSTS: pushHost })
beforeAll(() => withoutBotCheck('gallonaire', app))
const newPassword = 'chanterelles 9 on toast'

async function subscribe(visitor: Visitor): Promise<string> {
  const curve = createECDH('prime256v1')
  curve.generateKeys()
  const endpoint = `http://${pushHost}/${randomBytes(8).toString('hex')}`
  const keys = { p256dh: curve.getPublicKey().toString('base64url'), auth: randomBytes(16).toString('base64url') }
  const response = await visitor.change('POST', '/api/Member/Push', { endpoint, keys, timeZone: 'UTC' })
  expect(response.status).toBe(200)
  return endpoint
}

/** A member who gets push messages in two browsers. */
async function memberWithDevices() {
  const { visitor, form } = await newMember(app, 'gallonaire')
  const elsewhere = visit(app, 'gallonaire')
  await signIn(elsewhere, form.email, { rememberMe: true })
  const [here, there] = [await subscribe(visitor), await subscribe(elsewhere)]
  const endpoints = async () => {
    const rows = await asOwner<{ endpoint: string }>(
      app,
      'select endpoint from push_subscriptions where member_id = (select id from members where email = $1)',
      [form.email],
    )
    return new Set(rows.map(({ endpoint }) => endpoint))
  }
  return { visitor, elsewhere, form, here, there, endpoints }
}
type Member = Awaited<ReturnType<typeof memberWithDevices>>
interface Device {
  id: string
  current: boolean
  isSignedIn: boolean
  getsNotifications: boolean
}
const devicesOf = async (visitor: Visitor) => (await visitor.get('/api/Member/Sessions')).json<Device[]>()

/** What ends the session elsewhere. */
const ends: Record<string, (member: Member) => Promise<unknown>> = {
  'signing out there': ({ elsewhere }) => elsewhere.get('/SignOut'),
  'ending that session': async ({ visitor }) => {
    const other = (await devicesOf(visitor)).find(({ current }) => !current)
    return visitor.change('DELETE', `/api/Member/Sessions?id=${other?.id}`)
  },
  'signing out everywhere else': ({ visitor }) => visitor.change('DELETE', '/api/Member/Sessions'),
  'a new password': ({ visitor, form: { firstName, lastName, zipCode } }) =>
    visitor.change('PUT', '/api/Member', {
      ...{ firstName, lastName, zipCode, address1: '1 Main Street', city: 'New York', state: 'NY' },
      password: newPassword,
    }),
  'somebody else who signs in there': async ({ elsewhere }) => {
    const { form } = await newMember(app, 'gallonaire')
    return signIn(elsewhere, form.email)
  },
}

describe.each(Object.keys(ends))('Case 124 %s', (kind) => {
  test('SESS-025 ends the push messages there, and not those here', async () => {
    const member = await memberWithDevices()
    expect(await member.endpoints()).toEqual(new Set([member.here, member.there]))
    await ends[kind]?.(member)
    expect([kind, [...(await member.endpoints())]]).toEqual([kind, [member.here]])
  })
})

test('SESS-025 Case 124 a recovery ends the push messages everywhere', async () => {
  const member = await memberWithDevices()
  const browser = visit(app, 'gallonaire')
  await browser.change('POST', '/api/Members/Recover', { userName: member.form.email })
  const code = await recoveryCodeOf(app, member.form.email)
  const { resetToken } = (await browser.change('POST', '/api/Members/Recover/Confirm', { code })).json()
  const update = { resetToken, password: newPassword, passwordConfirm: newPassword }
  expect((await browser.change('POST', '/api/Members/Recover/Update', update)).status).toBe(200)
  expect(await member.endpoints()).toEqual(new Set())
})

const expire = ({ form }: Member) =>
  asOwner(
    app,
    `update sessions set expires_at = now() - interval '1 second'
     where remembered and member_id = (select id from members where email = $1)`,
    [form.email],
  )

test('SESS-025 a browser whose session is over by its time still gets them, is listed, and ends like the others', async () => {
  const member = await memberWithDevices()
  await expire(member)
  expect(await member.endpoints()).toEqual(new Set([member.here, member.there]))
  const devices = await devicesOf(member.visitor)
  expect(devices).toMatchObject([
    { current: true, isSignedIn: true, getsNotifications: true },
    { current: false, isSignedIn: false, getsNotifications: true },
  ])
  expect((await member.visitor.change('DELETE', `/api/Member/Sessions?id=${devices[1]?.id}`)).status).toBe(200)
  expect(await member.endpoints()).toEqual(new Set([member.here]))
})

test.each(['signing out everywhere else', 'a new password'])(
  'SESS-025 Case 124 %s ends such a browser, too',
  async (kind) => {
    const member = await memberWithDevices()
    await expire(member)
    await ends[kind]?.(member)
    expect(await member.endpoints()).toEqual(new Set([member.here]))
  },
)

test('SESS-025 signing in again in a browser keeps its messages, and they end with the new session', async () => {
  const member = await memberWithDevices()
  await signIn(member.elsewhere, member.form.email)
  expect(await member.endpoints()).toEqual(new Set([member.here, member.there]))
  await member.elsewhere.get('/SignOut')
  expect(await member.endpoints()).toEqual(new Set([member.here]))
})

test('SESS-025 another member’s devices are neither listed nor ended', async () => {
  const [member, other] = [await memberWithDevices(), await memberWithDevices()]
  await expire(other)
  const lost = (await devicesOf(other.visitor)).find(({ isSignedIn }) => !isSignedIn)
  expect((await member.visitor.change('DELETE', `/api/Member/Sessions?id=${lost?.id}`)).status).toBe(404)
  await member.visitor.change('DELETE', '/api/Member/Sessions')
  expect((await other.endpoints()).size).toBe(2)
  expect(await devicesOf(member.visitor)).toHaveLength(1)
})
