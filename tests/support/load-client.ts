import { connect } from 'node:net'

/** What a load client sends, each connection without a pause. */
export interface Load {
  port: number
  host: string
  /** The address of the client. */
  from: string
  connections: number
  /** Requests that are sent before a response is awaited. */
  pipelined: number
  /** The paths that a connection requests in turn; `*` is replaced by a number that no other request has. */
  paths: readonly string[]
  /** Further header lines of each request. */
  headers?: readonly string[]
  /** Responses after which a connection is closed and another one opened. Without it, the server closes them. */
  perConnection?: number
  /** Reads a part of its responses five times a second. */
  isSlow?: boolean
  /** Ends after this many responses. */
  responses: number
}

/** Number of responses by status, and of 503 without Retry-After. */
export interface LoadResult {
  statuses: Record<string, number>
  withoutRetryAfter: number
}

// A process of its own, forked by `startLoad`: its work must not delay what the test measures.
process.once('message', (load: Load) => {
  const result: LoadResult = { statuses: {}, withoutRetryAfter: 0 }
  let sent = 0
  let received = 0

  function open(): void {
    const socket = connect({ port: load.port, host: '127.0.0.1', localAddress: load.from })
    let awaited = 0
    let requested = 0
    const nextPath = () => (load.paths[requested++ % load.paths.length] as string).replace('*', String(++sent))
    let tail = ''
    const sendBatch = () => {
      awaited = load.pipelined
      const requests = Array.from(
        { length: load.pipelined },
        () =>
          `GET ${nextPath()} HTTP/1.1\r\nhost: ${load.host}\r\n${(load.headers ?? []).map((line) => `${line}\r\n`).join('')}\r\n`,
      )
      socket.write(requests.join(''))
    }
    socket.once('connect', sendBatch)
    socket.on('data', (chunk) => {
      const text = tail + chunk.toString('latin1')
      const heads = [...text.matchAll(/HTTP\/1\.1 (\d{3}) [\s\S]*?\r\n\r\n/g)]
      for (const [head, status = ''] of heads) {
        result.statuses[status] = (result.statuses[status] ?? 0) + 1
        if (status === '503' && !/retry-after: \d/i.test(head)) result.withoutRetryAfter++
        received++
        awaited--
      }
      const last = heads.at(-1)
      // A header block may be split between chunks.
      tail = text.slice(Math.max(last ? last.index + last[0].length : 0, text.length - 2_000))
      if (received >= load.responses) finish()
      else if (awaited > 0) return
      else if (load.perConnection && requested >= load.perConnection) socket.destroy()
      else sendBatch()
    })
    if (load.isSlow) {
      socket.pause()
      const sip = setInterval(() => {
        socket.resume()
        setImmediate(() => socket.pause())
      }, 200)
      socket.once('close', () => clearInterval(sip))
    }
    socket.on('error', () => {})
    socket.once('close', open)
  }

  function finish(): void {
    process.send?.(result)
    process.disconnect()
    process.exit(0)
  }

  for (let connection = 0; connection < load.connections; connection++) open()
})
process.once('disconnect', () => process.exit(0))
