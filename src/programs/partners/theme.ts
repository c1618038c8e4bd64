import { z } from 'zod'
import { fontKeys, fontStack } from '../../platform/font-keys.ts'
import { Palette } from './palette.ts'
import { weakPairs } from './theme-contrast.ts'

export const Theme = z.strictObject({
  defaultMode: z.enum(['light', 'dark']),
  colors: z.strictObject({ light: Palette, dark: Palette }),
  type: z.strictObject({
    body: z.enum(fontKeys),
    heading: z.enum(fontKeys),
    /** Body text size in pixels, and the ratio between heading sizes. */
    baseSize: z.number().min(15).max(19),
    scale: z.number().min(1.1).max(1.4),
    strongWeight: z.number().int().min(500).max(800),
    headingWeight: z.number().int().min(300).max(900),
    headingTracking: z.number().min(-0.06).max(0.1),
    headingLeading: z.number().min(0.9).max(1.4),
    headingCase: z.enum(['none', 'uppercase']),
  }),
  shape: z.strictObject({
    /** Pixels. */
    controlRadius: z.number().min(0).max(28),
    cardRadius: z.number().min(0).max(32),
    badgeRadius: z.number().min(0).max(28),
    pictureRadius: z.number().min(0).max(32),
    lineWidth: z.number().min(1).max(3),
    ruleWidth: z.number().min(1).max(8),
    shadow: z.enum(['none', 'crisp', 'soft', 'glow']),
  }),
})
export type Theme = z.infer<typeof Theme>
export type Mode = keyof Theme['colors']

/** Returns a message for every color pair with insufficient contrast. */
export function checkTheme(theme: Theme): string[] {
  return (['light', 'dark'] as const).flatMap((mode) =>
    weakPairs(theme.colors[mode]).map(
      (weak) =>
        `${mode}: ${weak.over} (${weak.overColor}) on ${weak.under} (${weak.underColor}) is ${weak.ratio.toFixed(2)}:1, needs ${weak.needed}:1`,
    ),
  )
}

/** Parses theme.json. Throws one error that lists all problems, including contrast. */
export function parseTheme(json: unknown, name: string): Theme {
  const read = Theme.safeParse(json)
  const problems = read.success
    ? checkTheme(read.data)
    : read.error.issues.map((issue) => `${issue.path.join('.') || 'theme'}: ${issue.message}`)
  if (!read.success || problems.length > 0) {
    throw new Error(`The theme of ${name} cannot be used:\n- ${problems.join('\n- ')}`)
  }
  return read.data
}

/**
 * Returns the theme as custom properties. A light theme follows the system's color scheme; a dark theme does not,
 * because systems report "light" for people who never chose. `data-mode` on the root overrides both.
 */
export function themeCss(theme: Theme): string {
  const { light, dark } = theme.colors
  const lightRules = modeRules(light, 'light', theme)
  const darkRules = modeRules(dark, 'dark', theme)
  const shared = `:root{${constantRules(theme)}}`
  if (theme.defaultMode === 'dark') {
    return `${shared}\n:root{${darkRules}}\n:root[data-mode="light"]{${lightRules}}\n`
  }
  return [
    shared,
    `:root{${lightRules}}`,
    `@media (prefers-color-scheme:dark){:root:not([data-mode="light"]){${darkRules}}}`,
    `:root[data-mode="dark"]{${darkRules}}`,
    '',
  ].join('\n')
}

function modeRules(palette: Palette, mode: Mode, theme: Theme): string {
  const colors = Object.entries(palette).map(([role, value]) => `--${dashed(role)}:${value}`)
  return [`color-scheme:${mode}`, ...colors, ...shadows(theme.shape.shadow, mode)].join(';')
}

function constantRules({ type, shape }: Theme): string {
  const rem = (px: number) => `${Number((px / 16).toFixed(4))}rem`
  const step = (n: number) => type.baseSize * type.scale ** n
  // Large sizes shrink on phones: a 320 px screen gets the size two thirds of a step lower.
  const fluid = (n: number) =>
    `clamp(${rem(step(n * 0.72))},${rem(step(n * 0.6))} + ${Number((n * 0.55).toFixed(2))}vw,${rem(step(n))})`
  return [
    `--font-body:${fontStack(type.body)}`,
    `--font-heading:${fontStack(type.heading)}`,
    `--strong-weight:${type.strongWeight}`,
    `--heading-weight:${type.headingWeight}`,
    `--heading-tracking:${type.headingTracking}em`,
    `--heading-leading:${type.headingLeading}`,
    `--heading-case:${type.headingCase}`,
    `--size-xs:${rem(type.baseSize - 3)}`,
    `--size-s:${rem(type.baseSize - 2)}`,
    `--size-m:${rem(type.baseSize)}`,
    `--size-l:${rem(step(1))}`,
    `--size-xl:${fluid(2)}`,
    `--size-2xl:${fluid(3)}`,
    `--size-3xl:${fluid(4)}`,
    `--size-figure:${fluid(6)}`,
    `--radius-control:${shape.controlRadius}px`,
    `--radius-card:${shape.cardRadius}px`,
    `--radius-badge:${shape.badgeRadius}px`,
    `--radius-picture:${shape.pictureRadius}px`,
    `--line-width:${shape.lineWidth}px`,
    `--rule-width:${shape.ruleWidth}px`,
  ].join(';')
}

function shadows(kind: Theme['shape']['shadow'], mode: Mode): string[] {
  const ink = mode === 'light' ? '0 0 0' : '0 0 0'
  const deep = mode === 'light' ? 1 : 3
  const shade = (alpha: number) => `rgb(${ink} / ${Math.round(alpha * deep)}%)`
  const [card, raised] = {
    none: ['none', `0 8px 24px ${shade(14)}`],
    crisp: [`0 1px 2px ${shade(7)}`, `0 6px 20px ${shade(12)}`],
    soft: [`0 2px 4px ${shade(3)},0 10px 28px ${shade(7)}`, `0 4px 8px ${shade(4)},0 20px 48px ${shade(14)}`],
    glow: [
      'none',
      `0 0 0 1px var(--line),0 0 40px color-mix(in srgb,var(--primary) ${mode === 'dark' ? 16 : 8}%,transparent)`,
    ],
  }[kind]
  return [`--shadow-card:${card}`, `--shadow-raised:${raised}`]
}

function dashed(role: string): string {
  return role.replace(/[A-Z]/g, (upper) => `-${upper.toLowerCase()}`)
}
