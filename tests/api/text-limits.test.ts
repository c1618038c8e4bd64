import { globSync, readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { expect, test } from 'vitest'
import { callGroups } from '../../src/app/server/openapi/call-groups.ts'
import { defaultMessages } from '../../src/default-messages.ts'
import { type FormFields, readForm, type TextField } from '../../src/platform/form-fields.ts'
import { formSchema } from '../../src/platform/form-schema.ts'
import { fieldErrors } from '../../src/platform/http/register-route.ts'
import { translate } from '../../src/programs/content/messages.ts'
import { textPathsOf, withText } from '../support/text-fields.ts'

/** Every text of a form with a limit: those of all `forms.ts`. */
const limited: { name: string; form: FormFields; field: string; rules: TextField<'error'>; max: number }[] = []
for (const file of globSync('src/**/forms.ts')) {
  for (const [name, form] of Object.entries<FormFields>(await import(resolve(file))))
    for (const [field, rules] of Object.entries(form))
      if (rules.type === 'text' && rules.max !== null)
        limited.push({ name, form, field, rules: rules as TextField<'error'>, max: rules.max })
}

const t = (key: string) => translate({ messages: defaultMessages, tokens: { partnerName: 'Sky' } }, key)

/** Texts that are too long say so by themselves: they have a form, or their word has the limit. */
const saidOtherwise = new Map([
  ['validation.password_rules', 'Use 8 to 56 characters.'],
  ['validation.phone_format', 'Invalid phone number, please check the number and try again'],
])
/** What a member chooses or copies, and does not word. */
const copied = /^(code|confirmation|merchantId|cardId)$/

test('VAL-023 every typed text that is one too long stays whole, and is refused with its name and its limit', () => {
  // Counterpart: the forms are found.
  expect(limited.map(({ name, field }) => `${name}.${field}`)).toEqual(
    expect.arrayContaining(['JoinForm.firstName', 'ProfileForm.city', 'ClaimNote.note', 'SignInForm.userName']),
  )
  for (const { name, form, field, rules, max } of limited) {
    const typed = { [field]: 'x'.repeat(max + 1) }
    const { values, errors } = readForm(form, typed)
    expect([name, field, (values as Record<string, unknown>)[field]]).toEqual([name, field, typed[field]])
    const message = errors[field] ?? ''
    const server = fieldErrors(formSchema({ [field]: rules }).safeParse(typed).error as never)
    expect([name, server[0]?.message]).toEqual([name, message])
    if (copied.test(field)) continue
    const said = saidOtherwise.get(message) ?? `${t(rules.label ?? '')} may have at most ${max} characters.`
    expect([name, field, t(message)]).toEqual([name, field, said])
    expect([name, field, t(rules.label ?? '')]).not.toEqual([name, field, t('errors.general')])
  }
})

test('VAL-023 no call cuts a text that it receives: it is refused, or arrives whole', () => {
  const text = 'word '.repeat(30_000).trim()
  let count = 0
  for (const { examples } of callGroups)
    for (const { call, example } of examples)
      for (const part of ['query', 'body'] as const) {
        const schema = call[part]
        if (!schema) continue
        for (const path of textPathsOf(schema)) {
          const given = withText(example[part] ?? {}, path, text)
          const read = schema.safeParse(given)
          if (!read.success) continue
          count++
          const at = path.reduce<unknown>((value, step) => (value as Record<string, unknown>)?.[step], read.data)
          expect([call.path, path, String(at).length]).toEqual([call.path, path, text.length])
        }
      }
  expect(count).toBeGreaterThan(0)
})

test('VAL-023 no field of any page stops the typing at a limit', () => {
  const files = globSync(['src/**/*.{ts,tsx}', '{vault,forms,id}/**/*.ts']).filter(
    (file) => !/\.test\.tsx?$/.test(file),
  )
  const stopping = files.filter((file) => /maxlength=/i.test(readFileSync(file, 'utf8')))
  expect(files.length).toBeGreaterThan(500)
  expect(stopping).toEqual([])
})
