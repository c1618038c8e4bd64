import { channel } from 'node:diagnostics_channel'
import type { OutgoingHttpHeader, OutgoingHttpHeaders, ServerResponse } from 'node:http'
import type { FastifyReply, FastifyRequest } from 'fastify'

/**
 * Which responses of a route a shared cache may store. `always`: the route has one response for everybody, and its
 * requests have no cookies. `anonymous`: responses to requests without a session. Undeclared: none.
 */
export type Sharing = 'always' | 'anonymous'

declare module 'fastify' {
  interface FastifyContextConfig {
    sharing?: Sharing
  }
}

/** Route options: every visitor gets the same response. Its cookies are removed, so that none can be read. */
export const sameForAll = { config: { sharing: 'always' } } as const

/** Route options: the response may be stored for others when its request had neither a session nor a preview. */
export const sameForVisitors = { config: { sharing: 'anonymous' } } as const

/** Whom a response was computed for. `session`: a visitor whose session has no member. */
export type Recipient = 'anyone' | 'session' | 'person'

export interface ResponseFacts {
  status: number
  sharing: Sharing | undefined
  recipient: Recipient
  setsCookie: boolean
  /** The Cache-Control header that the handler has set. */
  cacheControl: string | undefined
}

/** The Cache-Control header to send, and what the handler did wrong; null when it did nothing wrong. */
interface Decision {
  cacheControl: string
  fault: string | null
}

const neverStored = 'no-store'

/**
 * Decides which caches may store a response (RFC 9111). Without `no-store` or `private`, a shared cache may store it,
 * also without any Cache-Control header (heuristic freshness) and with Set-Cookie.
 */
export function decideCaching({ status, sharing, recipient, setsCookie, cacheControl }: ResponseFacts): Decision {
  const directives = cacheControl?.split(',').map((each) => each.trim().toLowerCase()) ?? []
  if (cacheControl !== undefined && directives.includes(neverStored)) return { cacheControl, fault: null }
  // A handler that fails may have set the header of its success.
  if (cacheControl === undefined || status >= 400) return { cacheControl: neverStored, fault: null }
  const reject = (fault: string | null) => ({ cacheControl: neverStored, fault })
  if (sharing === undefined) return reject('its route does not declare that a cache may store it')
  if (setsCookie) return reject(sharing === 'always' ? 'it is the same for everybody, and sets a cookie' : null)
  if (recipient === 'person') return reject('it was computed for one person')
  if (recipient === 'session' && !directives.includes('private')) return reject('its request had a session')
  return { cacheControl, fault: null }
}

export interface CachingFault {
  target: string
  cacheControl: string
  fault: string
}

const faults = channel('dineback.caching-fault')

/** Announces a response whose caching was corrected, which is a mistake in its route. Tests fail by it. */
export const reportCaching = (fault: CachingFault) => faults.publish(fault)

/** Headers that caches follow instead of Cache-Control (RFC 9213). */
const targeted = ['cdn-cache-control', 'surrogate-control']

/**
 * Corrects the Cache-Control header of a response at the moment when its headers are sent, in whichever way they are
 * set: by hooks, by a stream, by an error or by Node itself.
 */
export function guardCaching(
  response: ServerResponse,
  facts: () => Pick<ResponseFacts, 'sharing' | 'recipient'>,
  onFault: (fault: Omit<CachingFault, 'target'>) => void,
): void {
  const writeHead = response.writeHead.bind(response) as (...args: unknown[]) => ServerResponse
  response.writeHead = ((status: number, ...rest: unknown[]) => {
    const headers = headersOf(response, rest)
    const before = headers.get('cache-control')
    const setsCookie = headers.get('set-cookie') !== undefined
    const { cacheControl, fault } = decideCaching({ ...facts(), status, setsCookie, cacheControl: before })
    if (cacheControl !== before) {
      headers.set('cache-control', cacheControl)
      for (const name of targeted) headers.remove(name)
    }
    if (fault !== null) onFault({ cacheControl: before ?? '', fault })
    return writeHead(status, ...rest)
  }) as ServerResponse['writeHead']
}

/** Returns access to the headers that a call of `writeHead` sends: its own ones, which win, and those set before. */
function headersOf(response: ServerResponse, args: unknown[]) {
  const own = args.find((each): each is Record<string, unknown> => typeof each === 'object' && each !== null)
  // Fastify passes an object with names in lower case; setting each of its headers here would be slower.
  const fields = own && !Array.isArray(own) && !Object.keys(own).some((name) => /[A-Z]/.test(name)) ? own : undefined
  if (own && !fields) {
    response.setHeaders(new Map(entriesOf(own as OutgoingHttpHeaders | OutgoingHttpHeader[])))
    args.splice(args.indexOf(own), 1)
  }
  return {
    get(name: string): string | undefined {
      const value = fields?.[name] ?? response.getHeader(name)
      return value === undefined ? undefined : String(value)
    },
    set(name: string, value: string): void {
      if (fields) fields[name] = value
      else response.setHeader(name, value)
    },
    remove(name: string): void {
      if (fields) delete fields[name]
      response.removeHeader(name)
    },
  }
}

/** Returns the headers of an object, or of an array of names and values in turn. */
function entriesOf(given: OutgoingHttpHeaders | OutgoingHttpHeader[]): [string, OutgoingHttpHeader][] {
  if (Array.isArray(given)) {
    return given.flatMap((name, at) => (at % 2 === 0 ? [[String(name), given[at + 1] ?? '']] : []))
  }
  return Object.entries(given).flatMap(([name, value]) => (value === undefined ? [] : [[name, value]]))
}

/** Guards the response to a request of a Fastify app. Call it before any other hook. */
export function guardReply(
  request: FastifyRequest,
  reply: FastifyReply,
  recipientOf: (request: FastifyRequest) => Recipient,
): void {
  const sharing = request.routeOptions?.config?.sharing
  if (sharing === 'always') {
    delete request.raw.headers.cookie
    delete request.raw.headers.authorization
  }
  guardCaching(
    reply.raw,
    () => ({ sharing, recipient: recipientOf(request) }),
    (found) => {
      const fault: CachingFault = { target: `${request.method} ${request.routeOptions?.url ?? request.url}`, ...found }
      request.log.error(fault, 'caching corrected')
      reportCaching(fault)
    },
  )
}
