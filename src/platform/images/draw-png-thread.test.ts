import { expect, test, vi } from 'vitest'
import { drawPng } from './draw-png.ts'

// The renderer of this thread; the worker thread loads its own.
const renderedHere = vi.hoisted(() => vi.fn())
vi.mock('@resvg/resvg-wasm', () => ({ initWasm: renderedHere, Resvg: renderedHere }))

test('MERCH-017 ten images at once are drawn without any work of the renderer on the thread that serves requests', async () => {
  const svgs = Array.from(
    { length: 10 },
    (_, index) =>
      `<svg xmlns="http://www.w3.org/2000/svg" width="40" height="20"><path fill="#20000${index}" d="M0 0h40v20H0z"/></svg>`,
  )
  const images = await Promise.all(svgs.map((svg) => drawPng(svg, 40)))
  expect(images.map((png) => Buffer.from(png).readUInt32BE(16))).toEqual(svgs.map(() => 40))
  expect(renderedHere).not.toHaveBeenCalled()
})
