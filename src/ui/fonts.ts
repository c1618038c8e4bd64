import type { FontKey } from '../platform/font-keys.ts'
import barlow from './fonts/barlow.css?url'
import barlowCondensed from './fonts/barlow-condensed.css?url'
import figtree from './fonts/figtree.css?url'
import fraunces from './fonts/fraunces.css?url'
import instrumentSans from './fonts/instrument-sans.css?url'
import sourceSans from './fonts/source-sans-3.css?url'
import sourceSerif from './fonts/source-serif-4.css?url'
import spaceGrotesk from './fonts/space-grotesk.css?url'

/** Bundled stylesheet of each family. A page links only those of its theme. */
export const fontStyles: Record<FontKey, string> = {
  barlow,
  'barlow-condensed': barlowCondensed,
  figtree,
  fraunces,
  'instrument-sans': instrumentSans,
  'source-sans-3': sourceSans,
  'source-serif-4': sourceSerif,
  'space-grotesk': spaceGrotesk,
}

/** Returns the stylesheets of a theme: one or two, without duplicates. */
export function fontLinks(type: { body: FontKey; heading: FontKey }): string[] {
  return [...new Set([type.body, type.heading])].map((key) => fontStyles[key])
}
