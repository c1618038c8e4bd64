import { connect } from 'node:net'

export interface RawRequest {
  method: string
  /** Sent unchanged. */
  target: string
  headers: Readonly<Record<string, string>>
  body: Buffer | null
}

export interface RawResponse {
  status: number
  headers: Record<string, string>
  text: string
}

/** Sends bytes that an HTTP client would not send, on its own connection. `from` is the client's address. */
export function sendRaw(port: number, request: RawRequest, from = '127.0.0.1'): Promise<RawResponse> {
  const { method, target, headers, body } = request
  const length: Record<string, string> = body === null ? {} : { 'content-length': String(body.length) }
  const lines = Object.entries({ ...length, ...headers, connection: 'close' }).map(
    ([name, value]) => `${name}: ${value}`,
  )
  const head = Buffer.from(`${method} ${target} HTTP/1.1\r\n${lines.join('\r\n')}\r\n\r\n`, 'latin1')
  return exchange(port, Buffer.concat([head, body ?? Buffer.alloc(0)]), from)
}

/** Writes bytes and reads until the server closes the connection. */
export function exchange(port: number, bytes: Buffer, from = '127.0.0.1'): Promise<RawResponse> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = []
    const socket = connect({ port, host: '127.0.0.1', localAddress: from })
    socket.setTimeout(15_000, () => socket.destroy(new Error('no response within 15 seconds')))
    socket.on('data', (chunk) => {
      chunks.push(chunk)
      // An event stream does not end by itself.
      if (chunk.includes('content-type: text/event-stream')) socket.destroy()
    })
    // A response that arrived before everything was sent counts, even if the rest was cut off.
    socket.on('error', (error) => (chunks.length > 0 ? finish() : reject(error)))
    socket.on('end', () => socket.end())
    socket.on('close', finish)
    socket.write(bytes)
    function finish(): void {
      const text = Buffer.concat(chunks)
        .toString('utf8')
        .replace(/^HTTP\/1\.1 100 Continue\r\n\r\n/, '')
      const end = text.indexOf('\r\n\r\n')
      const status = Number(/^HTTP\/1\.1 (\d{3})/.exec(text)?.[1] ?? 0)
      if (end === -1 || status === 0) {
        reject(new Error(`no response: ${JSON.stringify(text.slice(0, 100))}`))
        return
      }
      const [, ...lines] = text.slice(0, end).split('\r\n')
      const headers: Record<string, string> = {}
      for (const line of lines) {
        const [name = '', ...value] = line.split(': ')
        const key = name.toLowerCase()
        headers[key] = key in headers ? `${headers[key]}\n${value.join(': ')}` : value.join(': ')
      }
      const rest = text.slice(end + 4)
      resolve({ status, headers, text: headers['transfer-encoding'] === 'chunked' ? unchunked(rest) : rest })
    }
  })
}

/** Returns the text of a chunked body; lengths count bytes. */
function unchunked(text: string): string {
  const bytes = Buffer.from(text, 'utf8')
  const chunks: Buffer[] = []
  for (let at = 0; at < bytes.length; ) {
    const end = bytes.indexOf('\r\n', at)
    const size = Number.parseInt(bytes.toString('latin1', at, end), 16)
    if (!(size > 0)) break
    chunks.push(bytes.subarray(end + 2, end + 2 + size))
    at = end + 2 + size + 2
  }
  return Buffer.concat(chunks).toString('utf8')
}
