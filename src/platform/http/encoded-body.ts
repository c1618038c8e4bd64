import { createHash } from 'node:crypto'
import { promisify } from 'node:util'
import { brotliCompress, constants, gzip, zstdCompress } from 'node:zlib'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { LRUCache } from 'lru-cache'

/** Content codings in order of preference: the smallest result first. */
const codings = ['br', 'zstd', 'gzip'] as const
type Coding = (typeof codings)[number]

// Higher levels save one percent of a page and take up to fifteen times as long.
const compressors: Record<Coding, (plain: Buffer) => Promise<Buffer>> = {
  br: (plain) =>
    promisify(brotliCompress)(plain, {
      params: {
        [constants.BROTLI_PARAM_QUALITY]: 5,
        [constants.BROTLI_PARAM_MODE]: constants.BROTLI_MODE_TEXT,
        [constants.BROTLI_PARAM_SIZE_HINT]: plain.length,
      },
    }),
  zstd: (plain) => promisify(zstdCompress)(plain, { params: { [constants.ZSTD_c_compressionLevel]: 6 } }),
  gzip: (plain) => promisify(gzip)(plain),
}

/** A text that is sent often: compressed once per content coding, when it is first requested. */
export class EncodedBody {
  readonly plain: Buffer
  readonly #hash: string
  readonly #encoded = new Map<Coding, Buffer | Promise<Buffer>>()

  constructor(text: string) {
    this.plain = Buffer.from(text)
    this.#hash = createHash('sha256').update(this.plain).digest('base64url').slice(0, 22)
  }

  /** Maximum memory in bytes: the text and its compressed forms, which are smaller together. */
  get maxBytes(): number {
    return 2 * this.plain.length
  }

  /** Returns the strong ETag of the representation in a coding. */
  etag(coding: Coding | null): string {
    return coding ? `"${this.#hash}-${coding}"` : `"${this.#hash}"`
  }

  /** Returns the bytes in a coding; a promise while they are being compressed. */
  in(coding: Coding | null): Buffer | Promise<Buffer> {
    if (coding === null) return this.plain
    const known = this.#encoded.get(coding)
    if (known) return known
    const pending = compressors[coding](this.plain)
    this.#encoded.set(coding, pending)
    pending.then(
      (bytes) => this.#encoded.set(coding, bytes),
      () => this.#encoded.delete(coding),
    )
    return pending
  }

  /** Returns whether an If-None-Match header (RFC 9110) names one of the representations. */
  matches(ifNoneMatch: string | undefined): boolean {
    if (ifNoneMatch === undefined) return false
    return ifNoneMatch.split(',').some((part) => {
      const tag = part.trim().replace(/^W\//, '')
      return tag === '*' || tag === `"${this.#hash}"` || codings.some((coding) => tag === `"${this.#hash}-${coding}"`)
    })
  }
}

/** Sends a body in the best coding that the client accepts; 304 when the client already has it. */
export function sendEncoded(request: FastifyRequest, reply: FastifyReply, body: EncodedBody, type: string) {
  const coding = acceptedCoding(request.headers['accept-encoding'])
  if (!reply.hasHeader('cache-control')) reply.header('cache-control', 'no-cache')
  if (!reply.hasHeader('vary')) reply.header('vary', 'accept-encoding')
  reply.header('etag', body.etag(coding))
  if (reply.statusCode === 200 && body.matches(request.headers['if-none-match'])) return reply.code(304).send()
  if (coding) reply.header('content-encoding', coding)
  const bytes = body.in(coding)
  reply.type(type)
  return bytes instanceof Promise ? bytes.then((sent) => reply.send(sent)) : reply.send(bytes)
}

// Browsers send few different headers.
const accepted = new LRUCache<string, { coding: Coding | null }>({ max: 200 })

/** Returns the preferred coding of an Accept-Encoding header (RFC 9110), or null for none. */
export function acceptedCoding(header: string | string[] | undefined): Coding | null {
  const text = String(header ?? '').slice(0, 500)
  const known = accepted.get(text)
  if (known) return known.coding
  const coding = chooseCoding(text)
  accepted.set(text, { coding })
  return coding
}

function chooseCoding(header: string): Coding | null {
  const weights = new Map(
    header.split(',').map((part) => {
      const [name = '', ...parameters] = part.split(';').map((each) => each.trim().toLowerCase())
      const weight = parameters.find((each) => each.startsWith('q='))?.slice(2)
      return [name, weight === undefined ? 1 : Number(weight)] as const
    }),
  )
  const weightOf = (name: string) => weights.get(name) ?? weights.get('*') ?? 0
  const identity = weights.get('identity') ?? 0
  let best: { coding: Coding | null; weight: number } = { coding: null, weight: identity }
  for (const coding of codings) {
    const weight = weightOf(coding)
    if (weight > best.weight || (weight > 0 && weight === best.weight && best.coding === null))
      best = { coding, weight }
  }
  return best.coding
}
