import { expect, test } from 'vitest'
import { interpolate } from './interpolate.ts'

test('what a value holds is text, whatever patterns and names are in it', () => {
  const values = { name: "$& $' $` $1 $$", merchant: '{name}' }
  expect(interpolate('Hello {name}, at {merchant}. {unknown} {toString}', values)).toBe(
    "Hello $& $' $` $1 $$, at {name}. {unknown} {toString}",
  )
})
