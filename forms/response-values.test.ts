import { expect, test } from 'vitest'
import { FormDefinition } from '../src/programs/partners/form-definition.ts'
import { readResponse } from './response-values.ts'

test('a question without an answer has no value', () => {
  const question = { id: 'how', label: 'How?', type: 'multiple', choices: ['Map', 'Friend'] }
  const questions = [question, { ...question, id: 'where' }, { id: 'why', label: 'Why?', type: 'text' }]
  const form = FormDefinition.parse({ id: 'visit', title: 'Visit', questions, submit: 'Send', thanks: 'Thank you' })
  expect(readResponse(form, new URLSearchParams({ 'q.how': 'Map', 'q.why': ' ' }))).toStrictEqual({
    fieldValues: { how: ['Map'] },
    errors: {},
  })
})

test('an answer may be as long as its question allows', () => {
  const questions = [{ id: 'why', label: 'Why?', type: 'text', most: 5 }]
  const form = FormDefinition.parse({ id: 'visit', title: 'Visit', questions, submit: 'Send', thanks: 'Thank you' })
  const errorsOf = (text: string) => Object.keys(readResponse(form, new URLSearchParams({ 'q.why': text })).errors)
  expect([errorsOf('12345'), errorsOf('123456')]).toEqual([[], ['why']])
})
