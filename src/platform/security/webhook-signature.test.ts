import type { FastifyRequest } from 'fastify'
import { expect, test } from 'vitest'
import { findSignatureError, signatureHeaders, signatureWindow } from './webhook-signature.ts'

const now = Date.parse('2026-03-10T12:00:00Z')
const body = Buffer.from('{"id":1}')
const url = 'https://dining.example.com/api/feed?a=1'
const signedAt = (time: number, key = 'key') => signatureHeaders(key, { body, url }, time)

/** Returns the error in a request with headers, of which either of two keys is accepted. */
const errorOf = (headers: Record<string, unknown>, { path = '/api/feed?a=1', sent = body } = {}) =>
  findSignatureError({ headers, url: path, ctx: { partnerId: 'beacon' } } as unknown as FastifyRequest, sent, {
    keys: () => ['earlier key', 'key'],
    origin: () => 'https://dining.example.com',
    clock: () => now,
  })

test('a message signed with any accepted key is valid for five minutes, in either direction of the clocks', () => {
  for (const key of ['earlier key', 'key']) {
    expect([0, signatureWindow, -signatureWindow].map((late) => errorOf(signedAt(now - late, key)))).toEqual([
      null,
      null,
      null,
    ])
    expect([signatureWindow + 1, -signatureWindow - 1].map((late) => errorOf(signedAt(now - late, key)))).toEqual([
      'staleTimestamp',
      'staleTimestamp',
    ])
  }
  expect(errorOf(signedAt(now, 'other key'))).toBe('badSignature')
  expect(errorOf(signedAt(now - signatureWindow - 1, 'other key'))).toBe('badSignature')
})

test('a signature covers the body and the address, and both headers are required', () => {
  const headers = signedAt(now)
  const { 'x-dineback-signature': signature, 'x-dineback-timestamp': timestamp } = headers
  expect([errorOf(headers, { path: '/api/feed' }), errorOf(headers, { sent: Buffer.from('{}') })]).toEqual([
    'badSignature',
    'badSignature',
  ])
  expect(errorOf({ 'x-fidel-signature': signature, 'x-fidel-timestamp': timestamp })).toBeNull()
  expect([
    errorOf({ 'x-dineback-signature': signature }),
    errorOf({ 'x-dineback-timestamp': timestamp }),
    errorOf({ ...headers, 'x-dineback-signature': [signature, signature] }),
    errorOf({ ...headers, 'x-dineback-signature': signature.slice(1) }),
  ]).toEqual(['badSignature', 'badSignature', 'badSignature', 'badSignature'])
})
