import { connect } from 'node:net'
import { expect, test } from 'vitest'
import { isDatabaseUnavailable } from './database-unavailable.ts'

const coded = (code: string) => Object.assign(new Error('failed'), { code })

test('errors of a server that is stopped, starting or full, of a lock that others hold too long, and a rejected password count as unavailable', () => {
  for (const code of [
    'ECONNREFUSED',
    'ECONNRESET',
    '57P01',
    '57P02',
    '57P03',
    '08006',
    '53300',
    '28P01',
    '55P03',
    'databaseUnavailable',
  ]) {
    expect([code, isDatabaseUnavailable(coded(code))]).toEqual([code, true])
  }
  for (const message of ['Connection terminated unexpectedly', 'timeout exceeded when trying to connect']) {
    expect([message, isDatabaseUnavailable(new Error(message))]).toEqual([message, true])
  }
  expect(isDatabaseUnavailable(new Error('query failed', { cause: coded('57P01') }))).toBe(true)
})

test('a socket of a server that is not there yet counts as unavailable, a missing file does not', async () => {
  const error = await new Promise((resolve) => connect('/no/such/socket').on('error', resolve))
  expect(error).toMatchObject({ code: 'ENOENT' })
  expect(isDatabaseUnavailable(error)).toBe(true)
  expect(
    isDatabaseUnavailable(Object.assign(new Error('connect EAGAIN'), { code: 'EAGAIN', syscall: 'connect' })),
  ).toBe(true)
  expect(isDatabaseUnavailable(Object.assign(new Error('open'), { code: 'ENOENT', syscall: 'open' }))).toBe(false)
})

test('query errors, code errors and empty errors do not', () => {
  for (const code of ['23505', '40001', '57014', '42501', 'FST_ERR_VALIDATION']) {
    expect([code, isDatabaseUnavailable(coded(code))]).toEqual([code, false])
  }
  const ownCause = new Error('its own cause')
  ownCause.cause = ownCause
  for (const error of [new Error('a defect'), ownCause, undefined, null, 'text'])
    expect(isDatabaseUnavailable(error)).toBe(false)
})
