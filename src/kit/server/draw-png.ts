import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { initWasm, Resvg } from '@resvg/resvg-wasm'

const require = createRequire(import.meta.url)
let ready: Promise<void> | null = null

/** An SVG as a PNG so many pixels wide. Fonts are not available: letters must be paths. */
export async function drawPng(svg: string, width: number): Promise<Uint8Array> {
  ready ??= initWasm(readFileSync(require.resolve('@resvg/resvg-wasm/index_bg.wasm')))
  await ready
  const image = new Resvg(svg, { fitTo: { mode: 'width', value: width } })
  const png = image.render().asPng()
  image.free()
  return png
}
