import { text } from '../../../platform/form-fields.ts'

export const PasskeyName = {
  name: text(60, { label: 'security.passkey_name', missing: 'security.passkey_name_missing' }),
}
