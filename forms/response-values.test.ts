import { expect, test } from 'vitest'
import { FormDefinition } from '../src/programs/partners/form-definition.ts'
import { messages } from './messages.ts'
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
  // A browser sends each line break as two characters.
  expect(readResponse(form, new URLSearchParams({ 'q.why': 'ab\r\ncd' }))).toEqual({
    fieldValues: { why: 'ab\ncd' },
    errors: {},
  })
})

test('Case 100 an answer has several lines and every script, and no character that is invisible or turns the text', () => {
  for (const type of ['text', 'long']) {
    const form = FormDefinition.parse({
      id: 'visit',
      title: 'Visit',
      questions: [{ id: 'why', label: 'Why?', type }],
      submit: 'Send',
      thanks: 'Thank you',
    })
    const problems = (text: string) => readResponse(form, new URLSearchParams({ 'q.why': text })).errors
    expect(problems('Très bon\r\n👩🏽‍🚀 علی‌رضا')).toEqual({})
    for (const text of ['a\u202eb', 'a\u200bb', 'a\x07b', 'a\u2028b'])
      expect([text, problems(text)]).toEqual([text, { why: messages.invisible }])
  }
})

test('an answer is one of the choices, and each choice of a multiple answer counts once', () => {
  const choices = ['Map', 'Friend']
  const questions = [
    { id: 'how', label: 'How?', type: 'multiple', choices },
    { id: 'first', label: 'First?', type: 'single', choices },
    { id: 'rating', label: 'Rating?', type: 'rating', low: 'Bad', high: 'Good' },
  ]
  const form = FormDefinition.parse({ id: 'visit', title: 'Visit', questions, submit: 'Send', thanks: 'Thank you' })
  const errorsOf = (...answers: [id: string, value: string][]) =>
    Object.keys(readResponse(form, new URLSearchParams(answers.map(([id, value]) => [`q.${id}`, value]))).errors)
  expect(errorsOf(['how', 'Map'], ['how', 'Friend'], ['first', 'Map'], ['rating', '5'])).toEqual([])
  expect(errorsOf(['how', 'Map'], ['how', 'Map'])).toEqual(['how'])
  expect(errorsOf(['how', 'Map'], ['how', 'Other'])).toEqual(['how'])
  expect(errorsOf(['first', 'Map'], ['first', 'Friend'])).toEqual(['first'])
  expect(errorsOf(['first', 'Other'])).toEqual(['first'])
  for (const rating of ['0', '6', '4.5']) expect([rating, errorsOf(['rating', rating])]).toEqual([rating, ['rating']])
})

test('an answer with an error stays among the values, so that it can be corrected', () => {
  const choices = ['Map', 'Friend']
  const questions = [
    { id: 'why', label: 'Why?', type: 'text', most: 5 },
    { id: 'how', label: 'How?', type: 'multiple', choices },
    { id: 'first', label: 'First?', type: 'single', choices },
  ]
  const form = FormDefinition.parse({ id: 'visit', title: 'Visit', questions, submit: 'Send', thanks: 'Thank you' })
  const sent = new URLSearchParams({ 'q.why': '123456', 'q.how': 'Other', 'q.first': 'Map' })
  const { fieldValues, errors } = readResponse(form, sent)
  expect(Object.keys(errors)).toEqual(['why', 'how'])
  expect(fieldValues).toEqual({ why: '123456', how: ['Other'], first: 'Map' })
})
