import { expect, test } from 'vitest'
import { nativeAppOf } from '../programs/pwa/rules.ts'
import { nativeCookieOf } from './rules.ts'

test('the cookie of the simulated native app holds a user agent that the app recognizes, and no platform deletes it', () => {
  const [, value = '', rest] = /^native_app=([^;]+);(.*)$/.exec(nativeCookieOf('ios', '2.1.0')) ?? []
  expect([nativeAppOf(decodeURIComponent(value)), rest]).toEqual([
    { platform: 'ios', version: '2.1.0' },
    'path=/;samesite=lax',
  ])
  expect(nativeCookieOf('', '2.1.0')).toBe('native_app=;max-age=0;path=/;samesite=lax')
})
