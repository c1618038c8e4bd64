import { expect, test } from 'vitest'
import { mergeEdits } from './use-edited-list.ts'

const merge = (seen: string, edited: string, current: string) => {
  const lists = { seen: [...seen], edited: [...edited], current: [...current] }
  return mergeEdits(lists, (item) => item.toUpperCase()).join('')
}

test('what others have added and removed is in an edited list, with what was edited', () => {
  expect(merge('abc', 'abcx', 'abc')).toBe('abcx')
  expect(merge('abc', 'abc', 'acy')).toBe('acy')
  expect(merge('abc', 'bcx', 'acy')).toBe('cyx')
  expect(merge('abc', 'abcx', 'abcx')).toBe('abcx')
  expect(merge('abc', 'ab', 'ab')).toBe('ab')
  expect(merge('', 'x', 'y')).toBe('yx')
  // The same item, whatever else it has.
  expect(merge('a', 'aX', 'ax')).toBe('ax')
})
