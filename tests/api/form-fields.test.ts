import { globSync } from 'node:fs'
import { resolve } from 'node:path'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { type FormField, type FormFields, readForm } from '../../src/platform/form-fields.ts'
import { formSchema } from '../../src/platform/form-schema.ts'
import { fieldErrors } from '../../src/platform/http/register-route.ts'
import { scaled } from '../support/scale.ts'

/** Every form of the project: the exports of all `forms.ts`. */
const forms: [string, FormFields][] = []
for (const file of globSync('src/**/forms.ts')) {
  for (const [name, fields] of Object.entries(await import(resolve(file)))) forms.push([name, fields as FormFields])
}

const samples = [
  'ada@example.com',
  'ada@example',
  'a..b@example.com',
  `${'x'.repeat(39)}@example.com`,
  '10001',
  '10001-1234',
  '100011234',
  'NY',
  'ny',
  '2026-02-28',
  '2026-02-29',
  '1899-12-31',
  '12/30',
  '$80',
  '$ 1,200.50',
  '0.00',
  '(212) 555-0100',
  '155-234-1234',
]
// Around the limits of the fields.
const lengths = [1, 2, 19, 20, 21, 30, 31, 50, 51, 60, 61, 120, 121, 254, 255, 1024, 1025]
const words = fc.oneof(
  fc.constantFrom('', ' ', ...samples),
  fc.constantFrom(...lengths).map((length) => 'x'.repeat(length)),
  fc.string(),
)
const texts = fc.tuple(words, fc.constantFrom('', '', ' ', ' \t')).map(([word, space]) => space + word + space)

function valuesOf(field: FormField): fc.Arbitrary<unknown> {
  const values: fc.Arbitrary<unknown> = field.type === 'flag' || field.type === 'consent' ? fc.boolean() : texts
  return field.absent === 'error' ? values : fc.option(values, { nil: undefined })
}

test('the forms are found', () => {
  expect(forms.map(([name]) => name)).toEqual(expect.arrayContaining(['SignInForm', 'JoinForm', 'MissingTransaction']))
})

for (const [name, fields] of forms) {
  test(`VAL-007 the browser accepts, rejects and converts in ${name} what the server does, with the same messages`, () => {
    const schema = formSchema(fields)
    const typed = fc.record(Object.fromEntries(Object.entries(fields).map(([each, field]) => [each, valuesOf(field)])))
    fc.assert(
      fc.property(typed, (values) => {
        const browser = readForm(fields, values as object)
        const { data, error } = schema.safeParse(values)
        // The first error of a field is shown.
        const server = error ? fieldErrors(error).reverse() : []
        expect(browser.errors).toEqual(Object.fromEntries(server.map(({ field, message }) => [field, message])))
        if (data) expect(browser.values).toEqual(data)
      }),
      { numRuns: scaled({ full: 5000, short: 200 }) },
    )
  })
}
