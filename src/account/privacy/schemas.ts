import { z } from 'zod'
import { defineSchemas } from '../../platform/call.ts'
import { formSchema } from '../../platform/form-schema.ts'
import { DeleteForm } from './forms.ts'

export const exportData = defineSchemas({
  summary: 'Returns all data of the member as one JSON document',
  reply: z.object({
    program: z.string(),
    exportedAt: z.iso.datetime(),
    /** By table: every row of the member, without secrets. */
    data: z.record(z.string(), z.array(z.record(z.string(), z.unknown()))),
    /** What the export omits, and why. */
    leftOut: z.record(z.string(), z.string()),
  }),
  errors: { reauthRequired: 403 },
  perMinute: 5,
})

export const deleteAccount = defineSchemas({
  summary: 'Deletes the account: personal data is removed, and the ledger remains without a name',
  body: formSchema(DeleteForm),
  reply: z.object({ deleted: z.literal(true) }),
  cookies: ['__Host-sid', 'session_expiry'],
  errors: { reauthRequired: 403, vaultUnavailable: 503 },
  perMinute: 5,
})
