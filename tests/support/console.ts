import type { TestApp } from './app.ts'
import { send, type WireResponse } from './http.ts'

export type ConsoleResponse = WireResponse & { location: string }

/** Sends a request to the console over HTTP, as a browser without scripts does. */
export async function requestConsole(
  { port }: Pick<TestApp, 'port'>,
  method: string,
  path: string,
  { headers = {}, body = '' }: { headers?: Record<string, string>; body?: string } = {},
): Promise<ConsoleResponse> {
  const type = {
    'content-type': 'application/x-www-form-urlencoded',
    'content-length': String(Buffer.byteLength(body)),
  }
  const response = await send({ port, host: 'console.localhost', method, path, headers: { ...type, ...headers }, body })
  return { ...response, location: String(response.headers.location ?? '') }
}

/** Signs an operator in at the console; returns the session with the CSRF token of its forms and calls. */
export async function openConsole(app: Pick<TestApp, 'port'>, email: string, password: string) {
  const body = new URLSearchParams({ email, password }).toString()
  const { headers } = await requestConsole(app, 'POST', '/sign-in', { body })
  const cookie = String(headers['set-cookie']?.[0] ?? '').split(';')[0] ?? ''
  // Follows the first redirect.
  const front = await requestConsole(app, 'GET', '/programs', { headers: { cookie } })
  const home = front.location ? await requestConsole(app, 'GET', front.location, { headers: { cookie } }) : front
  const csrf = /name="csrf" value="([^"]+)"/.exec(home.text)?.[1] ?? ''
  return {
    cookie,
    csrf,
    get: (path: string) => requestConsole(app, 'GET', path, { headers: { cookie } }),
    post: (path: string, fields: Record<string, string> = {}) =>
      requestConsole(app, 'POST', path, {
        headers: { cookie },
        body: new URLSearchParams({ csrf, ...fields }).toString(),
      }),
    /** Makes a call of the console; the body of the response is parsed. */
    call: async (method: string, path: string, given?: unknown) => {
      const sent = given === undefined ? '' : JSON.stringify(given)
      const response = await send({
        port: app.port,
        host: 'console.localhost',
        method,
        path,
        headers: { cookie, 'x-xsrf-token': csrf, ...(sent !== '' && { 'content-type': 'application/json' }) },
        body: sent,
      })
      const isJson = response.text.startsWith('{') || response.text.startsWith('[')
      // biome-ignore lint/suspicious/noExplicitAny: the body is that of any call
      const parsed: any = isJson ? JSON.parse(response.text) : null
      return { ...response, body: parsed }
    },
  }
}

/** An operator's session: pages, forms and calls. */
export type ConsoleSession = Awaited<ReturnType<typeof openConsole>>

/** The fields of a claim's decision. */
interface Decision {
  code: string
  reward?: string
  words?: string
  confirmedReward?: string
  otherMeals?: readonly string[]
}

/** Decides a claim in the console. */
export function decideClaim(
  { call }: Pick<ConsoleSession, 'call'>,
  partnerId: string,
  claimId: string,
  decision: Decision,
) {
  return call('POST', `/api/programs/${partnerId}/claims/${claimId}/decision`, decision)
}

/** Views the app as a member; returns the page with the frame, the address of the frame, and the id of the visit. */
export async function viewAsMember(
  session: Pick<ConsoleSession, 'get' | 'post'>,
  memberPath: string,
  fields: { reason: string; change?: string },
) {
  const begun = await session.post(`${memberPath}/look`, fields)
  const page = begun.location === '' ? begun : await session.get(begun.location)
  const src = /<iframe[^>]* src="([^"]+)"/.exec(page.text)?.[1]?.replaceAll('&amp;', '&')
  const emulationId = /name="emulationId" value="([^"]+)"/.exec(page.text)?.[1] ?? ''
  const frame = src === undefined ? '' : new URL(src).pathname + new URL(src).search
  return { begun, page, frame, emulationId }
}
