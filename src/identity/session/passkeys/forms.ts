import { z } from 'zod'

export const PasskeyName = z.strictObject({
  name: z.string().trim().min(1, 'security.passkey_name_missing').max(60, 'validation.max_length|60'),
})
