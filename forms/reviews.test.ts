import { expect, test } from 'vitest'
import { isFinalStatus } from './reviews.ts'

test('a review is delivered again unless it was accepted, its transaction is unknown, or it was reviewed before', () => {
  for (const status of [200, 204, 299, 404, 409]) expect([status, isFinalStatus(status)]).toEqual([status, true])
  for (const status of [199, 302, 400, 401, 403, 408, 429, 500, 502, 503])
    expect([status, isFinalStatus(status)]).toEqual([status, false])
})
