import { solveChallenge } from 'altcha-lib'
import { deriveKey } from 'altcha-lib/algorithms/web/pbkdf2'
import { beforeAll, expect, test, vi } from 'vitest'
import { setBotCheck } from '../support/app.ts'
import { type OpenPage, openPage, type Responder, type StubResponse, setUpPages } from '../support/page-dom.ts'
import { signInByForm } from '../support/page-forms.ts'

const app = setUpPages()
// Other files of the worker disable it.
beforeAll(() => setBotCheck('gallonaire', true, app))

const problem = { type: 'urn:x', code: 'tooManyRequests', title: 'Too many attempts.', status: 429, reference: 'r' }

/** Solves challenges in this process instead of a worker, of which this DOM has none. */
class Solver {
  onmessage(_event: { data: unknown }) {}
  async postMessage(challenge: Parameters<typeof solveChallenge>[0]['challenge']) {
    this.onmessage({ data: await solveChallenge({ challenge, deriveKey, timeout: 60_000 }) })
  }
  terminate() {}
}

async function attempt(page: OpenPage, message: string): Promise<void> {
  await signInByForm(page, `unknown-${Date.now()}@example.com`, 'not this one')
  await vi.waitFor(() => expect(page.screen.getByRole('alert')).toHaveTextContent(message), 20_000)
}

test('VAL-012 is reported by its cause, and the next attempt tries again', async () => {
  vi.stubGlobal('Worker', Solver)
  let challenge: StubResponse | undefined
  const responder = ({ path }: { path: string }) => (path === '/api/BotCheck/Challenge' ? challenge : undefined)
  const page = await openPage(app, 'gallonaire', '/login', { responder })
  await attempt(page, 'Invalid user name or password')
  challenge = { fails: true }
  await attempt(page, 'Check your connection and try again.')
  challenge = { status: 429, body: problem }
  await attempt(page, 'Too many attempts.')
  expect(page.calls('POST /api/SignIn')).toHaveLength(1)
  challenge = undefined
  await attempt(page, 'Invalid user name or password')
  expect(page.calls('POST /api/SignIn').map(({ body }) => body.gRecaptchaResponse !== '')).toEqual([false, true])
})

test('VAL-012 a first attempt that needs a proof is sent again with one, and a rejected proof is reported', async () => {
  // Solves nothing: the server's part is replaced, too.
  class Finder extends Solver {
    override async postMessage() {
      this.onmessage({ data: { counter: 1, derivedKey: '' } })
    }
  }
  vi.stubGlobal('Worker', Finder)
  const message = 'Please prove that you are a person.'
  const needed: StubResponse = { status: 400, body: [{ field: 'gRecaptchaResponse', message }] }
  const wrong: StubResponse = { status: 401, body: { ...problem, status: 401, code: 'x', title: 'Wrong.' } }
  const responses = [needed, wrong, needed]
  const responder: Responder = ({ path }) => {
    if (path === '/api/SignIn') return responses.shift()
    if (path === '/api/BotCheck/Challenge') return { body: {} }
    return path === '/api/BotCheck/Solve' ? { body: { token: 'proof' } } : undefined
  }
  const page = await openPage(app, 'gallonaire', '/login', { responder })
  await attempt(page, 'Wrong.')
  await attempt(page, message)
  expect(page.calls('POST /api/SignIn').map(({ body }) => body.gRecaptchaResponse)).toEqual(['', 'proof', 'proof'])
})
