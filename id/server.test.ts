import { existsSync, mkdtempSync, rmSync } from 'node:fs'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { createIdProvider } from './server.ts'
import { sampleUsers } from './users.ts'

const secret = 's'.repeat(43)
let stateDir: string
let server: Server
let publicOrigin: string
let provider: ReturnType<typeof createIdProvider>

/** Starts the provider, or starts it again at the same address. */
function start(withSecret = secret): void {
  const client = {
    clientId: 'bank',
    clientSecret: 'x'.repeat(43),
    redirectUris: ['http://bank.localhost/Login/Callback'],
    postLogoutRedirectUris: [],
    backChannelLogoutUri: 'http://bank.localhost/Login/Out',
    name: 'Bank & Sons',
  }
  provider = createIdProvider({ publicOrigin, secret: withSecret, clients: [client], users: sampleUsers, stateDir })
}

beforeEach(async () => {
  stateDir = mkdtempSync(join(tmpdir(), 'id-server-'))
  server = createServer((request, response) => provider.handle(request, response))
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
  publicOrigin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  start()
})
afterEach(async () => {
  await new Promise((done) => server.close(done))
  rmSync(stateDir, { recursive: true, force: true })
})

/** Starts a sign-in. Returns the address of its page and the cookies of the browser. */
async function startSignIn(): Promise<{ page: string; cookie: string }> {
  const query = new URLSearchParams({
    client_id: 'bank',
    response_type: 'code',
    redirect_uri: 'http://bank.localhost/Login/Callback',
    scope: 'openid',
    code_challenge: 'c'.repeat(43),
    code_challenge_method: 'S256',
  })
  const response = await fetch(`${publicOrigin}/auth?${query}`, { redirect: 'manual' })
  const cookie = response.headers.getSetCookie().map((line) => line.split(';')[0])
  return { page: publicOrigin + response.headers.get('location'), cookie: cookie.join('; ') }
}

test('the name of the program, and what was typed as user name, are text on the page', async () => {
  const { page, cookie } = await startSignIn()
  const body = new URLSearchParams({ userName: ' "><SCRIPT>', password: 'x' })
  const response = await fetch(`${page}/login`, { method: 'POST', headers: { cookie }, body })
  const text = await response.text()
  expect(response.status).toBe(401)
  expect(text).toContain('value="&quot;&gt;&lt;script&gt;"')
  expect(text).toContain('<title>Sign in to Bank &amp; Sons</title>')
})

test('after a restart a sign-in continues, and the key that signs is the same; with another secret it is another', async () => {
  const { page, cookie } = await startSignIn()
  const open = async () => (await fetch(page, { headers: { cookie } })).status
  const keyOf = async () => (await (await fetch(`${publicOrigin}/jwks`)).json()).keys[0].kid
  const key = await keyOf()
  expect(await open()).toBe(200)
  await vi.waitFor(() => expect(existsSync(join(stateDir, 'state.json'))).toBe(true), 20_000)
  start()
  expect([await open(), await keyOf()]).toEqual([200, key])
  // To open the address of the form shows the form.
  const login = await fetch(`${page}/login`, { headers: { cookie } })
  expect([login.status, (await login.text()).includes('Wrong user name')]).toEqual([200, false])
  start('t'.repeat(43))
  expect(await open()).toBe(400)
  expect(await keyOf()).not.toBe(key)
})
