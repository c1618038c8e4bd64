import { type Agent, request } from 'node:http'

export interface WireResponse {
  status: number
  headers: NodeJS.Dict<string | string[]>
  text: string
  bytes: Buffer
  /** The `name=value` pairs of all Set-Cookie headers, as a Cookie header has them. */
  cookie: string
  // biome-ignore lint/suspicious/noExplicitAny: tests look into responses of every shape
  json<T = any>(): T
}

export interface WireRequest {
  port: number
  method?: string
  /** The Host header, without port. Node cannot resolve names below localhost, so the connection goes to 127.0.0.1. */
  host: string
  path: string
  headers?: Record<string, string>
  body?: string
  /** A loopback address to send from, because limits are per address. */
  from?: string
  /** Connections to reuse; by default each request has its own. */
  agent?: Agent
}

/** Sends one HTTP request. Rejects when the connection fails or is closed early. */
export function send({ port, method = 'GET', host, path, headers, body = '', from, agent }: WireRequest) {
  return new Promise<WireResponse>((resolve, reject) => {
    const length = body ? { 'content-length': String(Buffer.byteLength(body)) } : {}
    const call = request(
      {
        host: '127.0.0.1',
        port,
        method,
        path,
        agent: agent ?? false,
        ...(from && { localAddress: from }),
        headers: { host: `${host}:${port}`, ...length, ...headers },
      },
      (response) => {
        const chunks: Buffer[] = []
        response.on('data', (chunk: Buffer) => chunks.push(chunk))
        const finish = () => {
          const bytes = Buffer.concat(chunks)
          const text = bytes.toString()
          const cookie = (response.headers['set-cookie'] ?? []).map((each) => each.split(';')[0]).join('; ')
          resolve({
            status: response.statusCode ?? 0,
            headers: response.headers,
            text,
            bytes,
            cookie,
            json: () => JSON.parse(text || 'null'),
          })
        }
        // An event stream does not end by itself.
        if (response.headers['content-type']?.startsWith('text/event-stream')) {
          finish()
          call.destroy()
          return
        }
        response.on('error', reject)
        response.on('end', finish)
      },
    )
    call.on('error', reject)
    call.end(body)
  })
}
