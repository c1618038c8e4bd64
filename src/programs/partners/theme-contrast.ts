import type { Palette } from './palette.ts'

type Role = keyof Palette

export type WeakPair = {
  over: Role
  under: Role
  overColor: string
  underColor: string
  ratio: number
  needed: number
}

const page: Role[] = ['ground', 'surface', 'raised', 'tint']

/** WCAG 2.2: 1.4.3 requires 4.5 for text, 1.4.11 requires 3 for control outlines and indicators. */
const textPairs: [Role, Role[]][] = [
  ['text', [...page, 'successGround', 'warningGround', 'dangerGround']],
  ['textMuted', page],
  ['link', page],
  ['accentText', page],
  ['onPrimary', ['primary', 'primaryHover']],
  ['onAccent', ['accent']],
  ['onDanger', ['danger']],
  ['success', ['ground', 'surface', 'raised', 'successGround']],
  ['warning', ['ground', 'surface', 'raised', 'warningGround']],
  ['danger', ['ground', 'surface', 'raised', 'dangerGround']],
  ['onHeader', ['header']],
  ['onFooter', ['footer']],
]
const nonTextPairs: [Role, Role[]][] = [
  ['controlLine', page],
  ['primary', ['ground', 'surface', 'raised']],
  ['focus', [...page, 'successGround', 'warningGround', 'dangerGround']],
  ['logoAccent', ['header']],
]

export type Pair = { over: Role; under: Role; needed: number }

/** Every color pair of the design system. A component that needs another pair must add it here first. */
export const pairs: Pair[] = [
  ...textPairs.flatMap(([over, unders]) => unders.map((under) => ({ over, under, needed: 4.5 }))),
  ...nonTextPairs.flatMap(([over, unders]) => unders.map((under) => ({ over, under, needed: 3 }))),
]

export function weakPairs(palette: Palette): WeakPair[] {
  return pairs.flatMap(({ over, under, needed }) => {
    const ratio = contrast(palette[over], palette[under])
    if (ratio >= needed) return []
    return [{ over, under, overColor: palette[over], underColor: palette[under], ratio, needed }]
  })
}

/** Returns the WCAG contrast ratio of two `#rrggbb` colors, from 1 to 21. */
export function contrast(a: string, b: string): number {
  const [light, dark] = [luminance(a), luminance(b)].sort((x, y) => y - x) as [number, number]
  return (light + 0.05) / (dark + 0.05)
}

function luminance(color: string): number {
  const [r, g, b] = [1, 3, 5].map((at) => {
    const part = Number.parseInt(color.slice(at, at + 2), 16) / 255
    return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4
  }) as [number, number, number]
  return 0.2126 * r + 0.7152 * g + 0.0722 * b
}
