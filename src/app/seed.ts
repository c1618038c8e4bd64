import { join } from 'node:path'
import { addOperator, disableOperator, enableOperator, sampleOperator } from '../console/operators/service.ts'
import { seedMerchants } from '../dining/merchants/seed/seed-merchants.ts'
import type { Settings } from '../platform/config/settings.ts'
import { ApiError, ValidationError } from '../platform/errors.ts'
import { checkFields } from '../programs/content/check.ts'
import { defaultContent } from '../programs/content/default-content.ts'
import { type SeedEntry, seedContent } from '../programs/content/seed-content.ts'
import type { Program } from '../programs/partners/context.ts'
import { ProgramError } from '../programs/partners/load-programs.ts'
import { registerPartners } from '../programs/partners/store.ts'
import type { Database } from './database.ts'
import { seedFlexOffers } from './sample-flex-offers.ts'

/**
 * Registers the partners and their content and, outside production, adds the sample restaurants. The sample operator is
 * enabled only by its setting. Idempotent.
 */
export async function seed(
  settings: Settings,
  database: Database,
  programs: ReadonlyMap<string, Program>,
  log: (line: string) => void,
): Promise<void> {
  const { shared } = database.pools
  const changed = await seedPrograms(database, programs)
  log(changed > 0 ? `content: ${changed} entries taken from the program folders` : 'content: as it was edited last')
  await seedOperator(settings, database, log)
  if (settings.NODE_ENV === 'production') return
  const { added } = await seedMerchants(shared)
  for (const [id, { config }] of programs) await seedFlexOffers(database.pools.forPartner(id), config)
  log(added > 0 ? `merchants: ${added} sample restaurants added` : 'merchants: sample restaurants are there')
}

// The database may come from development, and the sample operator's password is publicly known.
async function seedOperator(
  { SAMPLE_OPERATOR }: Pick<Settings, 'SAMPLE_OPERATOR'>,
  { consolePools }: Pick<Database, 'consolePools'>,
  log: (line: string) => void,
): Promise<void> {
  const { email } = sampleOperator
  if (SAMPLE_OPERATOR) {
    if (!(await addOperator(consolePools.shared, sampleOperator))) await enableOperator(consolePools.shared, email)
  } else if (await disableOperator(consolePools.shared, email)) {
    log(`operators: the sample operator ${email} was disabled`)
  }
}

/** Registers every program and seeds the content of its folder. Returns the number of changed entries. */
export async function seedPrograms(
  { pools }: Pick<Database, 'pools'>,
  programs: ReadonlyMap<string, Program>,
): Promise<number> {
  const contents = new Map([...programs].map(([id, program]) => [id, checkContent(program)]))
  const problems = [...contents.values()].flatMap((content) => content.problems)
  if (problems.length > 0) throw new ProgramError(problems.join('\n'))
  await registerPartners(pools.shared, [...programs.keys()])
  let changed = 0
  for (const [id, { entries }] of contents) {
    const { hasDiscoverPage } = (programs.get(id) as Program).config
    const defaults = defaultContent.filter(({ collection }) => collection !== 'discover' || hasDiscoverPage)
    changed += await seedContent(pools.forPartner(id), id, { entries, defaults })
  }
  return changed
}

function contentOf({ content, copy }: Program) {
  const entries = Object.entries(content).flatMap(([collection, list]) =>
    list.map(({ slug, fields }) => ({ collection, slug, fields })),
  )
  return [...entries, { collection: 'copy', slug: 'messages', fields: copy }]
}

/** Returns the content of a folder in storable form, and its errors, one line per entry. */
function checkContent(program: Program): { entries: SeedEntry[]; problems: string[] } {
  const entries: SeedEntry[] = []
  const problems: string[] = []
  for (const { collection, slug, fields } of contentOf(program)) {
    const file = join(program.folder, collection === 'copy' ? 'copy.json' : 'content.json')
    const place = collection === 'copy' ? '' : `${collection}/${slug}: `
    if (entries.some((entry) => entry.collection === collection && entry.slug === slug)) {
      problems.push(`${file}: ${place}there are two entries with this slug`)
      continue
    }
    try {
      entries.push({ collection, slug, fields: checkFields(collection, slug, fields) })
    } catch (error) {
      if (error instanceof ValidationError) problems.push(`${file}: ${place}${error.message}`)
      else if (error instanceof ApiError) problems.push(`${file}: ${place}there is no such collection or entry`)
      else throw error
    }
  }
  return { entries, problems }
}
