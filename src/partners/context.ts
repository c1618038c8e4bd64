import type { ProgramConfig } from './contract.ts'
import type { Theme } from './theme.ts'

/** One partner's program, read from its folder under `programs/`. */
export interface Program {
  config: ProgramConfig
  theme: Theme
  /** The theme as a stylesheet, and its address; the address changes with the content. */
  themeCss: string
  themeHref: string
  /** Overrides of the default copy deck, by key. */
  copy: Record<string, string>
  /** Content collections by name: `home`, `footer` in `*`, ... */
  content: Record<string, ContentEntry[]>
  /** Inline SVG; colours come from custom properties. */
  logo: string
  mark: string
}

export interface ContentEntry {
  slug: string
  fields: Record<string, unknown>
}

declare module '../kit/server/context.ts' {
  interface Ctx {
    program: Program
  }
}
