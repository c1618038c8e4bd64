import { text } from '../../platform/form-fields.ts'

export const DeleteForm = {
  /** The typed word that prevents accidental deletion. */
  confirmation: text(20, { tooLong: 'validation.check' }),
}
