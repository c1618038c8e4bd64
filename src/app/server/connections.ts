import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import { isEventStream } from '../../kit/server/event-streams.ts'
import { MINUTE, SECOND } from '../../kit/time.ts'

export type Handle = (request: IncomingMessage, response: ServerResponse) => void

interface Exchange {
  request: IncomingMessage
  response: ServerResponse
}

interface Connection {
  socket: Socket
  current: ServerResponse | null
  startedAt: number
  waiting: Exchange[]
  requests: number
  /** The last response says `connection: close`: what comes after it is not handled. */
  closing: boolean
}

export interface ConnectionLimits {
  /** Requests that wait behind the current one. Browsers and proxies send the next when they have the response. */
  maxPipelined: number
  /** Requests after which a connection is closed. */
  maxRequests: number
  /** A response that its client has not taken by then is given up. Event streams have a limit of their own. */
  maxResponseMs: number
  checkEveryMs: number
}

export const connectionLimits: ConnectionLimits = {
  maxPipelined: 8,
  maxRequests: 1_000,
  maxResponseMs: 2 * MINUTE,
  checkEveryMs: 10 * SECOND,
}

/**
 * Handles the requests of a connection one after another: the next begins when the response before it has been
 * written out. A connection therefore never buffers more than one response, and nothing begins for a closed one.
 */
export function createConnections(handle: Handle, limits: ConnectionLimits) {
  const connections = new WeakMap<Socket, Connection>()
  const busy = new Set<Connection>()

  function connectionOf(socket: Socket): Connection {
    const known = connections.get(socket)
    if (known) return known
    const connection = { socket, current: null, startedAt: 0, waiting: [], requests: 0, closing: false }
    connections.set(socket, connection)
    socket.once('close', () => {
      connection.waiting.length = 0
      busy.delete(connection)
    })
    return connection
  }

  function startNext(connection: Connection): void {
    if (connection.current || connection.socket.destroyed) return
    const exchange = connection.waiting.shift()
    if (!exchange) return
    const { request, response } = exchange
    connection.current = response
    connection.startedAt = performance.now()
    busy.add(connection)
    response.once('close', () => {
      connection.current = null
      busy.delete(connection)
      // Other connections take their turn first.
      if (connection.waiting.length > 0) setImmediate(startNext, connection)
    })
    handle(request, response)
  }

  const check = setInterval(() => {
    for (const { socket, current, startedAt } of busy) {
      if (current && isEventStream(current)) continue
      if (performance.now() - startedAt > limits.maxResponseMs) socket.destroy()
    }
  }, limits.checkEveryMs)
  check.unref()

  return {
    receive(request: IncomingMessage, response: ServerResponse): void {
      const connection = connectionOf(request.socket)
      if (connection.closing) return
      connection.requests++
      const isTooMany = connection.waiting.length >= limits.maxPipelined
      if (isTooMany || connection.requests >= limits.maxRequests) {
        connection.closing = true
        response.setHeader('connection', 'close')
      }
      if (isTooMany) {
        sendProblem(response, { status: 503, code: 'busy', title: 'Too many requests at once.' })
        return
      }
      connection.waiting.push({ request, response })
      startNext(connection)
    },
    /** Whether a response is on its way, so that nothing else may be written to the socket. */
    isResponding: (socket: Socket) => connections.get(socket)?.current?.headersSent === true,
    stop: () => clearInterval(check),
  }
}

export interface ProblemParts {
  status: number
  code: string
  title: string
}

/** The body of a problem that is found before any program is known. */
export function problemBody({ status, code, title }: ProblemParts): string {
  return JSON.stringify({ type: `urn:dineback:${code}`, title, status, code, reference: '' })
}

/** Answers a request that no program handles. The connection ends with it. */
export function sendProblem(response: ServerResponse, problem: ProblemParts): void {
  response
    .writeHead(problem.status, {
      'content-type': 'application/problem+json',
      connection: 'close',
      ...(problem.status === 503 && { 'retry-after': '5' }),
    })
    .end(problemBody(problem))
}
