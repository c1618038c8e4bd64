import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { initWasm, Resvg } from '@resvg/resvg-wasm'

const require = createRequire(import.meta.url)
let ready: Promise<void> | null = null
const drawn = new Map<string, Uint8Array>()

/** Names a mark, so that icons of another one have another address. */
export function markVersion(svg: string): string {
  return createHash('sha256').update(svg).digest('base64url').slice(0, 10)
}

/** A program's mark as a square PNG of `size` pixels. The mark brings its own ground and keeps to its middle. */
export async function drawIcon(svg: string, size: number): Promise<Uint8Array> {
  const key = `${markVersion(svg)} ${size}`
  const known = drawn.get(key)
  if (known) return known
  ready ??= initWasm(readFileSync(require.resolve('@resvg/resvg-wasm/index_bg.wasm')))
  await ready
  const image = new Resvg(svg, { fitTo: { mode: 'width', value: size } })
  const png = image.render().asPng()
  image.free()
  drawn.set(key, png)
  return png
}
