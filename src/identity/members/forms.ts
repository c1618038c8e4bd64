import { text } from '../../platform/form-fields.ts'

/** Maximum length of a name that a partner states about its customer. */
export const maxSentName = 300

/** A name that a member types. What a partner states may be longer, and have no last name: see decision 084. */
export const TypedName = {
  firstName: text(20, { label: 'join.first_name', missing: 'validation.first_name_missing' }),
  lastName: text(20, { label: 'join.last_name', missing: 'validation.last_name_missing' }),
}
