import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { generateSchema } from '../../scripts/generate-schema.ts'

test('the generated types match the migrated schema', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'dineback-schema-'))
  try {
    await generateSchema(join(folder, 'schema.ts'))
    expect(readFileSync('db/schema.ts', 'utf8')).toBe(readFileSync(join(folder, 'schema.ts'), 'utf8'))
  } finally {
    rmSync(folder, { recursive: true })
  }
})
