import { request } from 'node:http'
import type { TestApp } from './app.ts'

export interface ConsoleAnswer {
  status: number
  location: string
  headers: Record<string, string | string[] | undefined>
  text: string
}

/** Asks the console over the wire, as a browser without scripts does. */
export function askConsole(
  { port }: Pick<TestApp, 'port'>,
  method: string,
  path: string,
  { headers = {}, body = '' }: { headers?: Record<string, string>; body?: string } = {},
): Promise<ConsoleAnswer> {
  return new Promise((resolve, reject) => {
    const type = {
      'content-type': 'application/x-www-form-urlencoded',
      'content-length': String(Buffer.byteLength(body)),
    }
    const host = `console.localhost:${port}`
    const asked = request(
      { port, host: '127.0.0.1', method, path, headers: { host, ...type, ...headers } },
      (answer) => {
        let text = ''
        answer.on('data', (chunk) => {
          text += chunk
        })
        answer.on('end', () =>
          resolve({
            status: answer.statusCode ?? 0,
            location: answer.headers.location ?? '',
            headers: answer.headers,
            text,
          }),
        )
      },
    )
    asked.on('error', reject)
    asked.end(body)
  })
}

/** An operator at the console: signed in, with the token that its forms carry. */
export async function openConsole(app: Pick<TestApp, 'port'>, email: string, password: string) {
  const body = new URLSearchParams({ email, password }).toString()
  const { headers } = await askConsole(app, 'POST', '/sign-in', { body })
  const cookie = String(headers['set-cookie']?.[0] ?? '').split(';')[0] ?? ''
  // Wherever that leads first.
  const front = await askConsole(app, 'GET', '/', { headers: { cookie } })
  const home = front.location ? await askConsole(app, 'GET', front.location, { headers: { cookie } }) : front
  const csrf = /name="csrf" value="([^"]+)"/.exec(home.text)?.[1] ?? ''
  return {
    cookie,
    get: (path: string) => askConsole(app, 'GET', path, { headers: { cookie } }),
    post: (path: string, fields: Record<string, string> = {}) =>
      askConsole(app, 'POST', path, { headers: { cookie }, body: new URLSearchParams({ csrf, ...fields }).toString() }),
  }
}
