import { expect, test } from 'vitest'
import { modeOf, nativeAppOf } from './page-boot.ts'

const requestOf = (userAgent: string, cookies: Record<string, string> = {}) =>
  ({ headers: { 'user-agent': userAgent }, cookies }) as unknown as Parameters<typeof nativeAppOf>[1]

test('the cookie of the staging tools means the native app only where these tools are', () => {
  const [ios, android] = ['DinebackApp/2.0.1 (ios)', 'DinebackApp/1.9.0 (android)']
  const platforms = (stagingTools: boolean) =>
    [requestOf(ios), requestOf(ios, { native_app: android }), requestOf('Mozilla/5.0', { native_app: android })].map(
      (request) => nativeAppOf({ stagingTools }, request)?.platform ?? null,
    )
  expect(platforms(true)).toEqual(['ios', 'android', 'android'])
  expect(platforms(false)).toEqual(['ios', 'ios', null])
})

test('a page has the mode that the browser chose, or none', () => {
  expect(['dark', 'light', 'blue', ''].map((mode) => modeOf(requestOf('', { mode })))).toEqual([
    'dark',
    'light',
    null,
    null,
  ])
})
