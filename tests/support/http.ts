import { request } from 'node:http'

export interface WireResponse {
  status: number
  headers: NodeJS.Dict<string | string[]>
  text: string
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
}

/** Sends one HTTP request over its own connection. Rejects when the connection fails or is closed early. */
export function send({ port, method = 'GET', host, path, headers, body = '', from }: WireRequest) {
  return new Promise<WireResponse>((resolve, reject) => {
    const length = body ? { 'content-length': String(Buffer.byteLength(body)) } : {}
    const call = request(
      {
        host: '127.0.0.1',
        port,
        method,
        path,
        agent: false,
        ...(from && { localAddress: from }),
        headers: { host: `${host}:${port}`, ...length, ...headers },
      },
      (response) => {
        let text = ''
        response.setEncoding('utf8')
        response.on('data', (chunk: string) => {
          text += chunk
        })
        response.on('error', reject)
        response.on('end', () => {
          const cookie = (response.headers['set-cookie'] ?? []).map((each) => each.split(';')[0]).join('; ')
          resolve({
            status: response.statusCode ?? 0,
            headers: response.headers,
            text,
            cookie,
            json: () => JSON.parse(text || 'null'),
          })
        })
      },
    )
    call.on('error', reject)
    call.end(body)
  })
}
