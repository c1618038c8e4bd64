import { globSync, readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { unknownKeys } from '../content/rules.ts'
import { loadPrograms } from '../partners/load-programs.ts'
import { defaultDeck } from './deck.ts'

const sources = globSync('src/**/*.{ts,tsx}', { exclude: ['src/**/*.test.*'] }).map((file) => ({
  file,
  text: readFileSync(file, 'utf8'),
}))

test('GEN-004 every key that a screen or the server asks for is in the deck', () => {
  const asked = sources.flatMap(({ file, text }) =>
    [...text.matchAll(/\b(?:t|ctx\.word|word)\(\s*'([a-z]\w*\.[\w.]+)'/g)].map(([, key]) => ({
      file,
      key: key as string,
    })),
  )
  expect(asked.length).toBeGreaterThan(150)
  expect(asked.filter(({ key }) => !Object.hasOwn(defaultDeck, key))).toEqual([])
})

test('ERR-020 every refusal that a call declares has words', async () => {
  const codes = new Set<string>()
  for (const { text } of sources)
    for (const [, code] of text.matchAll(/new Refusal\('(\w+)'/g)) codes.add(code as string)
  expect([...codes].filter((code) => !Object.hasOwn(defaultDeck, `refusal.${code}`))).toEqual([])
})

test('GEN-004 a partner overrides only words that exist', () => {
  for (const [code, program] of loadPrograms('programs')) {
    expect([code, unknownKeys(defaultDeck, program.copy)]).toEqual([code, []])
  }
})

test('no room says a thing under another room’s key twice', () => {
  const keys = globSync('src/*/copy.ts').flatMap((file) =>
    [...readFileSync(file, 'utf8').matchAll(/^ {2}'([\w.]+)':/gm)].map(([, key]) => key),
  )
  expect(keys.filter((key, index) => keys.indexOf(key) !== index)).toEqual([])
})

test('GEN-004 no component says anything by itself', () => {
  const screens = sources.filter(({ file }) => file.endsWith('.tsx') && !file.startsWith('src/app/'))
  const said = screens.flatMap(({ file, text }) =>
    // Words between tags, or in an attribute that people meet.
    [...text.matchAll(/>\s*([A-Z][a-z]+(?: [a-z]+)*)\s*<\/|(?:aria-label|placeholder|title|alt)="([^"]+)"/g)].map(
      ([found]) => `${file}: ${found}`,
    ),
  )
  expect(said).toEqual([])
})
