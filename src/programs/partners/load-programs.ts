import { createHash } from 'node:crypto'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { extname, join } from 'node:path'
import { z } from 'zod'
import { unstorablePath } from '../../platform/text.ts'
import type { Program, ProgramImage } from './context.ts'
import { describeIssues } from './describe-issues.ts'
import { fillConfig, fillDeep, fillMarkup } from './fill-program.ts'
import { FormDefinition } from './form-definition.ts'
import { isReferable, type Logo, logoId, viewBoxOf } from './logo.ts'
import { createPreviewImage } from './preview-image.ts'
import { clientIdOf, copyTokens } from './rules.ts'
import { ProgramConfig } from './schemas.ts'
import { inlineSvg, rejectActiveSvg, withoutProlog } from './svg.ts'
import { parseTheme, type Theme, themeCss } from './theme.ts'

const Copy = z.record(z.string(), z.string())
const Content = z.record(
  z.string(),
  z.array(z.strictObject({ slug: z.string(), fields: z.record(z.string(), z.unknown()) })),
)

const Forms = z.array(FormDefinition)

/** Invalid program folders; each line of the message names a file and its error. */
export class ProgramError extends Error {}

/**
 * Loads every folder of `directory` that has a `program.json`; a new folder adds a program. Throws ProgramError with a
 * line for each invalid folder.
 */
export function loadPrograms(directory: string): Map<string, Program> {
  if (!existsSync(directory)) throw new ProgramError(`${directory}: there is no such folder`)
  const folders = readdirSync(directory, { withFileTypes: true }).filter((entry) => entry.isDirectory())
  const programs = new Map<string, Program>()
  const problems: string[] = []
  for (const { name } of folders) {
    const folder = join(directory, name)
    if (!existsSync(join(folder, 'program.json'))) continue
    try {
      const program = loadProgram(folder)
      const { code } = program.config
      if (code === name) programs.set(name, program)
      else problems.push(`${folder}/program.json: code must be "${name}", as its folder is; it is "${code}"`)
    } catch (error) {
      if (!(error instanceof ProgramError)) throw error
      problems.push(error.message)
    }
  }
  problems.push(...sharedNames(programs))
  if (problems.length > 0) throw new ProgramError(problems.join('\n'))
  if (programs.size === 0) throw new ProgramError(`${directory}: no program folder has a program.json`)
  return programs
}

function loadProgram(folder: string): Program {
  const problems: string[] = []
  const part = <T>(read: () => T): T | undefined => {
    try {
      return read()
    } catch (error) {
      if (!(error instanceof ProgramError)) throw error
      problems.push(error.message)
      return undefined
    }
  }
  const read = {
    config: part(() => fillConfig(readJson(folder, 'program.json', ProgramConfig))),
    theme: part(() => readTheme(folder)),
    copy: part(() => readJson(folder, 'copy.json', Copy, {})),
    content: part(() => readJson(folder, 'content.json', Content, {})),
    forms: part(() => readJson(folder, 'forms.json', Forms, [])),
    images: part(() => readImages(join(folder, 'images'))),
    logo: part(() => readSvg(folder, 'logo.svg')),
    mark: part(() => readSvg(folder, 'mark.svg')),
  }
  if (problems.length > 0) throw new ProgramError(problems.join('\n'))
  const { config, theme, forms, logo, mark, ...rest } = read as {
    [K in keyof typeof read]: NonNullable<(typeof read)[K]>
  }
  const css = themeCss(theme)
  const filledLogo = fillMarkup(logo, config)
  const filledMark = fillMarkup(mark, config)
  return {
    ...rest,
    folder,
    config,
    theme,
    themeCss: css,
    themeHref: `/theme.css?v=${hashOf(css)}`,
    forms: new Map(fillDeep(forms, copyTokens(config)).map((form) => [form.id, form])),
    logo: filledLogo,
    ...logoFile(filledLogo),
    mark: filledMark,
    previewImage: createPreviewImage(filledMark, theme),
  }
}

const hashOf = (text: string) => createHash('sha256').update(text).digest('base64url').slice(0, 10)

/** Returns the logo as pages show it, and the file that they reference. */
function logoFile(svg: string): Pick<Program, 'logoSvg' | 'shownLogo'> {
  const root = /^<svg[^>]*>/.exec(svg)?.[0] ?? ''
  const logoSvg = svg.replace(root, root.replace(/\sid="[^"]*"/, '').replace('<svg', `<svg id="${logoId}"`))
  const shownLogo: Logo = isReferable(svg)
    ? { kind: 'file', href: `/logo.svg?v=${hashOf(logoSvg)}`, viewBox: viewBoxOf(svg) ?? '' }
    : { kind: 'inline', svg }
  return { logoSvg, shownLogo }
}

/** Values that must be unique across programs, by field of `program.json`. */
const ownNames: [field: string, nameOf: (config: ProgramConfig) => string | undefined][] = [
  ['formServiceCode', (config) => config.formServiceCode],
  ['sso.clientId', (config) => (config.sso?.issuer === 'sample' ? clientIdOf(config) : undefined)],
]

/** Returns a line for each duplicate value. */
function sharedNames(programs: ReadonlyMap<string, Program>): string[] {
  return ownNames.flatMap(([field, nameOf]) => {
    const owners = new Map<string, string>()
    return [...programs.values()].flatMap(({ folder, config }) => {
      const name = nameOf(config)
      if (name === undefined) return []
      const other = owners.get(name)
      if (other === undefined) owners.set(name, folder)
      const remedy = 'leave it out, and it is the code of the program'
      return other === undefined
        ? []
        : [`${folder}/program.json: ${field} "${name}" is also that of ${other}: ${remedy}`]
    })
  })
}

function readTheme(folder: string): Theme {
  const path = join(folder, 'theme.json')
  try {
    return parseTheme(readRaw(folder, 'theme.json'), path)
  } catch (error) {
    throw error instanceof ProgramError ? error : new ProgramError((error as Error).message)
  }
}

function readRaw(folder: string, file: string, absent?: unknown): unknown {
  const path = join(folder, file)
  if (!existsSync(path) && absent !== undefined) return absent
  if (!existsSync(path)) throw new ProgramError(`${path}: is missing`)
  try {
    return JSON.parse(readFileSync(path, 'utf8'))
  } catch (error) {
    throw new ProgramError(`${path}: ${(error as Error).message}`)
  }
}

function readJson<T>(folder: string, file: string, schema: z.ZodType<T>, absent?: unknown): T {
  const raw = readRaw(folder, file, absent)
  const parsed = schema.safeParse(raw)
  // Entries of content are checked one by one, where they are stored.
  const unstorable = file === 'content.json' || file === 'copy.json' ? null : unstorablePath(raw)
  if (unstorable !== null)
    throw new ProgramError(`${join(folder, file)}: ${unstorable} has a character that cannot be stored`)
  if (parsed.success) return parsed.data
  throw new ProgramError(`${join(folder, file)}: ${describeIssues(parsed.error).join('; ')}`)
}

// The SVG becomes part of our pages: it must not contain scripts or external references.
function readSvg(folder: string, file: string): string {
  const path = join(folder, file)
  if (!existsSync(path)) throw new ProgramError(`${path}: is missing`)
  return orProblem(path, () => inlineSvg(readFileSync(path, 'utf8')))
}

function orProblem<T>(path: string, work: () => T): T {
  try {
    return work()
  } catch (error) {
    throw new ProgramError(`${path}: ${(error as Error).message}`)
  }
}

const imageTypes: Record<string, string> = {
  '.svg': 'image/svg+xml',
  '.webp': 'image/webp',
  '.avif': 'image/avif',
  '.png': 'image/png',
  '.jpg': 'image/jpeg',
}

/** Loads every image of a folder. Throws ProgramError on a file that is not an image, or an SVG with active content. */
function readImages(folder: string): Map<string, ProgramImage> {
  if (!existsSync(folder)) return new Map()
  return new Map(
    readdirSync(folder).map((name) => {
      const type = imageTypes[extname(name)]
      if (!type || !/^[\w-]+(\.[\w-]+)*$/.test(name)) throw new ProgramError(`${folder}/${name}: is no picture`)
      const body = readFileSync(join(folder, name))
      if (type === imageTypes['.svg']) {
        orProblem(join(folder, name), () => rejectActiveSvg(withoutProlog(body.toString())))
      }
      return [name, { type, body }]
    }),
  )
}
