import { createECDH, randomBytes } from 'node:crypto'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createPush } from './push.ts'

const curve = createECDH('prime256v1')
curve.generateKeys()
const keys = { p256dh: curve.getPublicKey('base64url'), auth: randomBytes(16).toString('base64url') }
const message = { title: 'Earned', body: '144 miles', url: '/account/recent_activity', tag: 'award' }
const push = createPush('secret', { contact: 'mailto:dining@example.com', additionalHosts: [] })

let service: Server
let origin: string
let calls = 0
beforeAll(async () => {
  service = createServer(({ url = '' }, response) => {
    calls++
    if (url === '/lost') response.destroy()
    else response.writeHead(Number(url.slice(1)), { location: '/201' }).end()
  })
  await new Promise<void>((done) => service.listen(0, '127.0.0.1', done))
  origin = `http://127.0.0.1:${(service.address() as AddressInfo).port}`
})
afterAll(() => service.close())

const send = (path: string, over: Partial<typeof keys> = {}) =>
  push.send({ endpoint: `${origin}/${path}`, timeZone: 'UTC', ...keys, ...over }, message)

test.each([
  ['201', 'sent'],
  ['200', 'sent'],
  ['410', 'gone'],
  ['404', 'gone'],
  ['400', 'gone'],
  ['429', 'later'],
  ['500', 'later'],
  ['503', 'later'],
  ['lost', 'later'],
  // Only the push service itself is called.
  ['302', 'later'],
])('a response %s of the push service means %s', async (path, outcome) => {
  expect(await send(path)).toBe(outcome)
})

test('a subscription with invalid keys is gone, without a call', async () => {
  const before = calls
  expect(await send('201', { p256dh: 'short' })).toBe('gone')
  expect(await send('201', { auth: '' })).toBe('gone')
  expect(calls).toBe(before)
})
