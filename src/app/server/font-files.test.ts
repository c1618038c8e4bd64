import { readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { defaultMessages } from '../../default-messages.ts'
import { fontKeys } from '../../platform/font-keys.ts'
import { charactersOf, extendedFontRange, fontRange, otherFontRange } from '../../platform/fonts/ranges.ts'
import { loadPrograms } from '../../programs/partners/load-programs.ts'
import { selectFaces, selectThemeFaces } from './font-files.ts'

const face = (weight: string, src: string, range = 'U+20-7E') =>
  `@font-face{font-family:X;font-weight:${weight};src:${src};unicode-range:${range}}`

const sizes: Record<string, number> = { '/all': 20, '/text': 14, '/600': 8, '/700': 8, '/sign': 1 }
const sizeOf = (href: string) => sizes[href] ?? 0

const sheet = [
  face('400 900', 'url(/all)format("woff2")'),
  face('400 600', 'url("/text")'),
  face('600', 'url(/600)'),
  face('700', 'url(/700)'),
].join('')

test('a family has the smallest files that cover the weights', () => {
  const filesOf = (...weights: number[]) => selectFaces(sheet, weights, sizeOf).files
  expect(filesOf(600)).toEqual(['/600'])
  expect(filesOf(400, 600)).toEqual(['/text'])
  expect(filesOf(600, 700)).toEqual(['/600', '/700'])
  expect(filesOf(400, 600, 700)).toEqual(['/all'])
  expect(filesOf(400, 600, 650)).toEqual(['/all'])
})

test('a weight that no file has gets the nearest one', () => {
  expect(selectFaces(face('400', 'url(/text)') + face('600 800', 'url(/all)'), [510, 900], sizeOf).files).toEqual([
    '/all',
  ])
  expect(selectFaces(face('400', 'url(/text)') + face('600 800', 'url(/all)'), [100], sizeOf).files).toEqual(['/text'])
})

test('styles have these files, those of other characters with the same weights, and other families', () => {
  const signs = face('100 900', 'url(/sign)', 'U+AE').replace(':X', ':Sign') + face('400', "local('Arial')", '')
  const others = face('600', 'url(/sign)', 'U+A1') + face('700', 'url(/sign)', 'U+A1')
  expect(selectFaces(others + sheet + signs, [700], sizeOf)).toEqual({
    css: face('700', 'url(/sign)', 'U+A1') + face('700', 'url(/700)') + signs,
    files: ['/700'],
  })
})

const fontStyles = 'src/ui/fonts'
const stylesOf = (key: string) => readFileSync(join(fontStyles, `${key}.css`), 'utf8')
const fileSize = (href: string) => statSync(join(fontStyles, href)).size

test('the fonts of every sample program are at most 31 kB', () => {
  for (const { config, theme } of loadPrograms('programs').values()) {
    const { body, heading } = theme.type
    const { files } = selectThemeFaces({ body: stylesOf(body), heading: stylesOf(heading) }, theme.type, fileSize)
    const bytes = files.reduce((sum, href) => sum + fileSize(href), 0)
    expect([config.code, files.length > 0, bytes > 10_000, bytes <= 31_000]).toEqual([config.code, true, true, true])
  }
})

test('the faces of every family have the ranges of their files, which have no character in common', () => {
  const all = [fontRange, otherFontRange, extendedFontRange].flatMap((range) => [...charactersOf(range)])
  expect(all.filter((character, index) => all.indexOf(character) !== index)).toEqual([])
  expect([...'ČčĐđĞğıİŁłŃńŐőŘřŞşŠšȘșȚțŰűŻżŽž'].filter((letter) => !all.includes(letter))).toEqual([])
  for (const key of fontKeys) {
    const ranges = stylesOf(key).matchAll(/unicode-range:\s*([^;]+);/g)
    const found = new Set([...ranges].map(([, range = '']) => range.replace(/\s/g, '')))
    found.delete('U+00AE')
    expect([key, [...found].sort()]).toEqual([key, [fontRange, otherFontRange, extendedFontRange].sort()])
  }
})

test('the first files have every character of the default messages and of the sample programs', () => {
  const characters = new Set(charactersOf(fontRange))
  const texts = [
    JSON.stringify(defaultMessages),
    ...[...loadPrograms('programs').values()].map((each) => JSON.stringify(each)),
  ]
  const missing = texts.flatMap((text) => [...text].filter((character) => !characters.has(character)))
  expect([...new Set(missing)]).toEqual([])
})
