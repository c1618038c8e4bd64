import { expect, test } from 'vitest'
import { verifyProblems } from './rules.ts'

test('a code is required unless a new one is requested', () => {
  const missing = [{ field: 'code', message: 'verification.code_missing' }]
  expect(verifyProblems({ code: '', again: false })).toEqual(missing)
  expect(verifyProblems({ code: '', again: true })).toEqual([])
  expect(verifyProblems({ code: '7K3MD-0QX9T', again: false })).toEqual([])
})
