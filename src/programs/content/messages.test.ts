import { expect, test } from 'vitest'
import { fillTokens, translate, unknownKeys } from './messages.ts'

test('GEN-005 SHELL-038 tokens are replaced until nothing changes; unknown tokens stay', () => {
  const tokens = { programName: '{partnerName} Dining', partnerName: 'Skyharbor', shortCode: '41111' }
  expect(fillTokens('{programName} ({shortCode}) {unknown}', tokens)).toBe('Skyharbor Dining (41111) {unknown}')
})

test('Case 39 tokens that refer to themselves terminate, and the result stays small', () => {
  const tokens = { a: '{b}{b}{b}{b}{b}{b}{b}{b}', b: '{a}{a}{a}{a}{a}{a}{a}{a}', c: '{c}' }
  expect(fillTokens('{c}', tokens)).toBe('{c}')
  expect(fillTokens('{a}'.repeat(100), tokens).length).toBeLessThanOrEqual(64 * 1024)
})

test('Case 39 saboteur: without the bounds the same tokens grow beyond every limit', () => {
  const tokens: Record<string, string> = { a: '{b}{b}{b}{b}{b}{b}{b}{b}', b: '{a}{a}{a}{a}{a}{a}{a}{a}' }
  let text = '{a}'
  for (let pass = 0; pass < 7; pass++) text = text.replace(/\{(\w)\}/g, (_, name: string) => tokens[name] ?? '')
  expect(text.length).toBeGreaterThan(64 * 1024)
})

test('Case 37 a token named like a property of every object is not replaced', () => {
  for (const name of ['constructor', '__proto__', 'toString', 'hasOwnProperty']) {
    expect(fillTokens(`{${name}}`, {})).toBe(`{${name}}`)
  }
})

test('VAL-009 VAL-023 a number after the key replaces NUM, and an unknown key is never shown', () => {
  const catalog = {
    messages: {
      'validation.max_length': 'Maximum length is NUM characters.',
      'validation.too_long': '{label} may have at most NUM characters.',
      'join.number': '{partnerName} number',
      'errors.general': 'Sorry.',
    },
    tokens: { partnerName: 'Sky' },
  }
  expect(translate(catalog, 'validation.too_long|20|join.number')).toBe('Sky number may have at most 20 characters.')
  expect(translate(catalog, 'validation.max_length|20')).toBe('Maximum length is 20 characters.')
  expect(translate(catalog, 'no.such.key')).toBe('Sorry.')
  expect(unknownKeys(catalog.messages, { 'no.such.key': '' })).toEqual(['no.such.key'])
})

test('a value that a component passes counts before the program’s token of the same name', () => {
  const catalog = {
    messages: { greeting: '{name} of {partnerName}: {count}' },
    tokens: { name: 'Token', partnerName: 'Sky' },
  }
  expect(translate(catalog, 'greeting', { name: 'Ada', count: 2 })).toBe('Ada of Sky: 2')
})
