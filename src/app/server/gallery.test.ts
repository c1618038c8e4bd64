import pino from 'pino'
import { expect, test } from 'vitest'
import type { Program } from '../../programs/partners/context.ts'
import { loadPrograms } from '../../programs/partners/load-programs.ts'
import { createGallery } from './gallery.ts'

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
