import { expect, test } from 'vitest'
import { FormDefinition } from '../src/programs/partners/form-definition.ts'
import { readResponse } from './response-values.ts'

test('an answer may be as long as its question allows', () => {
  const questions = [{ id: 'why', label: 'Why?', type: 'text', most: 5 }]
  const form = FormDefinition.parse({ id: 'visit', title: 'Visit', questions, submit: 'Send', thanks: 'Thank you' })
  const errorsOf = (text: string) => Object.keys(readResponse(form, new URLSearchParams({ 'q.why': text })).errors)
  expect([errorsOf('12345'), errorsOf('123456')]).toEqual([[], ['why']])
})
