import { createHash } from 'node:crypto'
import { promisify } from 'node:util'
import { brotliCompress, constants, gzip, zstdCompress, zstdCompressSync } from 'node:zlib'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { LRUCache } from 'lru-cache'

/** Content codings in order of preference: the smallest result first. */
const codings = ['br', 'zstd', 'gzip'] as const
type Coding = (typeof codings)[number]
const quickest = 'zstd' satisfies Coding

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

// A sixth of the CPU time of Brotli, without a thread; the result is an eighth larger.
const compressQuickly = (plain: Buffer) =>
  zstdCompressSync(plain, { params: { [constants.ZSTD_c_compressionLevel]: 3 } })

/**
 * A text that is sent often: compressed once per content coding, when it is first requested. Its first request gets the
 * quickest coding if the client accepts it as well as the smallest one.
 */
export class EncodedBody {
  readonly plain: Buffer
  readonly #hash: string
  readonly #encoded = new Map<Coding, Buffer | Promise<Buffer>>()
  #wasRequested = false

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

  /** Chooses the coding of a response by the Accept-Encoding header, or null for none. */
  codingFor(acceptEncoding: string | string[] | undefined): Coding | null {
    const { coding, isQuick } = acceptedBy(acceptEncoding)
    const isFirst = !this.#wasRequested
    this.#wasRequested = true
    if (!isFirst || !isQuick) return coding
    this.#encoded.set(quickest, compressQuickly(this.plain))
    return quickest
  }

  /**
   * Returns the ETag of the representation that an If-None-Match header (RFC 9110) names: the one in `coding` for `*`,
   * null when it names none.
   */
  matchingTag(ifNoneMatch: string | undefined, coding: Coding | null): string | null {
    if (ifNoneMatch === undefined) return null
    const own = [null, ...codings].map((each) => this.etag(each))
    for (const part of ifNoneMatch.split(',')) {
      const tag = part.trim().replace(/^W\//, '')
      if (tag === '*') return this.etag(coding)
      if (own.includes(tag)) return tag
    }
    return null
  }
}

/** Sends a body in the best coding that the client accepts; 304 when the client already has it. */
export function sendEncoded(request: FastifyRequest, reply: FastifyReply, body: EncodedBody, type: string) {
  if (!reply.hasHeader('cache-control')) reply.header('cache-control', 'no-cache')
  if (!reply.hasHeader('vary')) reply.header('vary', 'accept-encoding')
  const { 'if-none-match': ifNoneMatch, 'accept-encoding': acceptEncoding } = request.headers
  const known = reply.statusCode === 200 ? body.matchingTag(ifNoneMatch, acceptedCoding(acceptEncoding)) : null
  if (known !== null) return reply.header('etag', known).code(304).send()
  const coding = body.codingFor(acceptEncoding)
  reply.header('etag', body.etag(coding))
  if (coding) reply.header('content-encoding', coding)
  const bytes = body.in(coding)
  reply.type(type)
  return bytes instanceof Promise ? bytes.then((sent) => reply.send(sent)) : reply.send(bytes)
}

/** Sends a text of one person, which is compressed for this response only. */
export function sendOnce(request: FastifyRequest, reply: FastifyReply, text: string, type: string): FastifyReply {
  reply.type(type).header('vary', 'accept-encoding')
  if (!acceptedBy(request.headers['accept-encoding']).isQuick) return reply.send(text)
  return reply.header('content-encoding', quickest).send(compressQuickly(Buffer.from(text)))
}

interface Accepted {
  coding: Coding | null
  /** Whether the quickest coding is as welcome as the preferred one. */
  isQuick: boolean
}

// Browsers send few different headers.
const accepted = new LRUCache<string, Accepted>({ max: 200, memoMethod: readAccepted })

const acceptedBy = (header: string | string[] | undefined) => accepted.memo(String(header ?? '').slice(0, 500))

/** Returns the preferred coding of an Accept-Encoding header (RFC 9110), or null for none. */
export const acceptedCoding = (header: string | string[] | undefined): Coding | null => acceptedBy(header).coding

function readAccepted(header: string): Accepted {
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
  return { coding: best.coding, isQuick: best.coding !== null && weightOf(quickest) === best.weight }
}
