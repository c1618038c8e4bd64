import type { FieldError } from '../../platform/errors.ts'

/** Returns a member's name; people may have one name only. */
export const fullName = ({ firstName, lastName }: { firstName: string; lastName: string }) =>
  `${firstName} ${lastName}`.trim()

/** Returns the missing fields of a required address; messages are copy keys. */
export function addressProblems(form: { address1: string; city: string; state: string }): FieldError[] {
  const missing = [
    ['address1', 'validation.address_missing'],
    ['city', 'validation.city_missing'],
    ['state', 'validation.state_missing'],
  ] as const
  return missing.filter(([field]) => form[field] === '').map(([field, message]) => ({ field, message }))
}
