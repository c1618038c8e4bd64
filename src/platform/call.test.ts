import fc from 'fast-check'
import { expect, expectTypeOf, test } from 'vitest'
import { z } from 'zod'
import {
  type CallInput,
  callUrl,
  defineCall,
  defineSchemas,
  needsCsrf,
  type ReplyOf,
  type SchemasOf,
  toQueryString,
} from './call.ts'

const schemas = defineSchemas({
  summary: 'x',
  params: z.object({ id: z.string() }),
  query: z.object({ page: z.number().default(1) }),
  reply: z.object({ parts: z.array(z.string()) }),
})
const call = defineCall<typeof schemas>()({ id: 'x', method: 'GET', path: '/api/things/:id/parts', access: 'anyone' })

test('a call has the types of its schemas and none of their values', () => {
  expect(Object.keys(call)).toEqual(['id', 'method', 'path', 'access'])
  expectTypeOf<ReplyOf<typeof call>>().toEqualTypeOf<{ parts: string[] }>()
  const given: CallInput<typeof call> = { params: { id: 'a' }, query: {} }
  expectTypeOf(given.query.page).toEqualTypeOf<number | undefined>()
  // @ts-expect-error the call has no body
  expect(given satisfies { body: unknown }).toBe(given)
  // @ts-expect-error a call cannot be joined with the schemas of another call
  defineSchemas({ summary: 'y', reply: z.object({}) }) satisfies SchemasOf<typeof call>
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
  // A call may say otherwise: a GET that discloses personal data, a beacon.
  expect([needsCsrf({ ...call, csrf: true }), needsCsrf({ ...call, method: 'POST', csrf: false })]).toEqual([
    true,
    false,
  ])
})
