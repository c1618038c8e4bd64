import { createECDH, randomBytes } from 'node:crypto'
import { beforeAll, expect, test } from 'vitest'
import { asOwner, withoutBotCheck } from '../support/app.ts'
import { setUpTestApp } from '../support/file-setup.ts'
import { pushHost } from '../support/member-acts.ts'
import { newMember } from '../support/members.ts'
import { whileLocked } from '../support/while-locked.ts'

const app = setUpTestApp({ PUSH_HOSTS: pushHost })
beforeAll(() => withoutBotCheck('gallonaire', app))

test('SESS-025 a browser that is added again while its session is signed out gets no push messages', async () => {
  const { visitor } = await newMember(app, 'gallonaire')
  const curve = createECDH('prime256v1')
  curve.generateKeys()
  const endpoint = `http://${pushHost}/${randomBytes(8).toString('hex')}`
  const keys = { p256dh: curve.getPublicKey().toString('base64url'), auth: randomBytes(16).toString('base64url') }
  const add = () => visitor.change('POST', '/api/Member/Push', { endpoint, keys, timeZone: 'UTC' })
  expect((await add()).status).toBe(200)
  // Both change the row of this browser: adding it first, then the end of the session.
  await whileLocked(app.database.pools.forPartner('gallonaire'), {
    hold: (tx) =>
      tx.selectFrom('push_subscriptions').select('id').where('endpoint', '=', endpoint).forUpdate().execute(),
    acts: [add, () => visitor.get('/SignOut')],
  })
  expect(await asOwner(app, 'select 1 from sessions where member_id is not null', [])).toEqual([])
  expect(await asOwner(app, 'select endpoint from push_subscriptions', [])).toEqual([])
})
