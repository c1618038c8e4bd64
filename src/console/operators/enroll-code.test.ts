import { expect, test } from 'vitest'
import { enrollCodeHash, newEnrollCode, newPassword } from './enroll-code.ts'

test('passwords and codes have four groups of five unambiguous characters, and none is like another', () => {
  const made = Array.from({ length: 100 }, () => [newPassword(), newEnrollCode()]).flat()
  for (const each of made) expect(each).toMatch(/^[a-hjkmnp-z2-9]{5}(-[a-hjkmnp-z2-9]{5}){3}$/)
  expect(new Set(made).size).toBe(200)
  // Every character occurs among 4,000.
  expect(new Set(made.join('').replaceAll('-', '')).size).toBe(31)
})

test('a code is the same in upper case, with spaces and without hyphens', () => {
  for (const typed of ['ABCDE-23456', ' abcde 23456 ', 'abcde23456'])
    expect(enrollCodeHash(typed)).toEqual(enrollCodeHash('abcde-23456'))
  expect(enrollCodeHash('abcde-23457')).not.toEqual(enrollCodeHash('abcde-23456'))
})
