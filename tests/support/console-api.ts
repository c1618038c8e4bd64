import type { TestApp } from './app.ts'
import { openConsole } from './console.ts'
import { send, type WireResponse } from './http.ts'

/** An operator's session that makes calls of the console's API. */
export interface ConsoleApi {
  cookie: string
  /** Sends a call as the console's script does: with the session's token, the body as JSON. */
  call: (method: string, path: string, body?: unknown) => Promise<WireResponse>
}

/** Signs an operator in at the console, for its API. */
export async function openConsoleApi(
  app: Pick<TestApp, 'port'>,
  { email, password }: { email: string; password: string },
): Promise<ConsoleApi> {
  const { cookie } = await openConsole(app, email, password)
  const request = (method: string, path: string, headers: Record<string, string>, body = '') =>
    send({ port: app.port, host: 'console.localhost', method, path, headers: { cookie, ...headers }, body })
  const { csrfToken } = (await request('GET', '/api/session', {})).json<{ csrfToken: string }>()
  return {
    cookie,
    call: (method, path, body) =>
      request(
        method,
        path,
        { 'x-xsrf-token': csrfToken, ...(body !== undefined && { 'content-type': 'application/json' }) },
        body === undefined ? '' : JSON.stringify(body),
      ),
  }
}
