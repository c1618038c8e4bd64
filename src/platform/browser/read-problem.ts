import type { FieldError, Problem } from '../errors.ts'

// Validated by hand rather than by the schemas: every page needs this, and few need the validator.
const isRecord = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null

/** Returns the field errors of a response body, or null when it has none. */
export function readFieldErrors(body: unknown): FieldError[] | null {
  const isError = (item: unknown) =>
    isRecord(item) && typeof item.field === 'string' && typeof item.message === 'string'
  return Array.isArray(body) && body.every(isError) ? (body as FieldError[]) : null
}

/** Returns a problem document, or an empty object when the body is something else. */
export function readProblem(body: unknown): Partial<Problem> {
  const names = ['type', 'title', 'code', 'reference'] as const
  if (!isRecord(body) || typeof body.status !== 'number') return {}
  if (names.some((name) => typeof body[name] !== 'string')) return {}
  return body.detail === undefined || isRecord(body.detail) ? (body as Partial<Problem>) : {}
}
