import { createHash } from 'node:crypto'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { extname, join } from 'node:path'
import { z } from 'zod'
import { FormDefinition } from '../surveys/form-definition.ts'
import type { Picture, Program } from './context.ts'
import { ProgramConfig } from './contract.ts'
import { parseTheme, themeCss } from './theme.ts'

const Copy = z.record(z.string(), z.string())
const Content = z.record(
  z.string(),
  z.array(z.strictObject({ slug: z.string(), fields: z.record(z.string(), z.unknown()) })),
)

const Forms = z.array(FormDefinition)

/** A program folder that cannot be used; the message names the file and what is wrong in it. */
export class ProgramError extends Error {}

/**
 * Reads every folder of `directory` that has a `program.json`. Adding a program is adding a folder.
 * Throws ProgramError on the first file that is not valid.
 */
export function loadPrograms(directory: string): Map<string, Program> {
  const folders = readdirSync(directory, { withFileTypes: true }).filter((entry) => entry.isDirectory())
  const programs = new Map<string, Program>()
  for (const { name } of folders) {
    const folder = join(directory, name)
    if (!existsSync(join(folder, 'program.json'))) continue
    const program = loadProgram(folder)
    if (program.config.code !== name) {
      throw new ProgramError(`${folder}/program.json: code is "${program.config.code}" but the folder is "${name}"`)
    }
    programs.set(name, program)
  }
  if (programs.size === 0) throw new ProgramError(`${directory}: no program folder has a program.json`)
  return programs
}

function loadProgram(folder: string): Program {
  const theme = parseTheme(readRaw(folder, 'theme.json'), join(folder, 'theme.json'))
  const css = themeCss(theme)
  return {
    config: readJson(folder, 'program.json', ProgramConfig),
    theme,
    themeCss: css,
    themeHref: `/theme.css?v=${createHash('sha256').update(css).digest('base64url').slice(0, 10)}`,
    copy: readJson(folder, 'copy.json', Copy, {}),
    content: readJson(folder, 'content.json', Content, {}),
    forms: new Map(readJson(folder, 'forms.json', Forms, []).map((form) => [form.id, form])),
    images: readPictures(join(folder, 'images')),
    logo: readSvg(folder, 'logo.svg'),
    mark: readSvg(folder, 'mark.svg'),
  }
}

function readRaw(folder: string, file: string, absent?: unknown): unknown {
  const path = join(folder, file)
  if (!existsSync(path) && absent !== undefined) return absent
  try {
    return JSON.parse(readFileSync(path, 'utf8'))
  } catch (error) {
    throw new ProgramError(`${path}: ${(error as Error).message}`)
  }
}

function readJson<T>(folder: string, file: string, schema: z.ZodType<T>, absent?: unknown): T {
  const parsed = schema.safeParse(readRaw(folder, file, absent))
  if (parsed.success) return parsed.data
  const wrong = parsed.error.issues.map((issue) => `${issue.path.join('.') || 'file'}: ${issue.message}`)
  throw new ProgramError(`${join(folder, file)}: ${wrong.join('; ')}`)
}

// The file becomes part of our pages: nothing in it may run or reach out.
function readSvg(folder: string, file: string): string {
  const path = join(folder, file)
  if (!existsSync(path)) throw new ProgramError(`${path}: is missing`)
  const svg = readFileSync(path, 'utf8').trim()
  if (!svg.startsWith('<svg')) throw new ProgramError(`${path}: must begin with <svg`)
  refuseActiveSvg(svg, path)
  return svg
}

function refuseActiveSvg(svg: string, path: string): void {
  if (/<script|<foreignObject|\son\w+\s*=|javascript:|<!|href\s*=\s*["'](?!#)/i.test(svg)) {
    throw new ProgramError(`${path}: scripts, handlers and outside references are not allowed`)
  }
}

const pictureTypes: Record<string, string> = {
  '.svg': 'image/svg+xml',
  '.webp': 'image/webp',
  '.avif': 'image/avif',
  '.png': 'image/png',
  '.jpg': 'image/jpeg',
}

/** Every picture of a folder; throws ProgramError on a file that is none, or an SVG that could do more than be seen. */
function readPictures(folder: string): Map<string, Picture> {
  if (!existsSync(folder)) return new Map()
  return new Map(
    readdirSync(folder).map((name) => {
      const type = pictureTypes[extname(name)]
      if (!type || !/^[\w-]+(\.[\w-]+)*$/.test(name)) throw new ProgramError(`${folder}/${name}: is no picture`)
      const body = readFileSync(join(folder, name))
      if (type === pictureTypes['.svg']) refuseActiveSvg(body.toString(), join(folder, name))
      return [name, { type, body }]
    }),
  )
}
