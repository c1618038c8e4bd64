import { expect, test } from 'vitest'
import { Palette } from './palette.ts'
import { contrast, pairs, weakPairs } from './theme-contrast.ts'

test('contrast is that of WCAG: known pairs, in either order, from 1 to 21', () => {
  const rounded = (a: string, b: string) => Number(contrast(a, b).toFixed(2))
  expect(contrast('#000000', '#ffffff')).toBe(21)
  expect(contrast('#ffffff', '#000000')).toBe(21)
  expect(contrast('#123456', '#123456')).toBe(1)
  // Published examples: gray 767676 is the lightest on white for text, 949494 for controls.
  expect([rounded('#767676', '#ffffff'), rounded('#777777', '#ffffff'), rounded('#949494', '#ffffff')]).toEqual([
    4.54, 4.48, 3.03,
  ])
  expect([rounded('#ff0000', '#ffffff'), rounded('#008000', '#ffffff'), rounded('#0000ff', '#ffffff')]).toEqual([
    4, 5.14, 8.59,
  ])
  // Dark colors are linear below 0.04045.
  expect(contrast('#0a0a0a', '#000000')).toBeCloseTo((10 / 255 / 12.92 + 0.05) / 0.05, 10)
})

test('a palette lists each pair that is too weak, with what it has and needs', () => {
  const black = Object.fromEntries(Object.keys(Palette.shape).map((role) => [role, '#000000'])) as Palette
  const white = { ...black }
  for (const { under } of pairs) white[under] = '#ffffff'
  // Roles that are both over and under another: their pairs stay weak.
  const both = pairs.filter(({ over }) => white[over] === '#ffffff')
  expect(weakPairs(white).map(({ over, under }) => [over, under])).toEqual(both.map(({ over, under }) => [over, under]))
  expect(weakPairs(black)).toHaveLength(pairs.length)
  expect(weakPairs({ ...black, text: '#767676', ground: '#ffffff' })).not.toContainEqual(
    expect.objectContaining({ over: 'text', under: 'ground' }),
  )
  expect(weakPairs({ ...black, text: '#777777', ground: '#ffffff' })).toContainEqual({
    over: 'text',
    under: 'ground',
    overColor: '#777777',
    underColor: '#ffffff',
    ratio: contrast('#777777', '#ffffff'),
    needed: 4.5,
  })
})
