import fc from 'fast-check'
import { expect, test } from 'vitest'
import { z } from 'zod'
import { callUrl, defineCall, needsCsrf, toQueryString } from './call.ts'

const call = defineCall({
  id: 'x',
  method: 'GET',
  path: '/api/things/:id/parts',
  access: 'anyone',
  summary: 'x',
  params: z.object({ id: z.string() }),
  reply: z.unknown(),
})

test('SRCH-020 undefined fields are omitted and lists are repeated', () => {
  expect(toQueryString({ a: undefined, b: null, c: [], d: ['x', 'y'], e: 0, f: false })).toBe('d=x&d=y&e=0&f=false')
})

test('parameters are encoded, so no value can change the path', () => {
  fc.assert(
    fc.property(fc.string({ minLength: 1 }), (id) => {
      const path = callUrl(call, { params: { id } })
      expect(path.split('/')).toHaveLength(5)
      expect(path).not.toMatch(/[?#]/)
    }),
  )
})

test('API-002 every mutating call requires the CSRF token unless its caller signs it', () => {
  expect(needsCsrf({ ...call, method: 'POST' })).toBe(true)
  expect(needsCsrf({ ...call, method: 'POST', access: 'machine' })).toBe(false)
  expect(needsCsrf(call)).toBe(false)
})
