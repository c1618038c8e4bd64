/** The families a theme may name. Free of bundler imports, so that the theme schema can read it anywhere. */
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
  'source-sans-3': { family: 'Source Sans 3', generic: 'sans-serif' },
  'source-serif-4': { family: 'Source Serif 4', generic: 'serif' },
  'space-grotesk': { family: 'Space Grotesk', generic: 'sans-serif' },
}

/**
 * The value of `font-family`: the web font, its size-adjusted stand-in, then what the device has. A family that draws
 * its registered sign large is given a raised one, so that the sign is a superscript wherever it stands.
 */
export function fontStack(key: FontKey): string {
  const { family, generic } = names[key]
  const sign = fontsWithRaisedSigns.includes(key) ? '' : '"Raised Sign", '
  return `${sign}"${family}", "${family} Fallback", ${generic === 'serif' ? 'Georgia, serif' : 'system-ui, sans-serif'}`
}

/**
 * These five draw their registered sign small and raised already (measured from the glyphs): nothing is done to it.
 */
export const fontsWithRaisedSigns: readonly FontKey[] = [
  'barlow',
  'barlow-condensed',
  'source-sans-3',
  'source-serif-4',
  'space-grotesk',
]

/** The family that a `font-family` value names first, as `fontStack` writes it; null when it names none of ours. */
export function fontKeyIn(stack: string): FontKey | null {
  return fontKeys.find((key) => stack.includes(`"${names[key].family}"`)) ?? null
}

/** The family of a key, as style sheets name it. */
export const fontFamily = (key: FontKey): string => names[key].family
