import { expect, test } from 'vitest'
import { interpolate } from './interpolate.ts'

test('values are inserted as text, including patterns and names', () => {
  const values = { name: "$& $' $` $1 $$", merchant: '{name}' }
  expect(interpolate('Hello {name}, at {merchant}. {unknown} {toString}', values)).toBe(
    "Hello $& $' $` $1 $$, at {name}. {unknown} {toString}",
  )
})
