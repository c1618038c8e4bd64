import { expect, test } from 'vitest'
import { createPageSecurity, type PageSecurityDeps } from './page-security.ts'

const deps: PageSecurityDeps = {
  web: { scripts: () => ({ entry: '/assets/entry.js' }) },
  vaultOrigin: 'https://vault.example',
  formsOrigin: 'https://forms.example',
  consoleOrigin: 'https://console.example',
  development: false,
  adTagUrl: null,
  mapTiles: null,
  botCheck: { kind: 'altcha' },
  cardProvider: { script: 'https://vault.example/provider.js', key: 'pk' },
}

const policyOf = (changes: Partial<PageSecurityDeps> = {}) =>
  createPageSecurity({ ...deps, ...changes }).headers('', { isOperator: false })['content-security-policy']

test('pages require Trusted Types, except where scripts of others may write HTML', () => {
  expect(policyOf()).toContain("require-trusted-types-for 'script'; trusted-types default sanitized")
  const recaptcha = { kind: 'recaptcha', siteKey: 'k', script: 'https://bots.example/api.js' } as const
  for (const changes of [{ botCheck: recaptcha }, { adTagUrl: 'https://ads.example/a.js' }, { development: true }])
    expect(policyOf(changes)).not.toContain('trusted-types')
})

test('the default policy allows scripts of the own origin and of the card provider only', () => {
  const { loader } = createPageSecurity(deps)
  type Rules = { createScriptURL(url: string): string | null; createHTML(html: string): string | null }
  let rules = null as Rules | null
  const trustedTypes = { createPolicy: (_name: string, given: Rules) => (rules = given) }
  const self = {
    trustedTypes,
    document: { createElement: () => ({}), currentScript: { after() {} } },
    location: new URL('https://program.example/search'),
    addEventListener() {},
    setTimeout() {},
  }
  new Function('self', ...Object.keys(self), loader)(self, ...Object.values(self))
  const allowed = (url: string) => rules?.createScriptURL(url) !== null
  expect(['/assets/a.js', 'https://vault.example/provider.js'].map(allowed)).toEqual([true, true])
  expect(['https://evil.example/a.js', '//evil.example/a.js', 'data:,x', 'blob:null/x'].map(allowed)).toEqual(
    Array(4).fill(false),
  )
  expect(rules?.createHTML('<script></script>')).toBe('<script></script>')
  expect(rules?.createHTML('<img src=x onerror=alert(1)>')).toBeNull()
})
