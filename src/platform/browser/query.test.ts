import { expect, expectTypeOf, test } from 'vitest'
import { z } from 'zod'
import { defineCall, defineSchemas, type ReadCall, type WriteCall } from '../call.ts'
import type { Api } from './api.ts'
import { apiQuery, type FetchRead, type useApi, useApiQuery } from './query.ts'
import type { SendWrite } from './write-api.ts'

const schemas = defineSchemas({ summary: 'x', reply: z.string() })
const define = defineCall<typeof schemas>()
const rest = { path: '/api/things', access: 'anyone' } as const
const read = define({ id: 'read', method: 'GET', ...rest })
/** A read call although its method is not GET. */
const readByBody = define({ id: 'readByBody', method: 'POST', readOnly: true, ...rest })
const write = define({ id: 'write', method: 'POST', ...rest })
/** A beacon needs no CSRF token, and writes nevertheless. */
const beacon = define({ id: 'beacon', method: 'POST', csrf: false, ...rest })

test('only a read call can be a query, and only a write call a mutation', () => {
  const api: Api = { call: async (call) => call.id as never }
  expect(apiQuery(api, read, {}).key).toEqual(['read', {}])
  expectTypeOf(read).toExtend<ReadCall>()
  expectTypeOf(readByBody).toExtend<ReadCall>()
  expectTypeOf(write).toExtend<WriteCall>()
  // @ts-expect-error a query runs again when the window gets the focus
  apiQuery(api, write, {})
  // @ts-expect-error a call without CSRF token may write
  apiQuery(api, beacon, {})
  // @ts-expect-error the hook has the same limits
  expectTypeOf(useApiQuery<typeof write>).toBeFunction()
  // @ts-expect-error so has the function that sends one now
  expectTypeOf<FetchRead>().toBeCallableWith(write, {})
  expectTypeOf<FetchRead>().toBeCallableWith(readByBody, {})
  // @ts-expect-error and the client that pages and components get
  expectTypeOf<ReturnType<typeof useApi>['call']>().toBeCallableWith(write, {})
  expectTypeOf<SendWrite>().toBeCallableWith(write, {})
  // @ts-expect-error a read call is a query
  expectTypeOf<SendWrite>().toBeCallableWith(read, {})
  // @ts-expect-error so is one with a body
  expectTypeOf<SendWrite>().toBeCallableWith(readByBody, {})
})
