import fc from 'fast-check'
import { expect, test } from 'vitest'
import {
  allowsAdTags,
  impressionDelay,
  impressionThreshold,
  isBot,
  isInView,
  marketingCookies,
  marketingOf,
  marketingOfCookies,
  marketingOfVisit,
  marketingTtlMs,
  pageViewDelay,
  pageViewUrl,
  publicIdCookieOf,
  storedPublicId,
} from './rules.ts'

const query = (text: string) => new URLSearchParams(text)

test('TRACK-001 the seven marketing values are read from their URL parameters', () => {
  const all = 'utm_term=a&utm_medium=b&utm_campaign=c&utm_source=d&utm_content=e&referrer=f&source=g'
  expect(marketingOf(query(all))).toEqual({
    utmTerm: 'a',
    utmMedium: 'b',
    utmCampaign: 'c',
    utmSource: 'd',
    utmContent: 'e',
    referrer: 'f',
    source: 'g',
  })
})

test('TRACK-002 a URL with a marketing value deletes the earlier ones; a URL without leaves them', () => {
  const cookies = marketingCookies(query('utm_source=news'))
  expect(cookies).toHaveLength(7)
  expect(cookies.find((cookie) => cookie.startsWith('utm_source='))).toMatch(/^utm_source=news;max-age=172800;/)
  expect(cookies.filter((cookie) => cookie.includes('max-age=0'))).toHaveLength(6)
  expect(marketingCookies(query('location=10001'))).toEqual([])
})

test('TRACK-003 TRACK-004 CONST-021 the marketing cookies last 2880 minutes', () => {
  expect(marketingTtlMs).toBe(2880 * 60_000)
})

test('CONST-013 CONST-016 TRACK-009 SHELL-045 the thresholds of page views and impressions', () => {
  expect([pageViewDelay, impressionDelay, impressionThreshold]).toEqual([500, 150, 0.8])
})

test('Case 46 no URL sets cookies that make requests too large', () => {
  fc.assert(
    fc.property(fc.array(fc.string({ unit: 'binary', maxLength: 4_000 }), { minLength: 7, maxLength: 7 }), (values) => {
      const names = ['utm_term', 'utm_medium', 'utm_campaign', 'utm_source', 'utm_content', 'referrer', 'source']
      const search = new URLSearchParams(names.map((name, index) => [name, values[index] ?? '']))
      const sent = marketingCookies(search)
        .filter((cookie) => !cookie.includes('max-age=0'))
        .map((cookie) => cookie.split(';')[0] ?? '')
        .join('; ')
      expect(sent.length).toBeLessThan(2_500)
      expect(marketingOfCookies(sent)).toEqual(
        Object.fromEntries(Object.entries(marketingOf(search)).filter(([, value]) => value !== '')),
      )
    }),
  )
})

test('TRACK-013 a public id is stored when it has the right form', () => {
  const id = 'A'.repeat(22)
  expect(publicIdCookieOf(query(`publicId=${id}`))).toMatch(new RegExp(`^public_id=${id};max-age=172800;`))
  expect(publicIdCookieOf(query('publicId=short'))).toBeNull()
  expect(publicIdCookieOf(query(`publicId=${encodeURIComponent(`${id};x`)}`))).toBeNull()
  expect(storedPublicId(`a=b; public_id=${id}`)).toBe(id)
  expect(storedPublicId('public_id=x')).toBeNull()
})

test('bots that identify themselves are not counted, and pages with cards or passwords have no ad tags', () => {
  expect(isBot('Mozilla/5.0 (compatible; Googlebot/2.1)')).toBe(true)
  expect(isBot('Mozilla/5.0 (iPhone; CPU iPhone OS 19_0 like Mac OS X) Safari/604.1')).toBe(false)
  expect(['/', '/search', '/merchants/a'].every(allowsAdTags)).toBe(true)
  const personal = [
    '/join',
    '/login',
    '/add_card',
    '/card_added',
    '/account',
    '/recover',
    '/fix_credentials',
    '/activate',
  ]
  expect(personal.flatMap((path) => [path, `${path}/below`]).filter(allowsAdTags)).toEqual([])
  expect(['/joined', '/help/account'].every(allowsAdTags)).toBe(true)
})

test('a page view is the path, with the reason of an invitation and nothing else', () => {
  const url = (pathname: string, search: string) => pageViewUrl({ pathname, search })
  expect([url('/join', '?rfr=0'), url('/login', '?rfr=4&email=a')]).toEqual(['/join?rfr=0', '/login?rfr=4'])
  expect([
    url('/join', '?rfr=5'),
    url('/join', '?rfr=10'),
    url('/join', '?rfr=x1'),
    url('/join', ''),
    url('/search', '?rfr=1'),
  ]).toEqual(['/join', '/join', '/join', '/join', '/search'])
})

test('a value is cut after a hundred characters or three hundred bytes, and unreadable cookies are left out', () => {
  const cutOf = (value: string) => marketingOf(query(`source=${encodeURIComponent(value)}`)).source
  expect(cutOf('a'.repeat(101))).toBe('a'.repeat(100))
  // Each of these takes six bytes as encoded: fifty are exactly three hundred.
  expect(cutOf('é'.repeat(51))).toBe('é'.repeat(50))
  expect(marketingOfCookies(`source=${encodeURIComponent(`${'b'.repeat(99)}🍕🍕`)}`).source).toBe(`${'b'.repeat(99)}🍕`)
  expect(marketingOfCookies('other=1; utm_term=%E0%A4; source=x')).toEqual({ source: 'x' })
  expect(marketingOfCookies(`source=${'b'.repeat(101)}`)).toEqual({ source: 'b'.repeat(100) })
})

test('a visit has the marketing values of its address, else those of an earlier page', () => {
  const cookies = 'utm_source=letter; source=x'
  expect(marketingOfVisit(new URLSearchParams('utm_term=dine'), cookies)).toEqual({ utmTerm: 'dine' })
  expect(marketingOfVisit(new URLSearchParams('q=1'), cookies)).toEqual({ utmSource: 'letter', source: 'x' })
})

test('TRACK-009 an element is in view from four fifths on, by the last of the entries of a callback', () => {
  const entries = (...ratios: number[]) => ratios.map((intersectionRatio) => ({ intersectionRatio }))
  expect([entries(0.8), entries(0.79), entries()].map(isInView)).toEqual([true, false, false])
  expect([entries(1, 0), entries(0, 1)].map(isInView)).toEqual([false, true])
})
