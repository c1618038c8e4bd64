import fc from 'fast-check'
import { expect, test } from 'vitest'
import { pageWindow } from './page-window.ts'

test('HIST-006 CONST-005 up to five page numbers near the current page are shown', () => {
  expect(pageWindow(1, 10)).toEqual([1, 2, 3, 4, 5])
  expect(pageWindow(5, 10)).toEqual([3, 4, 5, 6, 7])
  expect(pageWindow(10, 10)).toEqual([6, 7, 8, 9, 10])
  expect(pageWindow(1, 2)).toEqual([1, 2])
})

test('HIST-006 the window always contains the current page and only existing pages', () => {
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 500 }), fc.nat(499), (total, offset) => {
      const page = 1 + (offset % total)
      const window = pageWindow(page, total)
      expect(window).toContain(page)
      expect(window.length).toBe(Math.min(5, total))
      expect(Math.min(...window)).toBeGreaterThanOrEqual(1)
      expect(Math.max(...window)).toBeLessThanOrEqual(total)
    }),
  )
})
