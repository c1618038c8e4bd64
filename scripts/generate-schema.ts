import { spawnSync } from 'node:child_process'
import { createTestDatabase } from '../tests/support/database.ts'
import { withTestRun } from '../tests/support/test-run.ts'
import { createUsageExit, readOptions } from './command-line.ts'

const usage = `Writes the types of the migrated schema to db/schema.ts.

  npm run generate:schema`

/** Writes the types of the migrated schema to `file`. Needs a test run. */
export async function generateSchema(file: string): Promise<void> {
  const database = await createTestDatabase('schema')
  try {
    const options = {
      dialect: 'postgres',
      url: database.url,
      'date-parser': 'string',
      'type-mapping': '{"int8":"number"}',
      // Monthly partitions of impressions are created and dropped.
      'exclude-pattern': '(public.(schema_migrations|impressions_*)|jobs.*)',
      'out-file': file,
      'log-level': 'error',
    }
    const args = Object.entries(options).flatMap(([name, value]) => [`--${name}`, value])
    const result = spawnSync(process.execPath, ['node_modules/.bin/kysely-codegen', ...args], { stdio: 'inherit' })
    if (result.status !== 0) throw new Error('kysely-codegen failed')
  } finally {
    await database.drop()
  }
}

if (import.meta.main) {
  readOptions({}, createUsageExit(usage))
  await withTestRun(['schema'], {}, () => generateSchema('db/schema.ts'))
}
