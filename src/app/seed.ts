import type { Settings } from '../kit/server/settings.ts'
import { seedMerchants } from '../merchants/seed/seed-merchants.ts'
import type { Program } from '../partners/context.ts'
import { registerPartners } from '../partners/store.ts'
import type { Database } from './database.ts'

/** Makes the partners known and, outside production, puts the sample restaurants in. Idempotent. */
export async function seed(
  settings: Settings,
  database: Database,
  programs: ReadonlyMap<string, Program>,
  log: (line: string) => void,
): Promise<void> {
  const { shared } = database.pools
  await registerPartners(shared, [...programs.keys()])
  if (settings.NODE_ENV === 'production') return
  const { added } = await seedMerchants(shared)
  log(added > 0 ? `merchants: ${added} sample restaurants added` : 'merchants: sample restaurants are there')
}
