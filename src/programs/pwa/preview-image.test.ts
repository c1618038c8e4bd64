import { expect, test } from 'vitest'
import { DrawingBusy, drawPng } from '../../platform/images/draw-png.ts'
import { drawPreviewImage } from './preview-image.ts'

const svgOf = (color: string, content = '') =>
  `<svg xmlns="http://www.w3.org/2000/svg" width="40" height="20"><path fill="${color}" d="M0 0h40v20H0z"/>${content}</svg>`
const imageOf = (svg: string) => ({
  svg,
  width: 40,
  height: 20,
  href: '',
  version: 'v',
  colors: { upper: '#f6d8b0', lower: '#e8a87c' },
})

test('while too many images are queued a preview image is not replaced: it is drawn as soon as the queue is shorter', async () => {
  const image = imageOf(svgOf('#123456'))
  // Other than in other test files, which may have filled the cache of this process.
  const colors = Array.from({ length: 17 }, (_, index) => `#30${String(index).padStart(4, '0')}`)
  const queue = Promise.all(colors.map((color) => drawPng(svgOf(color), 40)))
  await expect(drawPreviewImage(image)).rejects.toBeInstanceOf(DrawingBusy)
  await queue
  expect(await drawPreviewImage(image)).toEqual(await drawPng(image.svg, 40))
})

test('a preview image that the renderer cannot draw is two bands of color', async () => {
  // A layer outside of the image makes the renderer panic.
  const image = imageOf(svgOf('#123457', '<path d="M0 90h40" stroke="#000" opacity=".5"/>'))
  const png = Buffer.from(await drawPreviewImage(image))
  expect([png.readUInt32BE(16), png.readUInt32BE(20)]).toEqual([40, 20])
})
