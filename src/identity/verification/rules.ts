import type { FieldError } from '../../platform/errors.ts'
import type { FormOutput } from '../../platform/form-fields.ts'
import { DAY, HOUR } from '../../platform/time.ts'
import type { VerifyPageForm } from './forms.ts'

/** Lifetime of an emailed code in milliseconds. */
export const codeTtlMs = DAY
/** Characters of a code: 50 bits, few enough to be typed. */
export const codeCharacters = 10
/** Maximum number of codes that a member is sent within an hour, the first one at joining included. */
export const maxCodes = 5
export const codesWindowMs = HOUR
/** Wrong codes that a member may enter before the codes sent so far are over. */
export const maxTries = 10

/** Returns the problems of the form of the page: a code is missing, unless a new one is requested. */
export function verifyProblems({ code, again }: FormOutput<typeof VerifyPageForm>): FieldError[] {
  return again || code !== '' ? [] : [{ field: 'code', message: 'verification.code_missing' }]
}
