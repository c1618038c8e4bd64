import { z } from 'zod'

/** A validation error of one field. `message` is already localized by the partner's message catalog. */
export const FieldError = z.object({ field: z.string(), message: z.string() })
export const FieldErrors = z.array(FieldError)
export type FieldError = z.infer<typeof FieldError>

/**
 * The problem document (RFC 9457) of every failure that is not a list of field errors. `reference` identifies the log
 * line.
 */
export const Problem = z.object({
  type: z.string(),
  title: z.string(),
  status: z.number().int(),
  code: z.string(),
  reference: z.string(),
  detail: z.record(z.string(), z.unknown()).optional(),
})
export type Problem = z.infer<typeof Problem>

/**
 * An error that the caller can handle. Thrown, so that its transaction rolls back; its code must be declared in the
 * call's `errors`. `detail` is sent to the caller and must not contain personal data of others.
 */
export class ApiError extends Error {
  readonly code: string
  readonly detail: Record<string, unknown> | undefined
  constructor(code: string, detail?: Record<string, unknown>) {
    super(code)
    this.name = 'ApiError'
    this.code = code
    this.detail = detail
  }
}

/** A service that the call needs does not respond, through no fault of the caller. */
export class UnavailableError extends ApiError {}

/** Field errors found after schema validation, e.g. by a database lookup. `message` is a message key. */
export class ValidationError extends Error {
  readonly fields: readonly FieldError[]
  constructor(fields: readonly FieldError[]) {
    super(fields.map((f) => `${f.field}: ${f.message}`).join('; '))
    this.name = 'ValidationError'
    this.fields = fields
  }
}
