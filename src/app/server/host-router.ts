import { createServer, type IncomingMessage, type Server, type ServerResponse, STATUS_CODES } from 'node:http'
import type { Socket } from 'node:net'
import proxyAddress from '@fastify/proxy-addr'
import { encodeAddress, hasOneHost, isOwnTarget } from '../../platform/http/request-boundary.ts'
import { SECOND } from '../../platform/time.ts'
import { type HostRules, resolveHost, type VirtualHost } from '../../programs/partners/hosts.ts'
import {
  type ConnectionLimits,
  connectionLimits,
  createConnections,
  type ProblemFields,
  problemBody,
  type RequestHandler,
  sendProblem,
} from './connections.ts'
import { createFairTurns, type FairTurns } from './fair-turns.ts'

export type HostHandlers = Partial<Record<VirtualHost['kind'], RequestHandler>>

export interface ServerLimits extends ConnectionLimits {
  /** Maximum time from the first to the last byte of a request, in milliseconds. */
  requestTimeout: number
  headersTimeout: number
  connectionsCheckingInterval: number
  /** Maximum idle time of a socket: longer than the heartbeat of the activity stream. */
  idleMs: number
}

export const serverLimits: ServerLimits = {
  ...connectionLimits,
  requestTimeout: 10 * SECOND,
  headersTimeout: 8 * SECOND,
  connectionsCheckingInterval: 2 * SECOND,
  idleMs: 30 * SECOND,
}

export interface HostRouterOptions {
  limits?: ServerLimits
  /** The turns that requests and pages share. */
  turns?: FairTurns
  /** The proxy whose X-Forwarded-For is used. */
  trustedProxy?: string | undefined
}

/**
 * Creates the only listening server: the Host header selects the app, and unknown hosts get 421. Timeouts cut off
 * clients that send or read slowly on purpose.
 */
export function createHostRouter(
  rules: HostRules,
  handlers: HostHandlers,
  { limits = serverLimits, turns = createFairTurns(), trustedProxy }: HostRouterOptions = {},
): Server {
  const trusts = trustedProxy === undefined ? null : proxyAddress.compile(trustedProxy)
  // A connection that has just been closed has no address.
  const addressOf = (request: IncomingMessage) =>
    (trusts ? proxyAddress(request, trusts) : request.socket.remoteAddress) ?? ''
  const connections = createConnections(
    (request, response) => {
      if (!hasOneHost(request)) return sendProblem(response, badRequest)
      const host = resolveHost(request.headers.host, rules)
      const handle = host && handlers[host.kind]
      const canonical = host ? null : canonicalOf(request, rules)
      if (handle) handle(request, response)
      else if (canonical !== null) sendRedirect(response, canonical)
      else sendProblem(response, { status: 421, code: 'unknownHost', title: 'There is no program at this host name.' })
    },
    limits,
    (request, start) => turns.enter(addressOf(request), 'request', start),
  )
  const server = createServer(
    {
      requestTimeout: limits.requestTimeout,
      headersTimeout: limits.headersTimeout,
      keepAliveTimeout: 5 * SECOND,
      connectionsCheckingInterval: limits.connectionsCheckingInterval,
      maxHeaderSize: 16 * 1024,
      requireHostHeader: true,
    },
    connections.receive,
  )
  server.timeout = limits.idleMs
  server.on('close', connections.stop)
  server.on('checkExpectation', (_request, response: ServerResponse) => {
    sendProblem(response, { status: 417, code: 'badRequest', title: 'Only 100-continue can be expected.' })
  })
  server.on('clientError', (error: NodeJS.ErrnoException, socket) => {
    // What arrives after the last request stays unread while the responses are sent.
    if (connections.isClosing(socket as Socket)) return socket.pause()
    const { remoteAddress = '' } = socket as Socket
    turns.enter(remoteAddress, 'request', () => {
      if (!socket.writable || connections.isResponding(socket as Socket)) return socket.destroy()
      socket.end(rawProblem(clientProblems[error.code ?? ''] ?? badRequest))
    })
  })
  return server
}

/**
 * Returns the address of a page that was asked for at a fully qualified host name, `skyharbor.example.com.`, whose dot
 * the canonical one lacks; null for any other request. Pages and cookies exist at one origin only.
 */
function canonicalOf({ method, url = '', headers }: IncomingMessage, rules: HostRules): string | null {
  const [, name, port = ''] = /^(.+)\.(:\d{1,5})?$/.exec(headers.host ?? '') ?? []
  if (name === undefined || (method !== 'GET' && method !== 'HEAD') || !isOwnTarget(url)) return null
  const host = `${name}${port}`.toLowerCase()
  return resolveHost(host, rules) && `${rules.scheme}://${host}${url}`
}

function sendRedirect(response: ServerResponse, to: string): void {
  response.writeHead(308, { location: encodeAddress(to), 'cache-control': 'no-store', 'content-length': '0' }).end()
}

const badRequest = { status: 400, code: 'badRequest', title: 'This request could not be read.' }
const clientProblems: Record<string, ProblemFields> = {
  HPE_HEADER_OVERFLOW: { status: 431, code: 'tooLarge', title: 'The headers of this request are too large.' },
  ERR_HTTP_REQUEST_TIMEOUT: { status: 408, code: 'tooSlow', title: 'This request took too long to arrive.' },
}

function rawProblem(problem: ProblemFields): string {
  const body = problemBody(problem)
  const head = [
    `HTTP/1.1 ${problem.status} ${STATUS_CODES[problem.status]}`,
    'content-type: application/problem+json',
    'cache-control: no-store',
    `content-length: ${Buffer.byteLength(body)}`,
    'connection: close',
  ]
  return `${head.join('\r\n')}\r\n\r\n${body}`
}
