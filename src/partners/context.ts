import type { FormDefinition } from '../surveys/form-definition.ts'
import type { FeatureFlags, ProgramConfig } from './contract.ts'
import type { Theme } from './theme.ts'

/** One partner's program, read from its folder under `programs/`. */
export interface Program {
  /** The path of the folder, for messages. */
  folder: string
  config: ProgramConfig
  theme: Theme
  /** The theme as a stylesheet, and its address; the address changes with the content. */
  themeCss: string
  themeHref: string
  /** What the folder brings along as content: it is seeded, and edited from then on. */
  copy: Record<string, string>
  content: Record<string, ContentEntry[]>
  /** Forms of the built-in form service, by id. */
  forms: ReadonlyMap<string, FormDefinition>
  /** Pictures that content may show, by their name under `/images/`. */
  images: ReadonlyMap<string, Picture>
  /** Inline SVG; colours come from custom properties. */
  logo: string
  mark: string
}

export interface Picture {
  type: string
  body: Buffer
}

export interface ContentEntry {
  slug: string
  fields: Record<string, unknown>
}

declare module '../kit/server/context.ts' {
  interface Ctx {
    program: Program
    /** The run-time switches of this moment; `program.config` follows them already. */
    flags: FeatureFlags
  }
}
