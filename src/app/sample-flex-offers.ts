import type { Db } from '../platform/database/db.ts'
import { publicId } from '../platform/security/ids.ts'
import type { ProgramConfig } from '../programs/partners/contract.ts'
import { TierLevel } from '../programs/partners/schemas.ts'

/** Inserts an offer at every seventh sample restaurant of a program with flex offers, once. Returns the number. */
export async function seedFlexOffers(db: Db, config: ProgramConfig): Promise<number> {
  if (!config.hasFlexOffers) return 0
  const existing = await db.selectFrom('flex_offers').select('id').limit(1).execute()
  if (existing.length > 0) return 0
  const merchants = await db
    .selectFrom('merchants')
    .select('id')
    .where('source', '=', 'seed')
    .where('participating', '=', true)
    .orderBy('id')
    .execute()
  const chosen = merchants.filter((_, index) => index % 7 === 3)
  if (chosen.length === 0) return 0
  const rows = chosen.map(({ id }, index) => ({
    public_id: publicId(),
    merchant_id: id,
    tiers: index % 2 === 0 ? TierLevel.options : ['OptedIn', 'VIP'],
    extra_rate: 100 * (1 + (index % 5)),
    starts_on: '2026-01-01',
  }))
  await db.insertInto('flex_offers').values(rows).execute()
  return rows.length
}
