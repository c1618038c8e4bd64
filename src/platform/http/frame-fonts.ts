import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import type { FastifyInstance } from 'fastify'
import { type FontKey, fontFamily, fontKeys, fontStack } from '../font-keys.ts'

const resolve = createRequire(import.meta.url).resolve

/** Families without a variable font have one file per weight. */
const fixedWeights: Partial<Record<FontKey, readonly number[]>> = {
  barlow: [400, 600],
  'barlow-condensed': [400, 600],
}

interface FontFile {
  key: FontKey
  /** File name below `/fonts/`. */
  name: string
  /** The value of `font-weight`. */
  weight: string
  /** The module that contains the file. */
  module: string
}

const files: FontFile[] = fontKeys.flatMap((key) => {
  const fixed = fixedWeights[key]
  if (!fixed) {
    const module = `@fontsource-variable/${key}/files/${key}-latin-wght-normal.woff2`
    return [{ key, name: `${key}.woff2`, weight: '300 700', module }]
  }
  return fixed.map((weight) => ({
    key,
    name: `${key}-${weight}.woff2`,
    weight: String(weight),
    module: `@fontsource/${key}/files/${key}-latin-${weight}-normal.woff2`,
  }))
})

/** Returns the styles of the font named in a frame's query; the system font when it names none of ours. */
export function frameFont(query: URLSearchParams): string {
  const key = fontKeys.find((each) => each === query.get('font'))
  if (!key) return 'html{--font:system-ui,sans-serif}'
  const faces = files.filter((file) => file.key === key).map(faceOf)
  return `${faces.join('')}html{--font:${fontStack(key)}}`
}

// With `swap`, the fields would be measured with another font and shift when this one loads.
function faceOf({ key, name, weight }: FontFile): string {
  return `@font-face{font-family:"${fontFamily(key)}";font-weight:${weight};font-display:fallback;src:url(/fonts/${name}) format("woff2")}`
}

/** Serves the fonts on the frame's own origin: its pages load nothing from elsewhere. */
export function serveFrameFonts(app: FastifyInstance): void {
  for (const { name, module } of files) {
    let file: Buffer | undefined
    app.get(`/fonts/${name}`, (_request, reply) => {
      file ??= readFileSync(resolve(module))
      return reply.type('font/woff2').header('cache-control', 'public, max-age=31536000, immutable').send(file)
    })
  }
}
