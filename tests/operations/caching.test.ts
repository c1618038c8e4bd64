import type { FastifyReply } from 'fastify'
import { expect, onTestFinished, test } from 'vitest'
import {
  decideCaching,
  type Recipient,
  type Sharing,
  sameForAll,
  sameForVisitors,
} from '../../src/platform/http/caching.ts'
import { createHttpApp } from '../../src/platform/http/create-http-app.ts'
import { cachingFaultsOf } from '../support/caching-faults.ts'

const forever = 'public, max-age=31536000, immutable'

test('SESS-024 a response that is for one person or sets a cookie is stored nowhere, whatever its handler says', () => {
  const values = [undefined, 'public', forever, 'max-age=60', 's-maxage=60', 'no-cache', 'private', 'private, no-cache']
  for (const sharing of [undefined, 'anonymous', 'always'] as (Sharing | undefined)[])
    for (const recipient of ['anyone', 'session', 'person'] as Recipient[])
      for (const setsCookie of [false, true])
        for (const cacheControl of [...values, 'no-store', 'private, no-store', 'No-Store'])
          for (const status of [200, 206, 302, 304, 404, 500]) {
            const given = { status, sharing, recipient, setsCookie, cacheControl }
            const { cacheControl: sent } = decideCaching(given)
            const directives = sent.toLowerCase().split(', ')
            const mayStore = !directives.includes('no-store')
            const mayShare = mayStore && !directives.includes('private')
            const isPersonal = setsCookie || recipient === 'person' || sharing === undefined || status >= 400
            expect({ ...given, mayStore: mayStore && isPersonal }).toEqual({ ...given, mayStore: false })
            expect({ ...given, mayShare: mayShare && recipient !== 'anyone' }).toEqual({ ...given, mayShare: false })
            // Without a header, a cache may decide by itself.
            expect(sent).not.toBe('')
            if (mayStore) expect(sent).toBe(cacheControl)
          }
})

test('SESS-024 what a handler says about an anonymous response of a declared route remains', () => {
  const anonymous = { status: 200, recipient: 'anyone', setsCookie: false } as const
  for (const sharing of ['always', 'anonymous'] as const)
    for (const cacheControl of [forever, 'no-cache', 'private, no-cache', 'public, max-age=0, s-maxage=30'])
      expect(decideCaching({ ...anonymous, sharing, cacheControl })).toEqual({ cacheControl, fault: null })
  const ofSession = { ...anonymous, recipient: 'session', sharing: 'anonymous' } as const
  const own = 'private, no-cache'
  expect(decideCaching({ ...ofSession, cacheControl: own })).toEqual({ cacheControl: own, fault: null })
})

/** Creates an app whose routes are wrong about caches in every way in which a response can be sent. */
async function openFaulty(recipient: Recipient = 'anyone') {
  const app = await createHttpApp({
    host: 'test',
    logger: null,
    scheme: 'http',
    referrerPolicy: 'no-referrer',
    framing: 'denied',
    recipientOf: () => recipient,
    sendError: (reply, { status }) => reply.send({ status }),
  })
  onTestFinished(() => app.close())
  const cached = (reply: FastifyReply) =>
    reply.headers({ 'cache-control': forever, 'cdn-cache-control': 'public, max-age=60' })
  app.get('/undeclared', (_request, reply) => cached(reply).send('x'))
  app.get('/page', sameForVisitors, (_request, reply) => cached(reply).send('x'))
  app.get('/cookie', sameForAll, (_request, reply) => cached(reply).header('set-cookie', 'sid=1').send('x'))
  app.get('/stream', (_request, reply) => cached(reply).send(new Blob(['x']).stream()))
  app.get('/raw', (_request, reply) => {
    reply.hijack()
    reply.raw.writeHead(200, { 'Cache-Control': forever, 'CDN-Cache-Control': 'max-age=60' }).end('x')
  })
  app.get('/list', (_request, reply) => {
    reply.hijack()
    reply.raw.writeHead(200, 'OK', ['Cache-Control', forever]).end('x')
  })
  app.get('/implicit', (_request, reply) => {
    reply.hijack()
    reply.raw.setHeader('cache-control', forever)
    reply.raw.end('x')
  })
  app.get('/not-modified', (_request, reply) => cached(reply).code(304).send())
  app.get('/partial', (_request, reply) => cached(reply).code(206).send('x'))
  app.get('/failed', sameForAll, (_request, reply) => {
    cached(reply)
    throw new Error('after the header')
  })
  app.get('/silent', () => 'x')
  app.get('/silent-for-all', sameForAll, () => 'x')
  app.get('/good', sameForAll, (request, reply) => cached(reply).send({ cookie: request.headers.cookie ?? null }))
  return app
}

test('SESS-024 a wrong response is corrected and reported, in whichever way it is sent', async () => {
  const app = await openFaulty()
  const wrong = ['/undeclared', '/cookie', '/stream', '/raw', '/list', '/implicit', '/not-modified', '/partial']
  for (const path of wrong) {
    const faults = await cachingFaultsOf(async () => {
      const { headers } = await app.inject(path)
      expect([path, headers['cache-control'], headers['cdn-cache-control']]).toEqual([path, 'no-store', undefined])
    })
    expect(faults).toMatchObject([{ target: `GET ${path}`, cacheControl: forever }])
  }
  // Nobody's mistake: failures, responses without the header, and requests that no hook or route has seen.
  for (const path of ['/failed', '/silent', '/silent-for-all', '/nowhere', '/silent?%00', '/%zz']) {
    const { headers } = await app.inject(path)
    expect([path, headers['cache-control'], headers['cdn-cache-control']]).toEqual([path, 'no-store', undefined])
  }
})

test('SESS-024 a route with one response for everybody sees no cookie', async () => {
  const app = await openFaulty()
  const { headers, json } = await app.inject({ url: '/good', headers: { cookie: 'sid=secret', authorization: 'x' } })
  expect([json(), headers['cache-control']]).toEqual([{ cookie: null }, forever])
})

test('SESS-024 a page that was computed for a member or in a session, and says public, is corrected and reported', async () => {
  for (const recipient of ['session', 'person'] as const) {
    const app = await openFaulty(recipient)
    const faults = await cachingFaultsOf(async () =>
      expect((await app.inject('/page')).headers['cache-control']).toBe('no-store'),
    )
    expect(faults).toMatchObject([{ target: 'GET /page' }])
  }
  const anonymous = await openFaulty()
  expect((await anonymous.inject('/page')).headers['cache-control']).toBe(forever)
})
