import type { FastifyInstance, FastifyRequest } from 'fastify'
import { isStorable } from '../text.ts'
import { parseInTurn } from './long-bodies.ts'
import { BadRequest } from './request-boundary.ts'

/** Maximum number of fields in one form. */
const maxFields = 10_000

/**
 * Parses a form body. Throws BadRequest on text that cannot be stored, and with status 413 on more than `maxFields`
 * fields.
 */
export function readFormBody(text: string): URLSearchParams {
  // Counted before the text is parsed: a megabyte of separators would take seconds.
  if (hasMoreSeparators(text, maxFields)) throw new BadRequest('too many fields', 413)
  const form = new URLSearchParams(text)
  if (form.size > maxFields) throw new BadRequest('too many fields', 413)
  for (const [name, value] of form) {
    if (!isStorable(name) || !isStorable(value)) throw new BadRequest('a field cannot be stored')
  }
  return form
}

function hasMoreSeparators(text: string, most: number): boolean {
  let count = 0
  for (let at = text.indexOf('&'); at !== -1; at = text.indexOf('&', at + 1)) if (++count > most) return true
  return false
}

/** Adds a parser of URL-encoded forms (no files). */
export function parseForms(app: FastifyInstance): void {
  app.addContentTypeParser(
    'application/x-www-form-urlencoded',
    { parseAs: 'string' },
    async (request: FastifyRequest, body: string) => parseInTurn(request, body, readFormBody),
  )
}

/** Makes forms the only accepted bodies of an app. A mutation without a body gets an empty form. */
export function acceptOnlyForms(app: FastifyInstance): void {
  app.removeAllContentTypeParsers()
  parseForms(app)
  app.addHook('preValidation', async (request: FastifyRequest) => {
    const reads = request.method === 'GET' || request.method === 'HEAD'
    if (!reads && !(request.body instanceof URLSearchParams)) request.body = new URLSearchParams()
  })
}

/** Returns a query string as an object; the last value of a repeated name wins. */
export function flatQuery(text: string): Record<string, string> {
  return Object.assign(Object.create(null), Object.fromEntries(new URLSearchParams(text)))
}
