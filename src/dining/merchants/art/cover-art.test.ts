import { readFileSync } from 'node:fs'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { drawPng } from '../../../platform/images/draw-png.ts'
import { coverArt } from './cover-art.ts'
import { motifs } from './motifs.ts'

const subject = { name: 'Hana', cuisine: 'Japanese', neighborhood: 'Chelsea' }

test('CARDM-017 an image is drawn in each width and ratio', () => {
  for (const width of [200, 500, 600]) {
    for (const ratio of [1.4, 1.6]) {
      expect(coverArt({ publicId: 'a', ...subject }, { width, ratio })).toContain(
        `width="${width}" height="${Math.round(width / ratio)}"`,
      )
    }
  }
})

test('every cuisine of the sample restaurants has a drawing of its own', () => {
  const templates: { cuisine: string }[] = JSON.parse(
    readFileSync('src/dining/merchants/seed/cuisine-templates.json', 'utf8'),
  )
  expect(templates.map(({ cuisine }) => cuisine).filter((cuisine) => !(cuisine in motifs))).toEqual([])
})

test('the same restaurant always has the same image, and another restaurant has another', () => {
  const draw = (publicId: string) => coverArt({ publicId, ...subject }, { width: 500, ratio: 1.4 })
  expect(draw('one')).toBe(draw('one'))
  expect(new Set(Array.from({ length: 200 }, (_, index) => draw(`place-${index}`))).size).toBeGreaterThan(190)
})

test('the image of a restaurant is small and contains nothing of its name', () => {
  fc.assert(
    fc.property(fc.string(), fc.string(), (name, cuisine) => {
      const svg = coverArt({ publicId: name, name, cuisine, neighborhood: name }, { width: 600, ratio: 1.6 })
      expect(svg.length).toBeLessThan(6_000)
      expect(svg).toMatch(/^<svg xmlns="http:\/\/www\.w3\.org\/2000\/svg".*<\/svg>$/)
      expect(svg).not.toMatch(/undefined|NaN|<script/)
    }),
  )
})

test('Case 83 the image of every restaurant can be drawn as a PNG, for each cuisine and kind of table', async () => {
  const cuisines = Object.keys(motifs)
  const publicIds = ['corner-burgers-new-york-007963', ...Array.from({ length: 60 }, (_, index) => `place-${index}`)]
  for (const [index, publicId] of publicIds.entries()) {
    const cuisine = index === 0 ? 'Burgers' : (cuisines[index % cuisines.length] as string)
    const svg = coverArt({ publicId, ...subject, cuisine }, { width: 1200, ratio: 1200 / 630 })
    // The first one in the size of pages. A small one takes a tenth of the time to draw and as long to read.
    expect([publicId, (await drawPng(svg, index === 0 ? 1200 : 300)).length > 500]).toEqual([publicId, true])
  }
})
