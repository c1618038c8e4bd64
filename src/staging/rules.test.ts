import { expect, test } from 'vitest'
import { nativeAppOf } from '../programs/pwa/rules.ts'
import { type Fault, faultCookieOf, faultOf, nativeCookieOf } from './rules.ts'

test('the cookie of the simulated native app holds a user agent that the app recognizes, and no platform deletes it', () => {
  const [, value = '', rest] = /^native_app=([^;]+);(.*)$/.exec(nativeCookieOf('ios', '2.1.0')) ?? []
  expect([nativeAppOf(decodeURIComponent(value)), rest]).toEqual([
    { platform: 'ios', version: '2.1.0' },
    'path=/;samesite=lax',
  ])
  expect(nativeCookieOf('', '2.1.0')).toBe('native_app=;max-age=0;path=/;samesite=lax')
})

test('the cookie of a fault concerns the calls and files that begin so, and neither pages nor the tools', () => {
  const cookieOf = (fault: Fault, prefix: string) =>
    decodeURIComponent(/^staging_fault=([^;]+);/.exec(faultCookieOf(fault, prefix))?.[1] ?? '')
  const all = cookieOf('500', '/')
  expect(['/api/CSRF', '/assets/a.js', '/api/staging/flags', '/search', '/'].map((path) => faultOf(all, path))).toEqual(
    ['500', '500', null, null, null],
  )
  const one = cookieOf('none', '/api/SignIn')
  expect(['/api/SignIn', '/api/SignIn?x=1', '/api/CSRF'].map((path) => faultOf(one, path))).toEqual([
    'none',
    'none',
    null,
  ])
  for (const wrong of ['600 /api/', '500', '500 ', '']) expect(faultOf(wrong, '/api/CSRF')).toBeNull()
  expect(faultCookieOf('', '/api/')).toBe('staging_fault=;max-age=0;path=/;samesite=lax')
})
