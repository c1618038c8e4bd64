import { spawnSync } from 'node:child_process'
import { migrate } from '../src/kit/server/migrate.ts'
import { keepPostgres, temporaryDatabase } from '../tests/support/database.ts'

/** Writes the types of the migrated schema to `file`. */
export async function generateSchema(file: string): Promise<void> {
  const postgres = await keepPostgres()
  process.env.TEST_DATABASE_URL = postgres.url
  const database = await temporaryDatabase()
  try {
    await migrate({ url: database.url, directory: 'db/migrations', log: () => {} })
    const options = {
      dialect: 'postgres',
      url: database.url,
      'date-parser': 'string',
      'type-mapping': '{"int8":"number"}',
      // Months of impressions come and go.
      'exclude-pattern': 'public.(schema_migrations|impressions_*)',
      'out-file': file,
      'log-level': 'error',
    }
    const args = Object.entries(options).flatMap(([name, value]) => [`--${name}`, value])
    const result = spawnSync(process.execPath, ['node_modules/.bin/kysely-codegen', ...args], { stdio: 'inherit' })
    if (result.status !== 0) throw new Error('kysely-codegen failed')
  } finally {
    await database.drop()
    await postgres.stop()
  }
}

if (import.meta.main) await generateSchema('src/kit/server/schema.ts')
