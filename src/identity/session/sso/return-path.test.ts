import fc from 'fast-check'
import { expect, test } from 'vitest'
import { returnPathFrom, returnPathIn, safeReturnPath, withReturn } from './return-path.ts'

test('SESS-012 a path of this site is accepted unchanged', () => {
  for (const path of [
    '/',
    '/account/overview',
    '/search?location=10001&sortBy=rating',
    '/merchants/x#offers',
    `/${'a'.repeat(499)}`,
  ]) {
    expect(safeReturnPath(path)).toBe(path)
  }
})

test('Case 35 a path that could lead to another site is rejected', () => {
  const bad = [
    '//evil.example',
    '/\\evil.example',
    '\\\\evil.example',
    'https://evil.example',
    'javascript:alert(1)',
    '/%2f/evil.example',
    '/%5cevil.example',
    '/\tevil',
    '/\n/evil',
    ' /x',
    '',
    'x',
    '///evil.example',
    '/%09/evil.example',
    '/%0d%0aset-cookie:x',
    '/\u2028/evil',
    `/${'a'.repeat(500)}`,
  ]
  for (const path of bad) expect([path, safeReturnPath(path, '/home')]).toEqual([path, '/home'])
})

test('Case 35 dot segments that leave two slashes are rejected', () => {
  for (const path of ['/..//evil.example', '/.//evil.example', '/a/..//evil.example', '/%2e//evil.example']) {
    expect(safeReturnPath(path)).toBe('/')
  }
})

test('Case 35 the result stays on this origin for any input', () => {
  const pieces = fc.constantFrom('/', '\\', '.', '..', '@', ':', '%2f', '%5c', 'evil.example', '?', '#', ' ', '\t', 'a')
  fc.assert(
    fc.property(fc.array(pieces, { maxLength: 8 }), (parts) => {
      const url = new URL(safeReturnPath(parts.join('')), 'https://dine.example')
      expect(url.origin).toBe('https://dine.example')
    }),
    { numRuns: 20_000 },
  )
})

test('SESS-012 an address contains the page to return to, and none on another site', () => {
  const address = withReturn('/join', '/merchants/x?y=1&z=2#offers')
  expect(returnPathIn(new URL(address, 'https://dine.example').searchParams)).toBe('/merchants/x?y=1&z=2#offers')
  expect(withReturn('/join', '')).toBe('/join')
  expect(returnPathIn(new URLSearchParams('returnTo=//evil.example'))).toBe('')
  expect(returnPathIn(new URLSearchParams())).toBe('')
})

test('SESS-012 a sign-in from a page ends there; from a front page it ends at the account, and a step on the way leads on', () => {
  const pages = {
    '/search?location=10001': '/search?location=10001',
    '/merchants/x': '/merchants/x',
    '/loginhelp': '/loginhelp',
    '/': '',
    '/discover': '',
    '/how-it-works': '',
    '/login': '',
    '/login?returnTo=%2Fearn': '/earn',
    '/join?rfr=1&returnTo=%2Fearn': '/earn',
    '/recover/confirm?returnTo=%2Fearn': '/earn',
    '/error?reason=sso&returnTo=%2F%2Fevil.example': '',
    '/error?reason=sso&returnTo=%2Fearn': '/earn',
    '//evil.example': '',
  }
  const found = Object.keys(pages).map((page) => {
    const [pathname = '', search] = page.split('?')
    return [page, returnPathFrom({ pathname, search: search === undefined ? '' : `?${search}` })]
  })
  expect(Object.fromEntries(found)).toEqual(pages)
  expect(withReturn('/error?reason=sso', '/earn')).toBe('/error?reason=sso&returnTo=%2Fearn')
})
