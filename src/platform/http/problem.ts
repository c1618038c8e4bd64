import type { FastifyReply } from 'fastify'
import type { Problem } from '../errors.ts'

/** Returns a problem document; `title` is for people, `code` for programs, and the reference identifies the log line. */
export function problemBody(
  reference: string,
  status: number,
  code: string,
  title: string,
  detail?: Record<string, unknown>,
): Problem {
  return { type: `urn:dineback:${code}`, title, status, code, reference, ...(detail && { detail }) }
}

/** Sends a problem document. */
export function problem(
  reply: FastifyReply,
  status: number,
  code: string,
  title: string,
  detail?: Record<string, unknown>,
): FastifyReply {
  const body = problemBody(reply.request.id, status, code, title, detail)
  return reply.code(status).type('application/problem+json').send(body)
}
