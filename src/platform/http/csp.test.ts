import { expect, test } from 'vitest'
import { createNonce, csp, hashSource, imagePolicy, NONE, nonceSource, SELF } from './csp.ts'

test('a policy has its directives in the given order, each with its sources', () => {
  const policy = csp({
    'default-src': NONE,
    'script-src': [nonceSource('abc'), "'strict-dynamic'"],
    'img-src': [SELF, 'data:', 'https://tiles.example'],
    'frame-ancestors': 'https://console.example',
  })
  expect(policy).toBe(
    "default-src 'none'; script-src 'nonce-abc' 'strict-dynamic'; img-src 'self' data: https://tiles.example; frame-ancestors https://console.example",
  )
  expect(csp({ 'default-src': NONE, sandbox: true })).toBe("default-src 'none'; sandbox")
  expect(imagePolicy).toBe("default-src 'none'; style-src 'unsafe-inline'")
})

test('a directive without a value is omitted, and one with an empty list allows nothing', () => {
  expect(csp({ 'default-src': SELF, 'frame-src': [], 'form-action': undefined })).toBe(
    "default-src 'self'; frame-src 'none'",
  )
})

test('a source that would end its directive or contradict itself is rejected', () => {
  const wrong = ["x; script-src 'unsafe-inline'", 'x, y', 'a b', 'x\r\nset-cookie: y', '']
  for (const source of wrong) {
    expect(() => csp({ 'default-src': NONE, 'frame-src': ['https://vault.example', source] })).toThrow(RangeError)
  }
  expect(() => csp({ 'default-src': NONE, 'frame-src': [NONE, SELF] })).toThrow(RangeError)
})

test('each nonce is new and has 128 bits', () => {
  const nonces = Array.from({ length: 100 }, createNonce)
  expect(new Set(nonces).size).toBe(100)
  for (const nonce of nonces) expect(Buffer.from(nonce, 'base64')).toHaveLength(16)
})

test('a hash source names the text of an inline script', () => {
  expect(hashSource('alert(1)')).toBe("'sha256-bhHHL3z2vDgxUt0W3dWQOrprscmda2Y5pLsLg4GF+pI='")
})
