import { expect, test } from 'vitest'
import { pageStatus } from './page-status.ts'

test('a page whose data is unavailable has status 503, one without content 404, and any other failure 500', () => {
  expect(pageStatus(null)).toBe(200)
  expect(pageStatus({ status: 503, reference: '' })).toBe(503)
  expect(pageStatus({ status: 404, reference: '' })).toBe(404)
  for (const status of [0, 401, 500, 502]) expect(pageStatus({ status, reference: '' })).toBe(500)
})
