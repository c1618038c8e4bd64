import { expect, test } from 'vitest'
import { fontFileOf } from './font-files.ts'

const face = (weight: string, src: string, range = 'U+??') =>
  `@font-face{font-family:X;font-weight:${weight};src:${src};unicode-range:${range}}`

test('a weight has the file of the face that covers it, else of the nearest', () => {
  const sheet = face('400', 'url(/a.woff2)format("woff2")') + face('600 800', 'url("/b.woff2")')
  expect([100, 400, 510, 600, 800, 900].map((weight) => fontFileOf(sheet, weight))).toEqual([
    '/a.woff2',
    '/a.woff2',
    '/b.woff2',
    '/b.woff2',
    '/b.woff2',
    '/b.woff2',
  ])
})

test('local fonts, and a face for one sign, are no files to request early', () => {
  expect(fontFileOf(face('400', "local('Arial')") + face('100 900', 'url(/sign.woff2)', 'U+AE'), 400)).toBeNull()
})
