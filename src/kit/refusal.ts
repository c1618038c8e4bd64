import { z } from 'zod'

/** One wrong field of what was sent. `message` is already worded by the partner's copy. */
export const FieldError = z.object({ field: z.string(), message: z.string() })
export const FieldErrors = z.array(FieldError)
export type FieldError = z.infer<typeof FieldError>

/** Every failure that is not a list of field errors (RFC 9457). `reference` finds the log line. */
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
 * Something the caller can mend. Thrown, so that the transaction it happens in rolls back; its code
 * must be declared in the call's `refusals`. `detail` goes to the caller: no personal data of others.
 */
export class Refusal extends Error {
  readonly code: string
  readonly detail: Record<string, unknown> | undefined
  constructor(code: string, detail?: Record<string, unknown>) {
    super(code)
    this.name = 'Refusal'
    this.code = code
    this.detail = detail
  }
}

/** Field errors found after validation, e.g. by a look into the database. `message` is a copy key. */
export class FieldRefusal extends Error {
  readonly fields: readonly FieldError[]
  constructor(fields: readonly FieldError[]) {
    super(fields.map((f) => `${f.field}: ${f.message}`).join('; '))
    this.name = 'FieldRefusal'
    this.fields = fields
  }
}
