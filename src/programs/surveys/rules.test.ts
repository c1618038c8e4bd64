import { expect, test } from 'vitest'
import { collections } from '../content/collections.ts'
import {
  closesAfter,
  defaultCookieTimeout,
  formAddress,
  matchesPath,
  panelHeight,
  type Survey,
  surveysFor,
  toSurvey,
} from './rules.ts'

const day = 24 * 60 * 60 * 1000
const now = 1_000 * day
const survey: Survey = { id: 'a', text: 'A', delay: 0, cookieTimeout: 90, allowed: [], disallowed: [] }
const shows = (over: Partial<Survey>, pathname = '/search', closed: number | null = null) =>
  surveysFor([{ ...survey, ...over }], { pathname, now, closedAt: () => closed }).length === 1

test('SURV-013 a survey has the values of its content, else the defaults', () => {
  const fields = collections.surveys.entries['*']
  const lists = { url_allow_list: [{ url_allowed: '/a' }], url_disallow_list: [{ url_disallowed: '/b' }] }
  expect(toSurvey(fields.parse({ id: 'x', text: 'Hello', ...lists }))).toEqual({
    id: 'x',
    text: 'Hello',
    delay: 0,
    cookieTimeout: 90,
    allowed: ['/a'],
    disallowed: ['/b'],
  })
  expect(toSurvey(fields.parse({ id: 'x', text: 'Hello', delay_timeout: 5, cookie_timeout: 30 }))).toMatchObject({
    delay: 5,
    cookieTimeout: 30,
  })
  expect(fields.safeParse({ text: 'no id' }).success).toBe(false)
})

test('SURV-004 SURV-012 CONST-012 four seconds until a submitted form closes, ninety days hidden, 450 pixels high', () => {
  expect([closesAfter, defaultCookieTimeout, panelHeight]).toEqual([4_000, 90, 450])
})

test('SURV-005 a closed survey stays hidden for its time', () => {
  expect(shows({}, '/search', now - 89 * day)).toBe(false)
  expect(shows({}, '/search', now - 91 * day)).toBe(true)
  expect(shows({ cookieTimeout: 30 }, '/search', now - 31 * day)).toBe(true)
})

test('SURV-006 SURV-007 an allow list includes pages, a disallow list excludes pages and takes precedence', () => {
  expect(shows({ allowed: ['/merchants/*'] }, '/merchants/hoshi')).toBe(true)
  expect(shows({ allowed: ['/merchants/*'] }, '/search')).toBe(false)
  expect(shows({ disallowed: ['/search'] }, '/search')).toBe(false)
  expect(shows({ allowed: ['/account/*'], disallowed: ['/account/manage_cards'] }, '/account/manage_cards')).toBe(false)
  expect(shows({ allowed: ['/account/*'], disallowed: ['/account/manage_cards'] }, '/account/overview')).toBe(true)
})

test('no survey is shown on pages where a task is in progress', () => {
  for (const path of ['/join', '/login', '/add_card', '/card_added', '/surveys/success'])
    expect(shows({}, path)).toBe(false)
})

test('SURV-006 a pattern matches the start of a path, and * matches anything', () => {
  expect(matchesPath('/merchants/hoshi/menu', '/merchants')).toBe(true)
  expect(matchesPath('/merchants/hoshi/menu', '/*/menu')).toBe(true)
  expect(matchesPath('/merchants/hoshi', '/*/menu')).toBe(false)
  expect(matchesPath('/search', '/merchants')).toBe(false)
})

test('SURV-009 the URL of the form contains the page of the survey', () => {
  const facts = { serviceCode: 'skyharbor', survey, campaign: undefined, pathname: '/search', publicId: 'p' }
  const address = new URL(formAddress('https://forms.example', facts))
  expect(address.pathname).toBe('/forms/skyharbor/a')
  expect(Object.fromEntries(address.searchParams)).toMatchObject({
    utm_campaign: 'a',
    utm_medium: 'web',
    utm_source: '/search',
    public_id: 'p',
    partner_code: 'skyharbor',
  })
  const invited = { ...facts, campaign: 'autumn', publicId: undefined }
  const { searchParams } = new URL(formAddress('https://forms.example', invited))
  expect([searchParams.get('utm_campaign'), searchParams.has('public_id')]).toEqual(['autumn', false])
})

test('SURV-005 a closed survey returns after its last millisecond, and one of several allowed pages is enough', () => {
  const timeout = 2 * day
  expect([
    shows({ cookieTimeout: 2 }, '/search', now - timeout + 1),
    shows({ cookieTimeout: 2 }, '/search', now - timeout),
  ]).toEqual([false, true])
  expect(shows({ cookieTimeout: 2000 })).toBe(true)
  expect([shows({ allowed: ['/earn', '/search'] }), shows({ allowed: ['/earn', '/help'] })]).toEqual([true, false])
})

test('SURV-006 each piece of a pattern follows the one before', () => {
  expect([matchesPath('/a/b/a', '/a/*/a'), matchesPath('/a/b', '/a*/a'), matchesPath('/ab', '/a*a')]).toEqual([
    true,
    false,
    false,
  ])
  expect([matchesPath('/x', '*x'), matchesPath('/x', '*/x'), matchesPath('/x', '')]).toEqual([true, true, true])
})
