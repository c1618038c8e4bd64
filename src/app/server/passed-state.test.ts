import type { FastifyReply, FastifyRequest } from 'fastify'
import { expect, test } from 'vitest'
import { MINUTE } from '../../platform/time.ts'
import type { NextPage } from '../../programs/partners/page-post.ts'
import { readPassed, sendPassed } from './passed-state.ts'

/** Returns the cookies that a response sets (null: deletes) after a request with cookies. */
function cookiesOf(next: NextPage, scheme: 'http' | 'https', cookies: Record<string, string> = {}) {
  const sent: Record<string, [string | null, { maxAge?: number; secure?: boolean }]> = {}
  const reply = {
    request: { cookies },
    setCookie: (name: string, value: string, options: object) => Object.assign(sent, { [name]: [value, options] }),
    clearCookie: (name: string, options: object) => Object.assign(sent, { [name]: [null, options] }),
  }
  sendPassed(reply as unknown as FastifyReply, next, { scheme })
  return sent
}

const read = (url: string, cookies: Record<string, string | undefined>, scheme: 'http' | 'https' = 'https') =>
  readPassed({ url, cookies } as FastifyRequest, { scheme })

test('what a page passes reaches the page that it leads to, whatever its query, and no other', () => {
  const { '__Host-passed': [value, options] = [null, {}] } = cookiesOf({ to: '/join?rfr=2', state: { a: 1 } }, 'https')
  expect(options).toEqual({ path: '/', httpOnly: true, secure: true, sameSite: 'lax', maxAge: (30 * MINUTE) / 1000 })
  const cookies = { '__Host-passed': value as string }
  expect([read('/join', cookies), read('/join?x=1', cookies), read('/login', cookies)]).toEqual([
    { a: 1 },
    { a: 1 },
    undefined,
  ])
  expect([read('/join', cookies, 'http'), read('/join', {})]).toEqual([undefined, undefined])
  expect(Object.keys(cookiesOf({ to: '/join', state: {} }, 'http'))).toEqual(['passed'])
})

test('a page that passes nothing removes what an earlier one has passed', () => {
  expect(cookiesOf({ to: '/join' }, 'https')).toEqual({})
  const { '__Host-passed': [value] = ['unchanged'] } = cookiesOf({ to: '/join' }, 'https', { '__Host-passed': 'x' })
  expect(value).toBeNull()
})

test('a cookie that no page has sent passes nothing', () => {
  const encode = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url')
  for (const value of [
    'x',
    encode(null),
    encode({ paths: ['/join'], state: null }),
    encode({ paths: ['/join'], state: 'text' }),
    encode({ paths: ['/join'], state: { long: 'x'.repeat(2_000) } }),
  ])
    expect([value.slice(0, 20), read('/join', { '__Host-passed': value })]).toEqual([value.slice(0, 20), undefined])
})
