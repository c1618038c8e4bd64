import type { Visitor } from './members.ts'

/** A request of the page to its server. `body` is parsed. */
export interface PageRequest {
  method: string
  path: string
  // biome-ignore lint/suspicious/noExplicitAny: tests look into bodies of every shape
  body: any
  headers: Record<string, string>
}

/** A response in place of the server's. Without `status`: 200. `fails`: there is no connection. */
export interface StubResponse {
  status?: number
  body?: unknown
  fails?: boolean
}

/** Returns a response that replaces the server's, or nothing for a request to the server; may wait. */
export type Responder = (request: PageRequest) => StubResponse | undefined | Promise<StubResponse | undefined>

/** A page's connection to its server. */
export interface Connection {
  origin: string
  visitor: Visitor
  requests: PageRequest[]
  responder: Responder
  /** Whether the page is still there to get a response. */
  isOpen: boolean
}

/** Returns `fetch` of a page: it sends requests to the server of the process, with the cookies of the visitor. */
export function createFetch(connection: Connection): typeof fetch {
  const { origin, visitor, requests, responder } = connection
  return async (input, init = {}) => {
    const url = new URL(input instanceof Request ? input.url : String(input), origin)
    const path = url.href.slice(origin.length)
    const { method = 'GET' } = init
    const text = typeof init.body === 'string' ? init.body : undefined
    const sentHeaders = Object.fromEntries(new Headers(init.headers))
    const request = { method, path, body: text === undefined ? undefined : JSON.parse(text), headers: sentHeaders }
    requests.push(request)
    if (url.origin !== origin) throw new TypeError(`no connection to ${url.origin}`)
    const stub = await responder(request)
    if (stub && !connection.isOpen) return new Promise(() => {})
    if (stub?.fails) throw new TypeError('no connection')
    if (stub) return Response.json(stub.body ?? null, { status: stub.status ?? 200 })
    const { 'content-type': _, ...headers } = sentHeaders
    const sent = await visitor.send(method, path, text, headers)
    if (!connection.isOpen) return new Promise(() => {})
    const isEmpty = [204, 205, 304].includes(sent.status)
    return new Response(isEmpty ? null : sent.text, {
      status: sent.status,
      headers: Object.entries(sent.headers).flatMap(([name, value]): [string, string][] =>
        value === undefined ? [] : [[name, String(value)]],
      ),
    })
  }
}

/** Requests a document and follows redirects within the program. */
export async function requestDocument(
  visitor: Visitor,
  path: string,
  userAgent?: string,
): Promise<{ address: string; html: string }> {
  const sent = { accept: 'text/html', ...(userAgent && { 'user-agent': userAgent }) }
  let address = path
  for (let redirects = 0; redirects < 5; redirects++) {
    const { status, headers, text } = await visitor.get(address, sent)
    if (status < 300 || status >= 400) return { address, html: text }
    address = String(headers.location)
  }
  throw new Error(`${path} redirects without end`)
}

/** Storage keys and values of a browser that has seen every pop-up and survey. */
const dismissed: Record<string, string> = {
  RN_GENERAL_POPUP: 'welcome,this-is-big,points-plus',
  RN_ANNOUNCEMENT: String(Date.now()),
  RN_SSO_MODAL: String(Date.now()),
  ...Object.fromEntries(
    ['sky-booking', 'gal-pump', 'bea-clarity', 'orc-stay', 'lan-dispatch'].map((id) => [
      `RN_SURVEY_${id}`,
      String(Date.now()),
    ]),
  ),
}

const storages = new WeakMap<Visitor, Record<'local' | 'session', Record<string, string>>>()

/** Fills the storages of a new document with what the visitor's earlier ones have stored. */
export function fillStorages(visitor: Visitor, { popUps = false, stored = {} }: StorageOptions): void {
  const { local, session } = storages.get(visitor) ?? { local: popUps ? {} : dismissed, session: {} }
  for (const [key, value] of Object.entries({ ...local, ...stored })) localStorage.setItem(key, value)
  for (const [key, value] of Object.entries(session)) sessionStorage.setItem(key, value)
}

export interface StorageOptions {
  /** Entries of the local storage, besides those of earlier pages. */
  stored?: Record<string, string>
  /** Whether pop-ups and surveys may show, as in a new browser. */
  popUps?: boolean
}

export function keepStorages(visitor: Visitor): void {
  storages.set(visitor, { local: { ...localStorage }, session: { ...sessionStorage } })
}

/**
 * Lets scripts read and write the cookies of the visitor. They read those of the server too, which a browser would hide
 * if it is told to.
 */
export function shareCookies({ cookies }: Visitor): void {
  Object.defineProperty(document, 'cookie', {
    get: () => [...cookies].map(([name, value]) => `${name}=${encodeURIComponent(value)}`).join('; '),
    set(text: string) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(text) ?? []
      if (/max-age=0(;|$)/.test(text)) cookies.delete(name)
      else cookies.set(name, decodeURIComponent(value))
    },
  })
}
