import { expect, test } from 'vitest'
import { ApiCallError } from '../../platform/browser/api.ts'
import { pageStatus } from './page-status.ts'

test('a page whose data is unavailable has status 503, every other page the status of its route', () => {
  const away = new ApiCallError(503, { code: 'databaseUnavailable' })
  expect(pageStatus({ statusCode: 500, errors: { merchant: away } })).toBe(503)
  expect(pageStatus({ statusCode: 200, errors: null })).toBe(200)
  expect(pageStatus({ statusCode: 500, errors: { merchant: new Error('a defect') } })).toBe(500)
  expect(pageStatus({ statusCode: 404, errors: { merchant: new ApiCallError(404, {}) } })).toBe(404)
})
