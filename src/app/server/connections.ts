import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import { isEventStream } from '../../platform/http/event-streams.ts'
import { MINUTE, SECOND } from '../../platform/time.ts'

export type RequestHandler = (request: IncomingMessage, response: ServerResponse) => void

/** Starts work for a client when it is its turn. Returns a function that gives the turn up. */
export type EnterTurn = (request: IncomingMessage, start: () => void) => () => void

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
  /** Gives up the turn that the current request waits for. */
  leaveTurn: () => void
  /** The last response has `connection: close`: later requests are ignored. */
  closing: boolean
}

export interface ConnectionLimits {
  /** Requests queued behind the current one. Browsers and proxies send the next request after the response. */
  maxPipelined: number
  /** Requests after which a connection is closed. */
  maxRequests: number
  /** Time after which an unfinished response is aborted (milliseconds). Event streams have their own limit. */
  maxResponseMs: number
  /** Time that a request waits for its turn (milliseconds). */
  maxWaitMs: number
  checkEveryMs: number
}

export const connectionLimits: ConnectionLimits = {
  maxPipelined: 8,
  maxRequests: 1_000,
  maxResponseMs: 2 * MINUTE,
  maxWaitMs: 4 * SECOND,
  checkEveryMs: 10 * SECOND,
}

/**
 * Handles the requests of a connection one after another: the next one waits for its turn when the previous response has
 * been written out. A connection therefore buffers at most one response, and a closed one starts no requests. A request
 * that has waited too long for its turn gets a 503.
 */
export function createConnections(handle: RequestHandler, limits: ConnectionLimits, enterTurn: EnterTurn) {
  const connections = new WeakMap<Socket, Connection>()
  const busy = new Set<Connection>()

  function getConnection(socket: Socket): Connection {
    const known = connections.get(socket)
    if (known) return known
    const connection = {
      socket,
      current: null,
      startedAt: 0,
      waiting: [],
      requests: 0,
      closing: false,
      leaveTurn: () => {},
    }
    connections.set(socket, connection)
    socket.once('close', () => {
      connection.waiting.length = 0
      connection.leaveTurn()
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
      startNext(connection)
    })
    const { startedAt } = connection
    connection.leaveTurn = enterTurn(request, () => {
      if (performance.now() - startedAt <= limits.maxWaitMs) return handle(request, response)
      readNoMore(connection)
      sendProblem(response, busyProblem)
    })
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
      const connection = getConnection(request.socket)
      if (connection.closing) return
      connection.requests++
      const isTooMany = connection.waiting.length >= limits.maxPipelined
      if (isTooMany || connection.requests >= limits.maxRequests) {
        readNoMore(connection)
        response.setHeader('connection', 'close')
      }
      if (isTooMany) {
        sendProblem(response, busyProblem)
        return
      }
      connection.waiting.push({ request, response })
      startNext(connection)
    },
    /** Returns whether the last request of a connection was received: what follows it is not read. */
    isClosing: (socket: Socket) => connections.get(socket)?.closing === true,
    /** Returns whether a response is being sent, so that nothing else may be written to the socket. */
    isResponding: (socket: Socket) => connections.get(socket)?.current?.headersSent === true,
    stop: () => clearInterval(check),
  }
}

/**
 * Ends the reading of a connection at its next request; responses can still be sent. Node parses all that has arrived
 * before anything else runs, which may be tens of thousands of short requests. Its parser stops where the callback of a
 * request's headers returns a negative number, and the server reports that as an error of the client.
 */
function readNoMore(connection: Connection): void {
  connection.closing = true
  const { parser } = connection.socket as Socket & { parser?: { onIncoming: () => number } | null }
  if (parser) parser.onIncoming = () => -1
}

const busyProblem = { status: 503, code: 'busy', title: 'Too many requests at once.' }

export interface ProblemFields {
  status: number
  code: string
  title: string
}

/** Returns the body of a problem document before the program is known. */
export function problemBody({ status, code, title }: ProblemFields): string {
  return JSON.stringify({ type: `urn:dineback:${code}`, title, status, code, reference: '' })
}

/** Sends a problem document without a program and closes the connection. */
export function sendProblem(response: ServerResponse, problem: ProblemFields): void {
  response
    .writeHead(problem.status, {
      'content-type': 'application/problem+json',
      'cache-control': 'no-store',
      connection: 'close',
      ...(problem.status === 503 && { 'retry-after': '5' }),
    })
    .end(problemBody(problem))
}
