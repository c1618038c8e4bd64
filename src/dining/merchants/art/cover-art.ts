import { Random, seedOf } from '../../../platform/random.ts'
import { motifs } from './motifs.ts'

export interface Subject {
  publicId: string
  name: string
  cuisine: string
  neighborhood: string
}

/** Palettes for times of day: sky above, table below, and two colors for the objects. */
const palettes = [
  { sky: '#f6d8b0', table: '#e8a87c', ink: '#5b2c1f', light: '#fff4e0', warm: '#c8553d' },
  { sky: '#cfe3ea', table: '#8fb8c4', ink: '#173a4a', light: '#f4fbfd', warm: '#e07a5f' },
  { sky: '#2b2d55', table: '#191a36', ink: '#f0c987', light: '#f7ede2', warm: '#e85d75' },
  { sky: '#dfe8cf', table: '#a3b18a', ink: '#344e41', light: '#fefae0', warm: '#bc6c25' },
  { sky: '#f3c5c5', table: '#d98c9a', ink: '#4a1942', light: '#fff0f3', warm: '#893168' },
  { sky: '#3d2c2e', table: '#241a1b', ink: '#f2b880', light: '#faedcd', warm: '#d1495b' },
  { sky: '#fde2a8', table: '#f4b942', ink: '#3a2e13', light: '#fffaeb', warm: '#97451a' },
  { sky: '#c9cbe8', table: '#8d8fc4', ink: '#242553', light: '#f5f5ff', warm: '#d66853' },
] as const

type Palette = (typeof palettes)[number]

/**
 * Draws an image of a restaurant without a photograph, identical for the same subject at any size. `ratio` is width by
 * height.
 */
export function coverArt(subject: Subject, { width, ratio }: { width: number; ratio: number }): string {
  const random = new Random(seedOf(subject.publicId))
  const palette = random.pick(palettes)
  const height = Math.round(width / ratio)
  const view = { width: 560, height: Math.round(560 / ratio) }
  const layers = [
    ground(random, palette, view),
    light(random, palette, view),
    table(random, palette, view),
    dishes(random, palette, subject.cuisine, view),
  ]
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${view.width} ${view.height}">${layers.join('')}</svg>`
}

interface View {
  width: number
  height: number
}

function ground(random: Random, { sky, light: pale }: Palette, { width, height }: View): string {
  const stripes = random.chance(0.4)
    ? Array.from(
        { length: 7 },
        (_, index) =>
          `<path d="M${index * 90 - 40} 0l60 ${height}h28L${index * 90 - 12} 0z" fill="${pale}" opacity=".12"/>`,
      ).join('')
    : ''
  return `<path fill="${sky}" d="M0 0h${width}v${height}H0z"/>${stripes}`
}

// Draws the light source: a lamp, a low sun or a window.
function light(random: Random, { light: pale, warm, ink }: Palette, { width, height }: View): string {
  const x = random.int(90, width - 90)
  const kind = random.int(0, 3)
  if (kind === 0)
    return `<path d="M${x} 0v64" stroke="${ink}" stroke-width="3"/><path d="M${x - 44} 104a44 44 0 0188 0z" fill="${warm}"/><circle cx="${x}" cy="108" r="11" fill="${pale}"/>`
  if (kind === 1)
    return `<circle cx="${x}" cy="${Math.round(height * 0.36)}" r="${random.int(54, 92)}" fill="${warm}" opacity=".55"/>`
  if (kind === 2)
    return `<path d="M${x - 70} 46h140v130h-140z" fill="${pale}" opacity=".55"/><path d="M${x} 46v130M${x - 70} 111h140" stroke="${ink}" stroke-width="4" opacity=".35"/>`
  return (
    Array.from(
      { length: 6 },
      (_, index) =>
        `<circle cx="${40 + index * 96}" cy="${44 + ((index * 37) % 26)}" r="9" fill="${pale}" opacity=".8"/>`,
    ).join('') +
    `<path d="M0 34q${width / 2} 60 ${width} 0" fill="none" stroke="${ink}" stroke-width="2" opacity=".5"/>`
  )
}

function table(random: Random, { table: wood, ink }: Palette, { width, height }: View): string {
  const edge = Math.round(height * (0.56 + random.next() * 0.1))
  const round = random.chance(0.5)
  if (round)
    return `<ellipse cx="${width / 2}" cy="${height + 40}" rx="${width * 0.72}" ry="${height - edge + 40}" fill="${wood}"/>`
  // An element with an opacity must not lie wholly outside the image: the PNG renderer fails on an empty layer.
  return `<path d="M0 ${edge}h${width}v${height}H0z" fill="${wood}"/><path d="M0 ${edge}h${width}" stroke="${ink}" stroke-width="2" opacity=".18"/>`
}

function dishes(random: Random, palette: Palette, cuisine: string, { width, height }: View): string {
  const known = Object.hasOwn(motifs, cuisine) ? cuisine : random.pick(Object.keys(motifs))
  const draw = motifs[known]
  const main = draw?.(palette) ?? ''
  const scale = 1.9 + random.next() * 0.5
  const x = width * (0.36 + random.next() * 0.28)
  const y = height * 0.66
  const turn = random.int(-6, 6)
  const small = random.chance(0.75) ? companion(random, palette, x < width / 2 ? x + 168 : x - 168, y + 26) : ''
  return `${small}<g transform="translate(${Math.round(x)} ${Math.round(y)}) rotate(${turn}) scale(${scale.toFixed(2)})">${main}</g>`
}

// Draws a cup, a glass or a pair of leaves beside the dish.
function companion(random: Random, { light: pale, warm, ink }: Palette, x: number, y: number): string {
  const at = `<g transform="translate(${Math.round(x)} ${Math.round(y)}) scale(1.5)">`
  const kind = random.int(0, 2)
  if (kind === 0)
    return `${at}<path d="M-16-26h32l-5 34h-22z" fill="${pale}"/><path d="M-14-14h28l-3 20h-22z" fill="${warm}" opacity=".7"/></g>`
  if (kind === 1)
    return `${at}<path d="M-14-38h28q0 26-14 28-14-2-14-28zM-1.5-10h3v26h-3zM-12 16h24v3h-24z" fill="${pale}"/><path d="M-12-28h24q-2 16-12 17-10-1-12-17z" fill="${warm}"/></g>`
  return `${at}<path d="M0 12q-26-8-20-36 24 4 20 36zM4 12q26-6 24-30-24 0-24 30z" fill="${ink}" opacity=".55"/></g>`
}
