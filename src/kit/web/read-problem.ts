import type { FieldError, Problem } from '../refusal.ts'

// By hand and not by the schemas of these shapes: every page reads them, and few need the validator.
const isRecord = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null

/** The wrong fields that an answer names; null when it is something else. */
export function readFieldErrors(body: unknown): FieldError[] | null {
  const isError = (item: unknown) =>
    isRecord(item) && typeof item.field === 'string' && typeof item.message === 'string'
  return Array.isArray(body) && body.every(isError) ? (body as FieldError[]) : null
}

/** What a problem document says; nothing of a body that is none. */
export function readProblem(body: unknown): Partial<Problem> {
  const names = ['type', 'title', 'code', 'reference'] as const
  if (!isRecord(body) || typeof body.status !== 'number') return {}
  if (names.some((name) => typeof body[name] !== 'string')) return {}
  return body.detail === undefined || isRecord(body.detail) ? (body as Partial<Problem>) : {}
}
