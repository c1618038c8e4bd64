import { expect, test } from 'vitest'
import { maxTags, tagProblem, toTag } from './tags.ts'

test('CON-603 a typed tag is made one, and what is wrong with it is said', () => {
  expect([' VIP  Care ', 'vip-care', ''].map(toTag)).toEqual(['vip-care', 'vip-care', ''])
  expect(tagProblem('vip-care', ['other'])).toBeNull()
  expect(tagProblem('a'.repeat(40), [])).toBeNull()
  expect(tagProblem('a'.repeat(41), [])).toContain('at most 40 characters; “aaaaaaaaaaaa…” has 41')
  expect(tagProblem('vip-care', ['vip-care'])).toBe('“vip-care” is there already.')
  for (const tag of ['é', 'a--b', '-a', 'a_b']) expect(tagProblem(tag, [])).toContain('other characters')
  const many = Array.from({ length: maxTags }, (_, at) => `tag-${at}`)
  expect(tagProblem('new', many)).toBe('A member may have at most 20 tags.')
  expect(tagProblem('new', many.slice(1))).toBeNull()
})
