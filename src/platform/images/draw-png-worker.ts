import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { parentPort } from 'node:worker_threads'
import { initWasm, Resvg } from '@resvg/resvg-wasm'

// The worker thread of draw-png.ts. An SVG that the renderer cannot draw ends the thread: its memory may be corrupt.
await initWasm(readFileSync(createRequire(import.meta.url).resolve('@resvg/resvg-wasm/index_bg.wasm')))
parentPort?.on('message', ({ svg, width }: { svg: string; width: number }) => {
  const image = new Resvg(svg, { fitTo: { mode: 'width', value: width } })
  const png = image.render().asPng()
  image.free()
  parentPort?.postMessage(png)
})
