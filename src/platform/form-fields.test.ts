import { expect, test } from 'vitest'
import { readForm, text } from './form-fields.ts'

test('a text may have as many characters as its field allows, without the spaces around it', () => {
  const fields = { name: text(5, { min: 2 }) }
  const errorOf = (name: string) => readForm(fields, { name }).errors.name
  expect([errorOf('ab'), errorOf('abcde'), errorOf(' abcde ')]).toEqual([undefined, undefined, undefined])
  expect([errorOf('a'), errorOf('abcdef')]).toEqual(['validation.check', 'validation.max_length|5'])
})
