import { seedContent } from '../content/seed-content.ts'
import { FieldRefusal } from '../kit/refusal.ts'
import type { Settings } from '../kit/server/settings.ts'
import { seedMerchants } from '../merchants/seed/seed-merchants.ts'
import { addOperator, sampleOperator } from '../operators/service.ts'
import type { Program } from '../partners/context.ts'
import { ProgramError } from '../partners/load-programs.ts'
import { registerPartners } from '../partners/store.ts'
import { seedFlexOffers } from '../rewards/service.ts'
import type { Database } from './database.ts'

/** Makes the partners and their content known and, outside production, puts the sample restaurants in. Idempotent. */
export async function seed(
  settings: Settings,
  database: Database,
  programs: ReadonlyMap<string, Program>,
  log: (line: string) => void,
): Promise<void> {
  const { shared } = database.pools
  const changed = await seedPrograms(database, programs)
  log(changed > 0 ? `content: ${changed} entries taken from the program folders` : 'content: as it was edited last')
  if (settings.NODE_ENV === 'production') return
  await addOperator(database.consolePools.shared, sampleOperator)
  const { added } = await seedMerchants(shared)
  for (const [id, { config }] of programs) await seedFlexOffers(database.pools.forPartner(id), config)
  log(added > 0 ? `merchants: ${added} sample restaurants added` : 'merchants: sample restaurants are there')
}

/** Registers every program and brings in the content of its folder; answers how many entries changed. */
export async function seedPrograms(
  { pools }: Pick<Database, 'pools'>,
  programs: ReadonlyMap<string, Program>,
): Promise<number> {
  await registerPartners(pools.shared, [...programs.keys()])
  let changed = 0
  for (const [id, { content, copy }] of programs) {
    const entries = Object.entries(content).flatMap(([collection, list]) =>
      list.map(({ slug, fields }) => ({ collection, slug, fields })),
    )
    const words = { collection: 'copy', slug: 'deck', fields: copy }
    try {
      changed += await seedContent(pools.forPartner(id), id, [...entries, words])
    } catch (error) {
      throw error instanceof FieldRefusal ? new ProgramError(`programs/${id}: ${error.message}`) : error
    }
  }
  return changed
}
