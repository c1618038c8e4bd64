import { createHash } from 'node:crypto'
import { brotliCompressSync, constants, gzipSync } from 'node:zlib'
import type { FastifyReply, FastifyRequest } from 'fastify'

/** A text that is generated once and sent often: precompressed, with an ETag. */
export interface PrecompressedFile {
  etag: string
  plain: Buffer
  br: Buffer
  gzip: Buffer
}

export function precompress(text: string): PrecompressedFile {
  const plain = Buffer.from(text)
  const etag = `W/"${createHash('sha256').update(plain).digest('base64url').slice(0, 22)}"`
  return {
    etag,
    plain,
    br: brotliCompressSync(plain, { params: { [constants.BROTLI_PARAM_QUALITY]: 6 } }),
    gzip: gzipSync(plain),
  }
}

/** Sends a stored file in the smallest encoding that the client accepts; 304 when the client already has it. */
export function sendPrecompressed(
  { headers }: FastifyRequest,
  reply: FastifyReply,
  { etag, plain, br, gzip }: PrecompressedFile,
  type: string,
): FastifyReply {
  if (!reply.hasHeader('cache-control')) reply.header('cache-control', 'no-cache')
  reply.header('vary', 'accept-encoding').header('etag', etag)
  if (headers['if-none-match'] === etag) return reply.code(304).send()
  const encoding = (['br', 'gzip'] as const).find((name) => accepts(headers['accept-encoding'], name))
  if (encoding) reply.header('content-encoding', encoding)
  return reply.type(type).send({ br, gzip, none: plain }[encoding ?? 'none'])
}

function accepts(header: string | string[] | undefined, encoding: string): boolean {
  return String(header ?? '')
    .split(',')
    .map((part) => part.trim().split(/\s*;\s*q=/))
    .some(([name, weight]) => name === encoding && Number(weight ?? 1) > 0)
}
