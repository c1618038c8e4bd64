import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { z } from 'zod'
import { filledFields } from '../../src/programs/partners/fill-program.ts'
import { ProgramConfig } from '../../src/programs/partners/schemas.ts'

const reference = readFileSync('docs/program-reference.md', 'utf8')

interface Schema {
  properties?: Record<string, Schema>
  items?: Schema
  required?: string[]
  default?: unknown
}

/** Returns every field of a schema with its default, by dotted path; `[]` means the items of a list. */
function fieldsOf(schema: Schema, above = ''): [field: string, standard: string][] {
  return Object.entries(schema.properties ?? {}).flatMap(([name, inner]) => {
    const standard = inner.default === undefined ? 'none' : `\`${JSON.stringify(inner.default)}\``
    const own: [string, string] = [above + name, schema.required?.includes(name) ? 'required' : standard]
    return [own, ...fieldsOf(inner, `${above}${name}.`), ...fieldsOf(inner.items ?? {}, `${above}${name}[].`)]
  })
}

test('GEN-003 the reference of program.json has every field of the schema, with its default and its effect', () => {
  const rows = [...reference.matchAll(/^\| `([\w.[\]]+)` +\| (.+?) +\| (\S.*?) +\|$/gm)]
  const schema = z.toJSONSchema(ProgramConfig, { io: 'input' }) as Schema
  expect(rows.map(([, field, standard]) => [field, standard])).toEqual(fieldsOf(schema))
})

test('the reference names the fields in which tokens are replaced', () => {
  const [sentence = ''] = /Tokens are replaced in [^.]+\./.exec(reference) ?? []
  const named = [...sentence.matchAll(/`(\w+)`/g)].map(([, name]) => name)
  expect(named).toEqual([...filledFields])
})
