import { expect, test } from 'vitest'
import {
  compareVersions,
  type InstallFacts,
  installBannerOf,
  installCooldownMs,
  isBypassed,
  isCacheablePage,
  isIosSafari,
  nativeAppOf,
  needsUpdate,
} from './rules.ts'

const day = 24 * 60 * 60 * 1000

test('PWA-007 CONST-020 versions are compared number by number', () => {
  const older: [string, string][] = [
    ['1.9.0', '1.10.0'],
    ['1.9.9', '2.0.0'],
    ['0.0.0', '0.0.1'],
    ['2.0.0', '10.0.0'],
  ]
  for (const [a, b] of older) {
    expect([a, b, Math.sign(compareVersions(a, b)), Math.sign(compareVersions(b, a))]).toEqual([a, b, -1, 1])
  }
  expect(compareVersions('3.1.0', '3.1.0')).toBe(0)
  const app = (version: string) => ({ version, platform: 'ios' as const })
  expect(needsUpdate(app('1.9.0'), '1.10.0')).toBe(true)
  expect(needsUpdate(app('1.10.0'), '1.10.0')).toBe(false)
  expect(needsUpdate(app('0.0.0'), undefined)).toBe(false)
  expect(needsUpdate(null, '9.0.0')).toBe(false)
})

test('SHELL-018 PWA-010 the native app is recognized by its user agent', () => {
  expect(nativeAppOf('Mozilla/5.0 (iPhone) AppleWebKit DinebackApp/2.1.0 (ios)')).toEqual({
    version: '2.1.0',
    platform: 'ios',
  })
  expect(nativeAppOf('Mozilla/5.0 (Linux; Android 16) DinebackApp/0.0.0 (android)')).toEqual({
    version: '0.0.0',
    platform: 'android',
  })
  expect(nativeAppOf('Mozilla/5.0 (iPhone) Safari/604.1')).toBeNull()
  expect(nativeAppOf('DinebackApp/2 (ios)')).toBeNull()
})

const facts: InstallFacts = {
  enabled: true,
  isStandalone: false,
  isNativeApp: false,
  hasPrompt: true,
  isIosSafari: false,
  laterAt: null,
  now: 1_000 * day,
}

test('PWA-001 PWA-002 PWA-003 PWA-004 PWA-005 PWA-006 CONST-013 when and how the install banner is shown', () => {
  expect(installBannerOf(facts)).toBe('prompt')
  expect(installBannerOf({ ...facts, hasPrompt: false, isIosSafari: true })).toBe('ios')
  expect(installBannerOf({ ...facts, hasPrompt: false })).toBeNull()
  expect(installBannerOf({ ...facts, enabled: false })).toBeNull()
  expect(installBannerOf({ ...facts, isStandalone: true })).toBeNull()
  expect(installBannerOf({ ...facts, isNativeApp: true })).toBeNull()
  expect(installCooldownMs).toBe(30 * day)
  expect(installBannerOf({ ...facts, laterAt: facts.now - 29 * day })).toBeNull()
  expect(installBannerOf({ ...facts, laterAt: facts.now - 31 * day })).toBe('prompt')
})

test('PWA-002 Safari on iOS is distinguished from browsers with similar user agents', () => {
  const iphone =
    'Mozilla/5.0 (iPhone; CPU iPhone OS 19_0 like Mac OS X) AppleWebKit/605 Version/19.0 Mobile/15E Safari/604.1'
  const mac = 'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605 Version/19.0 Safari/605.1'
  expect(isIosSafari(iphone, 5)).toBe(true)
  expect(isIosSafari(iphone.replace('Version/19.0', 'CriOS/140.0'), 5)).toBe(false)
  expect(isIosSafari(mac, 0)).toBe(false)
  expect(isIosSafari(mac, 5)).toBe(true)
})

test('ROUTE-028 G-03 PWA-012 which paths the service worker ignores, and which pages it may cache', () => {
  expect(['/Login', '/Login/Callback', '/SignOut', '/api/Member', '/api/cms/pages/home/'].every(isBypassed)).toBe(true)
  expect(['/login', '/', '/apiary', '/merchants/a'].some(isBypassed)).toBe(false)
  expect(['/', '/search', '/merchants/a', '/earn/x'].every(isCacheablePage)).toBe(true)
  expect(['/account/overview', '/join', '/login', '/add_card', '/Login'].some(isCacheablePage)).toBe(false)
})

test('PWA-007 a version of the native app can have several digits in every part', () => {
  expect(nativeAppOf('x DinebackApp/12.345.6789 (android)')).toEqual({ version: '12.345.6789', platform: 'android' })
  expect(nativeAppOf('xDinebackApp/1.2.3 (ios)')).toBeNull()
  const longest = ['12345.1.1', '1.12345.1', '1.1.12345']
  expect(longest.map((version) => nativeAppOf(`DinebackApp/${version} (ios)`)?.version)).toEqual(longest)
  for (const version of ['123456.1.1', '1.123456.1', '1.1.123456'])
    expect(nativeAppOf(`DinebackApp/${version} (ios)`)).toBeNull()
})

test('the banner returns after exactly thirty days, and shows at any time before a first "Maybe later"', () => {
  const facts: InstallFacts = {
    enabled: true,
    isStandalone: false,
    isNativeApp: false,
    hasPrompt: true,
    isIosSafari: false,
    laterAt: null,
    now: 10,
  }
  expect(installBannerOf(facts)).toBe('prompt')
  const after = (ms: number) => installBannerOf({ ...facts, laterAt: 5 * day, now: 5 * day + ms })
  expect([after(installCooldownMs - 1), after(installCooldownMs)]).toEqual([null, 'prompt'])
})

test('a Mac with one touch point is no iPad, and paths are those at the start', () => {
  const mac = 'Mozilla/5.0 (Macintosh) AppleWebKit Safari/605'
  expect([0, 1, 2].map((points) => isIosSafari(mac, points))).toEqual([false, false, true])
  expect([isBypassed('/search/api'), isBypassed('/api/x'), isCacheablePage('/help/account')]).toEqual([
    false,
    true,
    true,
  ])
})
