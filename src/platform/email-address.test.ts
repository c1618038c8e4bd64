import { expect, test } from 'vitest'
import { emailPattern, toAsciiEmail } from './email-address.ts'

const isValid = (text: string) => emailPattern.test(toAsciiEmail(text))

test('VAL-026 an address may have every character of RFC 5321 before the @, and a domain of any script', () => {
  const good = [
    'a@b.co',
    'ada&babbage@example.com',
    'dept/office=uk@example.com',
    "o'hara+tag@example.com",
    '!#$%*?^_`{|}~-@example.com',
    'ada@bücher.example',
    'ada@例え.jp',
    'ada@xn--bcher-kva.example',
    'ada@example.xn--p1ai',
    `${'a'.repeat(64)}@example.com`,
    `ada@${'a'.repeat(63)}.com`,
  ]
  expect(good.filter((text) => !isValid(text))).toEqual([])
  expect(toAsciiEmail('Ada@Bücher.example')).toBe('Ada@xn--bcher-kva.example')
  const bad = [
    '',
    'ada',
    '@example.com',
    'ada@example',
    'a..b@example.com',
    '.a@example.com',
    'a.@example.com',
    'a b@example.com',
    'a,b@example.com',
    'a<b>@example.com',
    'ada@-example.com',
    'ada@example-.com',
    'ada@example.1',
    'ada@１.２.３.４',
    'ada@bü/cher.example',
    'ada@bü:80.example',
    'ada@bücher.example\n',
    `${'a'.repeat(65)}@example.com`,
    `ada@${'a'.repeat(64)}.com`,
    `ada@${'ü'.repeat(70)}.com`,
    `a@${'abcdefghi.'.repeat(25)}example`,
  ]
  expect(bad.filter(isValid)).toEqual([])
})

test('a long text is checked in linear time', () => {
  const texts = ['a'.repeat(20_000), `${'a.'.repeat(10_000)}@`, `a@${'a.'.repeat(10_000)}`, `a@${'a-'.repeat(10_000)}`]
  expect(texts.filter(isValid)).toEqual([])
})
