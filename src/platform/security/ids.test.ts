import { expect, test } from 'vitest'
import { publicId } from './ids.ts'

test('a public id is never taken for the option of a command or a formula, and no two are alike', () => {
  const ids = Array.from({ length: 5_000 }, publicId)
  for (const id of ids) expect(id).toMatch(/^\w[\w-]{21}$/)
  expect(new Set(ids).size).toBe(ids.length)
})
