import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { FastifyInstance } from 'fastify'
import { type FontKey, fontFamily, fontKeys, fontStack } from '../font-keys.ts'
import { fontRange, fontsFolder, otherFontRange } from '../fonts/ranges.ts'
import { sameForAll } from './caching.ts'

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
  range: string
}

const files: FontFile[] = fontKeys.flatMap((key) => {
  const fixed = fixedWeights[key]
  const faces = fixed
    ? fixed.map((weight) => ({ name: `${key}-${weight}`, other: `${key}-${weight}-other`, weight: String(weight) }))
    : [{ name: `${key}-400-600`, other: `${key}-other`, weight: '400 600' }]
  return faces.flatMap(({ name, other, weight }) => [
    { key, name: `${other}.woff2`, weight, range: otherFontRange },
    { key, name: `${name}.woff2`, weight, range: fontRange },
  ])
})

/** Returns the styles of the font named in a frame's query; the system font when it names none of ours. */
export function frameFont(query: URLSearchParams): string {
  const key = fontKeys.find((each) => each === query.get('font'))
  if (!key) return 'html{--font:system-ui,sans-serif}'
  const faces = files.filter((file) => file.key === key).map(faceOf)
  return `${faces.join('')}html{--font:${fontStack(key)}}`
}

// With `swap`, the fields would be measured with another font and shift when this one loads.
function faceOf({ key, name, weight, range }: FontFile): string {
  return `@font-face{font-family:"${fontFamily(key)}";font-weight:${weight};font-display:fallback;src:url(/fonts/${name}) format("woff2");unicode-range:${range}}`
}

/** Serves the fonts on the frame's own origin: its pages load nothing from elsewhere. */
export function serveFrameFonts(app: FastifyInstance): void {
  for (const { name } of files) {
    let file: Buffer | undefined
    app.get(`/fonts/${name}`, sameForAll, (_request, reply) => {
      file ??= readFileSync(join(fontsFolder, name))
      return reply.type('font/woff2').header('cache-control', 'public, max-age=31536000, immutable').send(file)
    })
  }
}
