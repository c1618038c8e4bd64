import { existsSync, globSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { type FontKey, fontFamily, fontKeys } from '../src/platform/font-keys.ts'
import {
  charactersOf,
  extendedFontRange,
  fontRange,
  fontsFolder,
  otherFontRange,
} from '../src/platform/fonts/ranges.ts'
import { createUsageExit, readArguments } from './command-line.ts'

const usage = `Writes the font files of src/platform/fonts, and their faces in src/ui/fonts, from the packages of Fontsource.

  npm install --no-save subset-font@2.9.0
  npm run subset:fonts`

const stop: (problem: string) => never = createUsageExit(usage)
readArguments({}, stop)

// Not a dependency: the files change only with the fonts or the characters.
const [subsetter, verter] = await Promise.all(['subset-font', 'fontverter'].map((name) => import(name))).catch(() => [])
if (!subsetter) stop('subset-font is not installed.')

const { resolve } = createRequire(import.meta.url)

// What browsers apply by themselves, and figures of equal width. Not: fractions, small figures, alternates.
const keepFeatures = ['ccmp', 'locl', 'mark', 'mkmk', 'rlig', 'calt', 'clig', 'liga', 'kern', 'rvrn', 'tnum']

/** Families with a file per weight, and their weights. */
const fixed: Record<string, readonly number[]> = {
  barlow: [400, 500, 600, 700],
  'barlow-condensed': [400, 600, 700, 800],
}

/** Ranges of weights of the variable families. */
const ranges: Record<string, [number, number]> = {
  figtree: [300, 900],
  fraunces: [300, 900],
  'instrument-sans': [400, 700],
  'source-sans-3': [300, 900],
  'source-serif-4': [300, 900],
  'space-grotesk': [300, 700],
}

/** Weights of headings: with one weight, a file of it alone is half as large. */
const headingWeights = [500, 600, 700, 800]

interface Wanted {
  name: string
  module: string
  range: string
  /** One weight, or the lowest and highest. */
  weight: number | [number, number]
}

function wantedOf(key: FontKey): Wanted[] {
  const module = (family: string, subset: string, file: string) =>
    `${family}/${key}/files/${key}-${subset}-${file}-normal.woff2`
  const weights = fixed[key]
  if (weights) {
    return weights.flatMap((weight) => {
      const [latin, extended] = ['latin', 'latin-ext'].map((subset) => module('@fontsource', subset, String(weight)))
      const name = `${key}-${weight}`
      return [
        { weight, module: extended as string, name: `${name}-extended`, range: extendedFontRange },
        { weight, module: latin as string, name: `${name}-other`, range: otherFontRange },
        { weight, module: latin as string, name, range: fontRange },
      ]
    })
  }
  const [min, max] = ranges[key] ?? stop(`${key} has no weights.`)
  const file = { module: module('@fontsource-variable', 'latin', 'wght'), range: fontRange }
  const files: Wanted[] = [
    { ...file, name: key, weight: [min, max] },
    { ...file, name: `${key}-400-600`, weight: [400, 600] },
    ...headingWeights
      .filter((weight) => weight <= max)
      .map((weight) => ({ ...file, name: `${key}-${weight}`, weight })),
  ]
  const other: Wanted = { ...file, name: `${key}-other`, range: otherFontRange, weight: [min, max] }
  const extended: Wanted = {
    ...other,
    name: `${key}-extended`,
    range: extendedFontRange,
    module: module('@fontsource-variable', 'latin-ext', 'wght'),
  }
  // Browsers combine only faces with the same weights.
  return files.flatMap((each) => [...[extended, other].map((face) => ({ ...face, weight: each.weight })), each])
}

async function subset({ name, module, range, weight }: Wanted): Promise<void> {
  const path = join(fontsFolder, `${name}.woff2`)
  if (existsSync(path)) return
  const axis = Array.isArray(weight) ? { min: weight[0], max: weight[1] } : weight
  const font: Buffer = await subsetter.default(readFileSync(resolve(module)), charactersOf(range), {
    targetFormat: 'truetype',
    keepFeatures,
    noHinting: true,
    dropTables: ['STAT', 'BASE'],
    ...(module.includes('-wght-') && { variationAxes: { wght: axis } }),
  })
  const tables = tablesOf(font).set('prep', smoothing)
  renameFamily(tables.get('name') as Buffer)
  const file: Buffer = await verter.default.convert(fontOf(tables), 'woff2')
  writeFileSync(path, file)
  process.stdout.write(`${String(file.length).padStart(7)}  ${name}\n`)
}

/** Reads the tables of a font, by tag. */
function tablesOf(font: Buffer): Map<string, Buffer> {
  const entries = Array.from({ length: font.readUInt16BE(4) }, (_, index) => font.subarray(12 + index * 16))
  return new Map(
    entries.map((entry) => {
      const [start, length] = [entry.readUInt32BE(8), entry.readUInt32BE(12)]
      return [entry.toString('latin1', 0, 4), font.subarray(start, start + length)]
    }),
  )
}

/** Writes a font. Checksums are zero: browsers compute their own. */
function fontOf(tables: Map<string, Buffer>): Buffer {
  const head = Buffer.alloc(12 + tables.size * 16)
  head.writeUInt32BE(0x00010000)
  head.writeUInt16BE(tables.size, 4)
  const parts = [head]
  let end = head.length
  for (const [index, [tag, table]] of [...tables].sort(([a], [b]) => (a < b ? -1 : 1)).entries()) {
    const entry = head.subarray(12 + index * 16)
    entry.write(tag, 'latin1')
    entry.writeUInt32BE(end, 8)
    entry.writeUInt32BE(table.length, 12)
    const padded = Buffer.concat([table, Buffer.alloc(-table.length & 3)])
    parts.push(padded)
    end += padded.length
  }
  return Buffer.concat(parts)
}

/**
 * Adobe reserves the name "Source" for unmodified fonts: replaces it in every name except the copyright. The new name has
 * as many letters, so nothing moves.
 */
function renameFamily(names: Buffer): void {
  const texts = names.readUInt16BE(4)
  for (let index = 0; index < names.readUInt16BE(2); index++) {
    const record = 6 + index * 12
    if (names.readUInt16BE(record + 6) === 0) continue
    const from = texts + names.readUInt16BE(record + 10)
    const text = names.subarray(from, from + names.readUInt16BE(record + 8))
    for (const bytes of [1, 2]) replaceIn(text, encode('Source', bytes), encode('Dining', bytes))
  }
}

const encode = (text: string, bytes: number) =>
  bytes === 1 ? Buffer.from(text, 'latin1') : Buffer.from(text, 'utf16le').swap16()

function replaceIn(text: Buffer, from: Buffer, to: Buffer): void {
  for (let at = text.indexOf(from); at >= 0; at = text.indexOf(from, at + 1)) to.copy(text, at)
}

// A program that only enables smoothing. Without one, FreeType hints by its own rules, which makes texts wider.
const smoothing = Buffer.from('b801ff85b0048d', 'hex')

const faceOf = (key: FontKey, { name, range, weight }: Wanted) => `@font-face {
  font-family: '${fontFamily(key)}';
  font-weight: ${[weight].flat().join(' ')};
  font-display: swap;
  src: url('../../platform/fonts/${name}.woff2') format('woff2');
  unicode-range: ${range};
}`

/** Replaces the faces of a family's files; what follows them is written by hand. */
function writeFaces(key: FontKey, faces: string[]): void {
  const sheet = join('src/ui/fonts', `${key}.css`)
  const [, others = ''] =
    /\n(@font-face \{\s+font-family: '[^']+ Fallback';.*)$/s.exec(readFileSync(sheet, 'utf8')) ?? []
  writeFileSync(
    sheet,
    `${faces.join('\n\n')}\n\n/* Local fonts with this family's metrics, so that the swap causes no layout shift. */\n\n${others}`,
  )
}

for (const old of globSync(join(fontsFolder, '*.woff2'))) rmSync(old)
for (const key of fontKeys) {
  const wanted = wantedOf(key)
  for (const file of wanted) await subset(file)
  writeFaces(
    key,
    wanted.map((file) => faceOf(key, file)),
  )
}
