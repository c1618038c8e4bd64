import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterEach, expect, test } from 'vitest'
import { createHttpVault } from '../../src/rewards/cards/vault.ts'

const holder = { tenant: 'skyharbor', holder: 'diner-1' }
const card = { ...holder, encryptedCardNumber: 'sealed' }

const server = createServer()
afterEach(async () => {
  server.removeAllListeners('request')
  server.closeAllConnections()
  await new Promise((done) => server.close(done))
})

/** Returns every call to a vault that responds as given. */
async function callsTo(respond: RequestListener) {
  server.on('request', respond)
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
  const apiUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const vault = createHttpVault({ apiUrl, apiKey: 'secret' })
  return {
    createIntent: () => vault.createIntent({ ...holder, parentOrigin: 'http://localhost', brands: ['VISA'] }),
    exchange: () => vault.exchange(card),
    load: () => vault.load({ tenant: 'skyharbor', encryptedCardNumber: 'sealed' }),
    sealingKey: () => vault.sealingKey(),
    sameExpiry: () => vault.sameExpiry({ ...holder, token: 'token', home: holder }),
    deleteCards: () => vault.deleteCards({ tenant: 'skyharbor', tokens: ['token'] }),
  }
}

const responses: Record<string, RequestListener> = {
  'an error': (_request, response) => response.writeHead(500).end('{"error":"OOPS"}'),
  'another shape': (_request, response) => response.writeHead(200).end('{"other":true}'),
  'no JSON': (_request, response) => response.writeHead(200).end('<html>'),
  'a lost connection': (request) => request.socket.destroy(),
}

test.each(Object.entries(responses))(
  'every call to a vault with %s ends with vaultUnavailable',
  async (name, respond) => {
    for (const [call, run] of Object.entries(await callsTo(respond))) {
      // What was deleted is not reported.
      if (call === 'deleteCards' && name === 'another shape') await run()
      else expect([call, await run().catch((error) => error.code ?? String(error))]).toEqual([call, 'vaultUnavailable'])
    }
  },
)

test('a redirect of the vault is not followed', async () => {
  const paths: unknown[] = []
  const calls = await callsTo(({ url }, response) => {
    paths.push(url)
    const isMoved = url === '/elsewhere'
    response.writeHead(isMoved ? 200 : 307, isMoved ? {} : { location: '/elsewhere' }).end('{"same":true}')
  })
  for (const [call, run] of Object.entries(calls))
    expect([call, await run().catch((error) => error.code)]).toEqual([call, 'vaultUnavailable'])
  expect(paths).not.toContain('/elsewhere')
})

test('a card is rejected by a 422 with a known code only', async () => {
  let response: [number, string] = [422, 'DECLINED']
  const { exchange, load } = await callsTo((_request, reply) => {
    reply.writeHead(response[0]).end(JSON.stringify({ error: response[1] }))
  })
  const outcomes = () => Promise.all([exchange(), load()].map((call) => call.catch((error) => error.code)))
  expect(await outcomes()).toEqual([{ error: 'DECLINED' }, { error: 'DECLINED' }])
  for (const other of [
    [422, 'OTHER'],
    [200, 'DECLINED'],
    [500, 'DECLINED'],
  ] as const) {
    response = [...other]
    expect([other, await outcomes()]).toEqual([other, ['vaultUnavailable', 'vaultUnavailable']])
  }
})

test('a call whose connection was lost is sent once more, with the same key', async () => {
  const keys: unknown[] = []
  const { createIntent } = await callsTo(({ headers, socket }) => {
    keys.push(headers.authorization)
    socket.destroy()
  })
  await createIntent().catch(() => {})
  expect(keys).toEqual(['Bearer secret', 'Bearer secret'])
})
