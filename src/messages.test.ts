import { globSync, readFileSync } from 'node:fs'
import { parseSync, traverse } from '@babel/core'
import { expect, test } from 'vitest'
import { defaultDeck } from './messages.ts'
import { unknownKeys } from './programs/content/rules.ts'
import { loadPrograms } from './programs/partners/load-programs.ts'

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
  // The console has its own messages.
  for (const { text } of sources.filter(({ file }) => !file.startsWith('src/console/operators/')))
    for (const [, code] of text.matchAll(/new Refusal\('(\w+)'/g)) codes.add(code as string)
  // Redirects to the sign-in page without a message.
  codes.delete('unauthorized')
  expect([...codes].filter((code) => !Object.hasOwn(defaultDeck, `refusal.${code}`))).toEqual([])
})

test('GEN-004 a partner overrides only words that exist', () => {
  for (const [code, program] of loadPrograms('programs')) {
    expect([code, unknownKeys(defaultDeck, program.copy)]).toEqual([code, []])
  }
})

test('no room says a thing under another room’s key twice', () => {
  const keys = globSync('src/**/copy.ts').flatMap((file) =>
    [...readFileSync(file, 'utf8').matchAll(/^ {2}'([\w.]+)':/gm)].map(([, key]) => key),
  )
  expect(keys.filter((key, index) => keys.indexOf(key) !== index)).toEqual([])
})

/** Returns the literal text of a component: text between tags or in visible attributes. */
function spokenIn(file: string, text: string): string[] {
  const said: string[] = []
  const tree = parseSync(text, { filename: file, configFile: false, parserOpts: { plugins: ['typescript', 'jsx'] } })
  const note = (words: string, line: number | undefined) => {
    if (/\p{L}/u.test(words)) said.push(`${file}:${line}: ${words.trim()}`)
  }
  if (!tree) throw new Error(`${file} cannot be read`)
  traverse(tree, {
    enter({ node, parent }) {
      const line = node.loc?.start.line
      if (node.type === 'JSXText') note(node.value, line)
      if (node.type === 'JSXAttribute' && node.value?.type === 'StringLiteral') {
        const met = /^(aria-label|aria-description|placeholder|title|alt|label|heading)$/.test(String(node.name.name))
        if (met) note(node.value.value, line)
      }
      if (node.type === 'JSXExpressionContainer' && parent?.type === 'JSXElement') {
        if (node.expression.type === 'StringLiteral') note(node.expression.value, line)
      }
    },
  })
  return said
}

test('GEN-004 no component says anything by itself', () => {
  const screens = sources.filter(({ file }) => file.endsWith('.tsx'))
  expect(screens.length).toBeGreaterThan(60)
  expect(screens.flatMap(({ file, text }) => spokenIn(file, text))).toEqual([])
  // Control: literal text in a component is found.
  const sample = '<div><p>Hello</p>{"there"}<img alt="A cat" /><b className="x">{t("a.b")}</b></div>'
  expect(spokenIn('x.tsx', `const x = ${sample}`)).toHaveLength(3)
})
