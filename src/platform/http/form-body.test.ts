import { expect, test, vi } from 'vitest'
import { flatQuery, readFormBody } from './form-body.ts'

const fields = (count: number) => Array.from({ length: count }, (_, index) => `f${index}=`).join('&')

test('a form has ten thousand fields at most, and only text that can be stored', () => {
  expect(readFormBody(fields(10_000)).size).toBe(10_000)
  expect(() => readFormBody(fields(10_001))).toThrow(expect.objectContaining({ statusCode: 413 }))
  for (const text of ['name=a%00b', 'a%00b=value'])
    expect(() => readFormBody(text)).toThrow(expect.objectContaining({ statusCode: 400 }))
  expect([...readFormBody('a=1&a=2&b=%C3%A9')]).toEqual([
    ['a', '1'],
    ['a', '2'],
    ['b', 'é'],
  ])
})

test('a form of too many separators is refused before it is parsed, which would take seconds', () => {
  const parse = vi.spyOn(globalThis, 'URLSearchParams')
  expect(() => readFormBody('a&'.repeat(500_000))).toThrow(expect.objectContaining({ statusCode: 413 }))
  expect(parse).not.toHaveBeenCalled()
})

test('of a repeated name in a query the last value counts, and no name is inherited', () => {
  const query = flatQuery('a=1&a=2&__proto__=3')
  expect([query.a, Object.keys(query), query.constructor]).toEqual(['2', ['a', '__proto__'], undefined])
})
