import Fastify, { type FastifyRequest } from 'fastify'
import { expect, onTestFinished, test } from 'vitest'
import { limitRates } from './rate-limit.ts'

/** Returns a server whose only route may be requested twice a minute, and its responses to addresses. */
async function createLimited() {
  const app = Fastify()
  onTestFinished(() => app.close())
  const programOf = ({ headers }: FastifyRequest) => `${headers.host}:`
  await limitRates(app, { prefix: programOf, message: ({ url }) => `too many at ${url}` })
  app.get('/codes', { config: { rateLimit: { max: 2, timeWindow: 60_000 } } }, async () => 'ok')
  app.get('/free', async () => 'ok')
  app.get('/several', async (request, reply) => {
    for (let call = 0; call < 2; call++) await app.rateLimits.get('GET /codes')?.(request, reply)
    return 'ok'
  })
  const send = async (remoteAddress: string, { host = 'a', path = '/codes' } = {}) => {
    const { statusCode, headers, ...response } = await app.inject({ url: path, remoteAddress, headers: { host } })
    return statusCode === 200 ? 200 : [statusCode, response.json().message, Number(headers['retry-after']) > 0]
  }
  return { app, send }
}

const tooMany = [429, 'too many at /codes', true]

test('a network has its limit in each program, and a route without a limit has none', async () => {
  const { send } = await createLimited()
  expect([await send('192.0.2.1'), await send('192.0.2.1'), await send('192.0.2.1')]).toEqual([200, 200, tooMany])
  expect(await send('::ffff:192.0.2.1')).toEqual(tooMany)
  expect([await send('192.0.2.2'), await send('192.0.2.1', { host: 'b' })]).toEqual([200, 200])
  for (let request = 0; request < 5; request++) expect(await send('192.0.2.1', { path: '/free' })).toBe(200)
})

test('the addresses of an IPv6 network of one household count together, and those of an organization up to ten times the limit', async () => {
  const { send } = await createLimited()
  const addressIn = (network: number, host: number) => `2001:db8:1:${network}::${host}`
  expect([await send(addressIn(0, 1)), await send(addressIn(0, 2)), await send(addressIn(0, 3))]).toEqual([
    200,
    200,
    tooMany,
  ])
  // The rejected request counts for the narrow network only.
  for (let network = 1; network < 10; network++)
    expect([network, await send(addressIn(network, 1)), await send(addressIn(network, 2))]).toEqual([network, 200, 200])
  expect(await send(addressIn(10, 1))).toEqual(tooMany)
  expect([await send('2001:db8:2::1'), await send(addressIn(10, 1), { host: 'b' })]).toEqual([200, 200])
})

test('a request that makes several limited calls counts as many', async () => {
  const { send } = await createLimited()
  expect(await send('192.0.2.1', { path: '/several' })).toBe(200)
  expect(await send('192.0.2.1')).toEqual(tooMany)
})
