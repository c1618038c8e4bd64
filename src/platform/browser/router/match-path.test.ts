import { expect, test } from 'vitest'
import { matchPath } from './match-path.ts'

const routes = ['/', '/earn', '/earn/*', '/merchants/:merchantId', '/merchants/:merchantId/order-online', '/a.b'].map(
  (path) => ({ path }),
)
const matched = (pathname: string) => {
  const match = matchPath(routes, pathname)
  return match && [match.route.path, match.params]
}

test('a path matches part by part, and the first route wins', () => {
  expect(matched('/')).toEqual(['/', {}])
  expect(matched('/earn')).toEqual(['/earn', {}])
  expect(matched('/earn/')).toEqual(['/earn', {}])
  expect(matched('/earn/offers/summer')).toEqual(['/earn/*', {}])
  expect(matched('/merchants/kumo/order-online')).toEqual([
    '/merchants/:merchantId/order-online',
    { merchantId: 'kumo' },
  ])
})

test('other paths match no route', () => {
  for (const path of ['/Earn', '/earning', '/merchants', '/merchants/', '/merchants/kumo/menu', '/axb', '//']) {
    expect([path, matched(path)]).toEqual([path, null])
  }
})

test('named parts are decoded, unless they are not an encoding', () => {
  expect(matched('/merchants/caf%C3%A9%2Fbar')?.[1]).toEqual({ merchantId: 'café/bar' })
  expect(matched('/merchants/100%')?.[1]).toEqual({ merchantId: '100%' })
})
