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

/** Signs an operator in at the console; returns the session with the CSRF token of its forms. */
export async function openConsole(app: Pick<TestApp, 'port'>, email: string, password: string) {
  const body = new URLSearchParams({ email, password }).toString()
  const { headers } = await requestConsole(app, 'POST', '/sign-in', { body })
  const cookie = String(headers['set-cookie']?.[0] ?? '').split(';')[0] ?? ''
  // Follows the first redirect.
  const front = await requestConsole(app, 'GET', '/', { headers: { cookie } })
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
  }
}
