import { purgeAttempts } from './database/attempts.ts'
import { purgeIdempotencyKeys } from './database/idempotency.ts'
import { cleanup } from './jobs/jobs.ts'
import type { Module } from './manifest.ts'

export const platformModule: Module = {
  name: 'platform',
  tasks: { attempts: cleanup(purgeAttempts), 'idempotency-keys': cleanup(purgeIdempotencyKeys) },
  memberTables: [{ table: 'audit_entries', secret: ['hash', 'previous_hash'], deletion: 'retained', merging: 'stays' }],
}
