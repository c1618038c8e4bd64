/** Font families that a theme may name. Free of bundler imports, so that the theme schema can be read anywhere. */
export const fontKeys = [
  'barlow',
  'barlow-condensed',
  'figtree',
  'fraunces',
  'instrument-sans',
  'source-sans-3',
  'source-serif-4',
  'space-grotesk',
] as const

export type FontKey = (typeof fontKeys)[number]

const names: Record<FontKey, { family: string; generic: string }> = {
  barlow: { family: 'Barlow', generic: 'sans-serif' },
  'barlow-condensed': { family: 'Barlow Condensed', generic: 'sans-serif' },
  figtree: { family: 'Figtree', generic: 'sans-serif' },
  fraunces: { family: 'Fraunces', generic: 'serif' },
  'instrument-sans': { family: 'Instrument Sans', generic: 'sans-serif' },
  // Adobe reserves its names for unmodified files.
  'source-sans-3': { family: 'Dining Sans 3', generic: 'sans-serif' },
  'source-serif-4': { family: 'Dining Serif 4', generic: 'serif' },
  'space-grotesk': { family: 'Space Grotesk', generic: 'sans-serif' },
}

/**
 * Returns the value of `font-family`: the web font, its size-adjusted fallback, then the system font. Families with a
 * large registered mark (®) get a raised one first, so that it always renders as a superscript.
 */
export function fontStack(key: FontKey): string {
  const { family, generic } = names[key]
  const markOverride = fontsWithRaisedMark.includes(key) ? '' : '"Raised Sign", '
  return `${markOverride}"${family}", "${family} Fallback", ${generic === 'serif' ? 'Georgia, serif' : 'system-ui, sans-serif'}`
}

/** Families whose registered mark (®) is already small and raised (measured from the glyphs); they need no override. */
export const fontsWithRaisedMark: readonly FontKey[] = [
  'barlow',
  'barlow-condensed',
  'source-sans-3',
  'source-serif-4',
  'space-grotesk',
]

/**
 * Returns the key of the first family in a `font-family` value as `fontStack` writes it, or null when it names none of
 * these.
 */
export function fontKeyFrom(stack: string): FontKey | null {
  return fontKeys.find((key) => stack.includes(`"${names[key].family}"`)) ?? null
}

/** Returns the family name of a key as used in style sheets. */
export const fontFamily = (key: FontKey): string => names[key].family
