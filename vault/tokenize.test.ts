import { expect, test } from 'vitest'
import { checkHolder } from './tokenize.ts'

test('a sealed card and its intent may be used until the moment they end, by their holder only', () => {
  const now = new Date('2026-03-10T12:00:00Z')
  const holder = { tenant: 'skyharbor', holder: 'ada' }
  const sealed = { ...holder, exp: now.getTime() / 1000 }
  const intent = { ...holder, expiresAt: now }
  const check = (over: { sealed?: object; intent?: object; request?: object } = {}) =>
    checkHolder(
      { ...sealed, ...over.sealed } as never,
      { ...intent, ...over.intent } as never,
      { ...holder, ...over.request },
      now,
    )
  expect(check()).toBeNull()
  expect(check({ sealed: { exp: sealed.exp - 1 } })).toBe('INTENT_EXPIRED')
  expect(check({ intent: { expiresAt: new Date(now.getTime() - 1) } })).toBe('INTENT_EXPIRED')
  expect(checkHolder(sealed as never, undefined, holder, now)).toBe('INTENT_EXPIRED')
  for (const other of [{ tenant: 'beacon' }, { holder: 'bob' }]) {
    expect(check({ sealed: other })).toBe('WRONG_HOLDER')
    expect(check({ intent: other })).toBe('WRONG_HOLDER')
    expect(check({ request: other })).toBe('WRONG_HOLDER')
  }
})
