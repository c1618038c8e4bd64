import { expect, test } from 'vitest'
import { networksOf } from './network.ts'

const names = (address: string) => networksOf(address).map(({ network }) => network)

test('an IPv4 address counts by itself, also when written as IPv6', () => {
  for (const address of ['192.0.2.1', '::ffff:192.0.2.1', '::FFFF:c000:201', '0:0:0:0:0:ffff:192.0.2.1'])
    expect(networksOf(address)).toEqual([{ network: '192.0.2.1', times: 1 }])
})

test('an IPv6 address counts as its /64, and as its /48 with ten times the limit, in any notation', () => {
  const expected = ['2001:db8:1:2::/64', '2001:db8:1::/48']
  for (const address of ['2001:db8:1:2::1', '2001:DB8:0001:0002:ffff:ffff:ffff:ffff', '2001:db8:1:2:3:4:5:6'])
    expect(names(address)).toEqual(expected)
  expect(networksOf('2001:db8:1:2::1').map(({ times }) => times)).toEqual([1, 10])
  expect(names('2001:db8:1:3::1')).toEqual(['2001:db8:1:3::/64', '2001:db8:1::/48'])
  expect(names('2001:db8:2:2::1')[1]).not.toBe(expected[1])
})

test('a value that is not an address counts as its text', () => {
  expect(names('')).toEqual([''])
  expect(names('unix')).toEqual(['unix'])
})
