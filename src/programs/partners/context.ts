import type { FeatureFlags, ProgramConfig } from './contract.ts'
import type { FormDefinition } from './form-definition.ts'
import type { Logo } from './logo.ts'
import type { PreviewImage } from './preview-image.ts'
import type { Theme } from './theme.ts'

/** One partner's program, loaded from its folder under `programs/`. */
export interface Program {
  /** Path of the folder, for messages. */
  folder: string
  config: ProgramConfig
  theme: Theme
  /** The theme as a stylesheet, and its URL, which contains a content hash. */
  themeCss: string
  themeHref: string
  /** Content of the folder: seeded into the database and edited there. */
  copy: Record<string, string>
  content: Record<string, ContentEntry[]>
  /** Forms of the built-in form service, by id. */
  forms: ReadonlyMap<string, FormDefinition>
  /** Images for content, by file name under `/images/`. */
  images: ReadonlyMap<string, ProgramImage>
  /** Inline SVG; colors come from custom properties. */
  logo: string
  mark: string
  /** The logo as a file with an id, and how pages show it. */
  logoSvg: string
  shownLogo: Logo
  /** The image of pages without one of their own, for link previews. */
  previewImage: PreviewImage
}

export interface ProgramImage {
  type: string
  body: Buffer
}

export interface ContentEntry {
  slug: string
  fields: Record<string, unknown>
}

declare module '../../platform/http/context.ts' {
  interface Ctx {
    program: Program
    /** Current feature flags; `program.config` already reflects them. */
    flags: FeatureFlags
  }
}
