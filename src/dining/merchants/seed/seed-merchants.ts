import type { Db } from '../../../platform/database/db.ts'
import { saveMerchants } from '../catalog/save-merchants.ts'
import { generateMerchants } from './generate-merchants.ts'

const batch = 400

/** Inserts the sample restaurants, all or none. Existing ones are not changed. */
export async function seedMerchants(db: Db, options: { count?: number } = {}): Promise<{ added: number }> {
  const there = await db.selectFrom('merchants').select('id').where('source', '=', 'seed').limit(1).executeTakeFirst()
  if (there) return { added: 0 }
  const records = generateMerchants(options)
  return db.transaction().execute(async (tx) => {
    let added = 0
    for (let first = 0; first < records.length; first += batch) {
      added += (await saveMerchants(tx, records.slice(first, first + batch))).added
    }
    return { added }
  })
}
