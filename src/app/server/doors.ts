import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import { SECOND } from '../../kit/time.ts'
import { type Door, doorOf, type HostRules } from '../../partners/hosts.ts'

type Handle = (request: IncomingMessage, response: ServerResponse) => void

export type Doors = Partial<Record<Door['kind'], Handle>>

/**
 * The one listening server: the host name chooses the door, any name we do not know is refused (421).
 * A client that is slow on purpose is cut off by the timeouts, before it holds a door open.
 */
export function createDoors(rules: HostRules, doors: Doors): Server {
  const server = createServer(
    {
      requestTimeout: 10 * SECOND,
      headersTimeout: 8 * SECOND,
      keepAliveTimeout: 5 * SECOND,
      connectionsCheckingInterval: 2 * SECOND,
      maxHeaderSize: 16 * 1024,
      requireHostHeader: true,
    },
    (request, response) => {
      const door = doorOf(request.headers.host, rules)
      const handle = door && doors[door.kind]
      if (handle) handle(request, response)
      else refuseHost(response)
    },
  )
  server.on('clientError', (error: NodeJS.ErrnoException, socket) => {
    if (!socket.writable) return
    const status = error.code === 'HPE_HEADER_OVERFLOW' ? '431 Request Header Fields Too Large' : '400 Bad Request'
    socket.end(`HTTP/1.1 ${status}\r\nconnection: close\r\ncontent-length: 0\r\n\r\n`)
  })
  return server
}

function refuseHost(response: ServerResponse): void {
  const body = JSON.stringify({
    type: 'urn:dineback:unknownHost',
    title: 'No program answers to this host name.',
    status: 421,
    code: 'unknownHost',
    reference: '',
  })
  response.writeHead(421, { 'content-type': 'application/problem+json', connection: 'close' }).end(body)
}
