import { text } from '../../../platform/form-fields.ts'

export const PasskeyName = { name: text(60, { missing: 'security.passkey_name_missing' }) }
