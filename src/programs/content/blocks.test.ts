import { expect, test } from 'vitest'
import { toBlocks } from './blocks.ts'

test('HOME-005 CMS-016 blocks of unknown types and invalid items are left out', () => {
  expect(
    toBlocks([
      { type: 'title', text: 'A' },
      { type: 'spell' },
      null,
      { type: 'button', text: 'B' },
      { type: 'link', text: 'C', url: '/x' },
    ]),
  ).toEqual([
    { type: 'title', text: 'A' },
    { type: 'link', text: 'C', url: '/x' },
  ])
  expect(toBlocks('nothing')).toEqual([])
})
