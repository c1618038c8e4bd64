import { z } from 'zod'
import { defineCall } from '../../platform/call.ts'

export const exportData = defineCall({
  id: 'exportData',
  method: 'GET',
  path: '/api/Member/Export',
  access: 'member',
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
  csrf: true,
  memberOnly: true,
  perMinute: 5,
})

export const DeleteForm = z.strictObject({
  /** The typed word that prevents accidental deletion. */
  confirmation: z.string().trim().max(20),
})

export const deleteAccount = defineCall({
  id: 'deleteAccount',
  method: 'POST',
  path: '/api/Member/Delete',
  access: 'member',
  summary: 'Deletes the account: personal data is removed, and the ledger remains without a name',
  body: DeleteForm,
  reply: z.object({ deleted: z.literal(true) }),
  cookies: ['__Host-sid', 'session_expiry'],
  errors: { reauthRequired: 403, vaultUnavailable: 503 },
  memberOnly: true,
  perMinute: 5,
})
