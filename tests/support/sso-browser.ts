import type { TestApp } from './app.ts'
import { send, type WireResponse } from './http.ts'

/** Creates a browser that follows redirects between Beacon and its provider. */
export function createBrowser(app: Pick<TestApp, 'origin' | 'port'>) {
  const cookies = new Map<string, string>()
  let last = new URL(app.origin('beacon'))
  async function open(target: string, form?: Record<string, string>): Promise<WireResponse & { url: URL }> {
    const url = new URL(target, last)
    last = url
    const own = [...cookies].filter(([key]) => key.startsWith(`${url.hostname} `))
    const response = await send({
      port: app.port,
      host: url.hostname,
      path: url.pathname + url.search,
      method: form ? 'POST' : 'GET',
      headers: {
        cookie: own.map(([key, value]) => `${key.split(' ')[1]}=${value}`).join('; '),
        ...(form && { 'content-type': 'application/x-www-form-urlencoded' }),
      },
      body: form ? new URLSearchParams(form).toString() : '',
    })
    for (const line of response.headers['set-cookie'] ?? []) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(line) ?? []
      if (value === '') cookies.delete(`${url.hostname} ${name}`)
      else cookies.set(`${url.hostname} ${name}`, value)
    }
    const { location } = response.headers
    return typeof location === 'string' && response.status < 400 ? open(location) : { ...response, url }
  }
  const member = async () => {
    const response = await open(`${app.origin('beacon')}/api/Member`)
    return response.status === 200 ? response.json() : response.status
  }
  /** Signs in at the provider. Returns the page that it ends at. */
  async function signIn(userName: string, password: string, path = '/Login') {
    const page = await open(`${app.origin('beacon')}${path}`)
    if (page.url.hostname !== 'id.localhost') return page
    return open(`${page.url.pathname}/login`, { userName, password })
  }
  return { open, signIn, member, cookies }
}
