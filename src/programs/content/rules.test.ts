import fc from 'fast-check'
import { expect, test } from 'vitest'
import { blocksOf, chooseByState, fillTokens, translate, unknownKeys, userState } from './rules.ts'
import { sanitize } from './sanitize.ts'

test('GEN-005 SHELL-038 tokens are put in until nothing changes, unknown ones stay', () => {
  const tokens = { programName: '{partnerName} Dining', partnerName: 'Skyharbor', shortCode: '41111' }
  expect(fillTokens('{programName} ({shortCode}) {unknown}', tokens)).toBe('Skyharbor Dining (41111) {unknown}')
})

test('Case 39 tokens that name themselves end, and stay small', () => {
  const tokens = { a: '{b}{b}{b}{b}{b}{b}{b}{b}', b: '{a}{a}{a}{a}{a}{a}{a}{a}', c: '{c}' }
  expect(fillTokens('{c}', tokens)).toBe('{c}')
  expect(fillTokens('{a}'.repeat(100), tokens).length).toBeLessThanOrEqual(64 * 1024)
})

test('Case 39 saboteur: without the bounds the same tokens grow past every limit', () => {
  const tokens: Record<string, string> = { a: '{b}{b}{b}{b}{b}{b}{b}{b}', b: '{a}{a}{a}{a}{a}{a}{a}{a}' }
  let text = '{a}'
  for (let pass = 0; pass < 7; pass++) text = text.replace(/\{(\w)\}/g, (_, name: string) => tokens[name] ?? '')
  expect(text.length).toBeGreaterThan(64 * 1024)
})

test('Case 37 a token named like a property of every object is no token', () => {
  for (const name of ['constructor', '__proto__', 'toString', 'hasOwnProperty']) {
    expect(fillTokens(`{${name}}`, {})).toBe(`{${name}}`)
  }
})

test('VAL-009 a number after the key fills NUM, and an unknown key never shows itself', () => {
  const catalog = {
    messages: { 'validation.max_length': 'Maximum length is NUM characters.', 'errors.general': 'Sorry.' },
    tokens: {},
  }
  expect(translate(catalog, 'validation.max_length|20')).toBe('Maximum length is 20 characters.')
  expect(translate(catalog, 'no.such.key')).toBe('Sorry.')
  expect(unknownKeys(catalog.messages, { 'no.such.key': '' })).toEqual(['no.such.key'])
})

test('HOME-005 CMS-016 blocks of unknown kinds and broken items are left out', () => {
  expect(
    blocksOf([
      { type: 'title', text: 'A' },
      { type: 'spell' },
      null,
      { type: 'button', text: 'B' },
      { type: 'link', text: 'C', url: '/x' },
    ]),
  ).toEqual([
    { type: 'title', text: 'A' },
    { type: 'link', text: 'C', url: '/x' },
  ])
  expect(blocksOf('nothing')).toEqual([])
})

test('HOME-010 content is chosen by who looks', () => {
  expect(userState(null)).toBe('anonymous')
  expect(userState({ memberType: 'NonCardMember', tierLevel: 'VIP' })).toBe('nonCard')
  expect(userState({ memberType: 'EnrolledCardMember', tierLevel: 'VIP' })).toBe('tier3')
  const entries = [
    { user_states: ['default'], n: 1 },
    { user_states: ['tier3'], n: 2 },
  ]
  expect(chooseByState(entries, 'tier3')?.n).toBe(2)
  expect(chooseByState(entries, 'tier0')?.n).toBe(1)
})

test('Case 22 CMS-025 what could run or lead astray is taken out of content', () => {
  const bad = [
    '<script>alert(1)</script>',
    '<img src=x onerror=alert(1)>',
    '<a href="javascript:alert(1)">x</a>',
    '<a href="//evil.example">x</a>',
    '<svg onload=alert(1)>',
    '<p style="background:url(//evil.example)" onclick="x()">y</p>',
    '<iframe src="//evil.example"></iframe>',
    '<form action="//evil.example"><input></form>',
    '<p id="main" name="config">z</p>',
  ]
  for (const html of bad)
    expect(sanitize(html)).not.toMatch(/script|onerror|onload|onclick|style=|iframe|form|input|svg|img|evil|id=|name=/)
  expect(sanitize('<p>A <strong>b</strong> <a href="/terms">c</a></p>')).toBe(
    '<p>A <strong>b</strong> <a href="/terms">c</a></p>',
  )
  expect(sanitize('<a href="{supportEmail}">x</a>')).toBe('<a>x</a>')
})

test('sanitising twice is sanitising once', () => {
  fc.assert(
    fc.property(fc.string(), (html) => {
      expect(sanitize(sanitize(html))).toBe(sanitize(html))
    }),
  )
})
