import { expect, test } from 'vitest'
import { bandsPng } from './bands-png.ts'
import { DrawingBusy, drawPng } from './draw-png.ts'

const svgOf = (color: string) =>
  `<svg xmlns="http://www.w3.org/2000/svg" width="40" height="20"><path fill="${color}" d="M0 0h40v20H0z"/></svg>`
// A layer outside of the image makes the renderer panic.
const undrawable =
  '<svg xmlns="http://www.w3.org/2000/svg" width="40" height="20"><path d="M0 90h40" stroke="#000" opacity=".5"/></svg>'

const sizeOf = (png: Uint8Array) => {
  const bytes = Buffer.from(png)
  expect(bytes.subarray(1, 4).toString()).toBe('PNG')
  return [bytes.readUInt32BE(16), bytes.readUInt32BE(20)]
}

test('an SVG is drawn in the requested width', async () => {
  expect(sizeOf(await drawPng(svgOf('#123456'), 80))).toEqual([80, 40])
})

test('Case 83 an SVG that crashes the renderer fails alone, and other images are drawn', async () => {
  const [first, bad, last] = await Promise.allSettled([
    drawPng(svgOf('#000001'), 40),
    drawPng(undrawable, 40),
    drawPng(svgOf('#000002'), 40),
  ])
  expect([first.status, bad.status, last.status]).toEqual(['fulfilled', 'rejected', 'fulfilled'])
  await expect(drawPng(undrawable, 40)).rejects.toThrow()
  expect(sizeOf(await drawPng(svgOf('#000003'), 40))).toEqual([40, 20])
})

test('concurrent requests for the same image draw it once', async () => {
  const many = await Promise.all(Array.from({ length: 50 }, () => drawPng(svgOf('#00000a'), 40)))
  expect(new Set(many).size).toBe(1)
  expect(await drawPng(svgOf('#00000a'), 40)).toBe(many[0])
})

test('a drawing beyond the queue is rejected at once, and the queue is completed', async () => {
  const colors = Array.from({ length: 40 }, (_, index) => `#10${String(index).padStart(4, '0')}`)
  const all = await Promise.allSettled(colors.map((color) => drawPng(svgOf(color), 40)))
  const drawn = all.filter(({ status }) => status === 'fulfilled')
  expect(drawn).toHaveLength(17)
  for (const each of all) if (each.status === 'rejected') expect(each.reason).toBeInstanceOf(DrawingBusy)
})

test('two bands of color are a PNG that does not need the renderer', async () => {
  const png = bandsPng({ width: 630, height: 1200, upper: '#f6d8b0', lower: '#e8a87c', edge: 400 })
  expect(sizeOf(png)).toEqual([630, 1200])
  const { Resvg, initWasm } = await import('@resvg/resvg-wasm')
  const { readFileSync } = await import('node:fs')
  const { createRequire } = await import('node:module')
  await initWasm(readFileSync(createRequire(import.meta.url).resolve('@resvg/resvg-wasm/index_bg.wasm')))
  const href = `data:image/png;base64,${png.toString('base64')}`
  const image = new Resvg(
    `<svg xmlns="http://www.w3.org/2000/svg" width="630" height="1200"><image href="${href}" width="630" height="1200"/></svg>`,
  )
  const { pixels, width } = image.render()
  const at = (x: number, y: number) => Buffer.from(pixels.subarray((y * width + x) * 4, (y * width + x) * 4 + 3))
  expect([at(0, 0), at(629, 399), at(0, 400), at(629, 1199)].map((color) => color.toString('hex'))).toEqual([
    'f6d8b0',
    'f6d8b0',
    'e8a87c',
    'e8a87c',
  ])
})
