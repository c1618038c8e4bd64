import type { FastifyReply } from 'fastify'
import type { Problem } from '../errors.ts'

/** Sends a problem document; `title` is for people, `code` for programs, and the reference identifies the log line. */
export function problem(
  reply: FastifyReply,
  status: number,
  code: string,
  title: string,
  detail?: Record<string, unknown>,
): FastifyReply {
  const body: Problem = {
    type: `urn:dineback:${code}`,
    title,
    status,
    code,
    reference: reply.request.id,
    ...(detail && { detail }),
  }
  return reply.code(status).type('application/problem+json').send(body)
}
