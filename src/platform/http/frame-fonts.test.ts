import { readFileSync } from 'node:fs'
import fastify from 'fastify'
import { expect, test } from 'vitest'
import { fontKeys } from '../font-keys.ts'
import { frameFont, serveFrameFonts } from './frame-fonts.ts'

test('a frame names the files and weights of its font as the styles of the app do, and its server has the files', async () => {
  const app = fastify()
  serveFrameFonts(app)
  for (const key of fontKeys) {
    const faces = (css: string) =>
      [...css.matchAll(/font-weight:\s*([^;]+);[^}]*?\/([^/]+\.woff2)/g)].map(([, weight, name]) => `${name} ${weight}`)
    const named = faces(frameFont(new URLSearchParams({ font: key })))
    const known = faces(readFileSync(new URL(`../../ui/fonts/${key}.css`, import.meta.url), 'utf8'))
    expect([key, named.length > 1, named.filter((face) => !known.includes(face))]).toEqual([key, true, []])
    for (const face of named) expect((await app.inject(`/fonts/${face.split(' ')[0]}`)).statusCode).toBe(200)
  }
})
