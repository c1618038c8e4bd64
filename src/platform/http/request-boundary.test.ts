import { expect, test } from 'vitest'
import { statusOf } from './request-boundary.ts'

test('an error has its own status if it is one of errors, else 500', () => {
  const of = (error: object, complete = true) => statusOf(error, { raw: { complete } } as never)
  expect([399, 400, 404, 599, 600].map((statusCode) => of({ statusCode }))).toEqual([500, 400, 404, 599, 500])
  expect(of({})).toBe(500)
  const timeout = { code: 'FST_ERR_HANDLER_TIMEOUT', statusCode: 503 }
  expect([of(timeout, false), of(timeout)]).toEqual([408, 503])
  expect(of({ code: 'ECONNREFUSED' })).toBe(503)
})
