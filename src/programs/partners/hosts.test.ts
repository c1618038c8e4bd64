import { expect, test } from 'vitest'
import { addressRules, originOf, resolveHost } from './hosts.ts'

const rules = { baseDomain: 'localhost', scheme: 'http' as const, port: 3000, partners: new Set(['skyharbor']) }

test('the host name selects the virtual host', () => {
  expect(resolveHost('localhost:3000', rules)).toEqual({ kind: 'gallery' })
  expect(resolveHost('skyharbor.localhost:3000', rules)).toEqual({ kind: 'partner', partnerId: 'skyharbor' })
  expect(resolveHost('SkyHarbor.localhost:3000', rules)).toEqual({ kind: 'partner', partnerId: 'skyharbor' })
  expect(resolveHost('vault.localhost:3000', rules)).toEqual({ kind: 'vault' })
  expect(resolveHost('id.localhost:3000', rules)).toEqual({ kind: 'id' })
})

test('Case 17 an unlisted host name has no virtual host', () => {
  const names = [
    undefined,
    '',
    'skyharbor.localhost',
    'skyharbor.localhost:3001',
    'unknown.localhost:3000',
    '127.0.0.1:3000',
  ]
  names.push(
    'skyharbor.localhost.evil.example:3000',
    'x.skyharbor.localhost:3000',
    'skyharbor.localhost:3000, evil',
    'skyharborlocalhost:3000',
  )
  for (const name of names) expect([name, resolveHost(name, rules)]).toEqual([name, null])
})

test('a single-partner installation serves the partner under any of its names, and the vault under its own', () => {
  const single = { ...rules, singlePartner: 'skyharbor' }
  expect(resolveHost('localhost:3000', single)).toEqual({ kind: 'partner', partnerId: 'skyharbor' })
  expect(resolveHost('vault.localhost:3000', single)).toEqual({ kind: 'vault' })
})

test('origins omit the default port of their scheme', () => {
  expect(originOf('vault', rules)).toBe('http://vault.localhost:3000')
  expect(originOf(null, { baseDomain: 'dine.example', scheme: 'https', port: null })).toBe('https://dine.example')
  const originAt = (PUBLIC_SCHEME: 'http' | 'https', PUBLIC_PORT: number | undefined) =>
    originOf('beacon', addressRules({ BASE_DOMAIN: 'dine.example', PUBLIC_SCHEME, PUBLIC_PORT, PORT: 3000 }))
  expect([originAt('http', 80), originAt('http', 443), originAt('http', undefined)]).toEqual([
    'http://beacon.dine.example',
    'http://beacon.dine.example:443',
    'http://beacon.dine.example:3000',
  ])
  expect([originAt('https', 443), originAt('https', 80)]).toEqual([
    'https://beacon.dine.example',
    'https://beacon.dine.example:80',
  ])
})
