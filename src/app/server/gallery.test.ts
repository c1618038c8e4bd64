import pino from 'pino'
import { expect, test } from 'vitest'
import type { Program } from '../../programs/partners/context.ts'
import { loadPrograms } from '../../programs/partners/load-programs.ts'
import { createGallery } from './gallery.ts'
import { renderGallery } from './gallery-page.tsx'

/** Returns the address of the gallery's own style sheet. */
async function styleHref(programs: ReadonlyMap<string, Program>): Promise<string> {
  const app = await createGallery({
    pages: { renderGallery: ({ styles }) => styles.join() },
    programs,
    rules: { baseDomain: 'localhost', scheme: 'http', port: 3000, partners: new Set(programs.keys()) },
    logger: pino({ level: 'silent' }),
    stagingTools: false,
    styles: () => [],
  })
  const { payload } = await app.inject('/')
  await app.close()
  return payload
}

test('the style sheet of the gallery has another address when a program changes its colors', async () => {
  const programs = loadPrograms('programs')
  const before = await styleHref(programs)
  expect(before).toMatch(/^\/gallery\.css\?v=[\w-]{10}$/)
  expect(await styleHref(loadPrograms('programs'))).toBe(before)
  for (const colors of Object.values(programs.get('orchard')?.theme.colors ?? {}))
    Object.assign(colors, { header: '#123456' })
  expect(await styleHref(programs)).not.toBe(before)
})

test('a program has its tagline, else what it is; only one with members has staging tools, where these are', () => {
  const programs = loadPrograms('programs')
  const lantern = programs.get('lantern') as Program
  const silent = { ...lantern, config: { ...lantern.config, code: 'silent', tagline: '' } }
  const rules = { baseDomain: 'localhost', scheme: 'http', port: 3000, partners: new Set<string>() } as const
  const render = (stagingTools: boolean) =>
    renderGallery({ programs: [...programs.values(), silent], rules, stagingTools, styles: [] })
  const tools = (html: string) =>
    [...html.matchAll(/href="http:\/\/(\w+)\.localhost:3000\/staging-tools"/g)].map(([, code]) => code)
  expect(tools(render(true))).toEqual([...programs.keys()].filter((code) => code !== 'lantern'))
  expect(tools(render(false))).toEqual([])
  const textOf = (code: string) => new RegExp(`program-${code}".*?class="what">([^<]*)<`, 's').exec(render(false))?.[1]
  expect(textOf('lantern')).toBe(lantern.config.tagline)
  expect(textOf('silent')).toBe('A guide to the city’s tables')
})
