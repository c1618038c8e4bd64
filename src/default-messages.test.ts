import { globSync, readFileSync } from 'node:fs'
import { parseSync, traverse } from '@babel/core'
import { expect, test } from 'vitest'
import { consoleText } from './console/api/copy.ts'
import { defaultMessages } from './default-messages.ts'
import { unknownKeys } from './programs/content/messages.ts'
import { loadPrograms } from './programs/partners/load-programs.ts'

const sources = globSync('src/**/*.{ts,tsx}', { exclude: ['src/**/*.test.*'] }).map((file) => ({
  file,
  text: readFileSync(file, 'utf8'),
}))

test('GEN-004 every key that a screen or the server uses has a message', () => {
  const usedKeys = sources.flatMap(({ file, text }) =>
    [...text.matchAll(/\b(?:t|ctx\.t|translate)\(\s*'([a-z]\w*\.[\w.]+)'/g)].map(([, key]) => ({
      file,
      key: key as string,
    })),
  )
  expect(usedKeys.length).toBeGreaterThan(150)
  expect(usedKeys.filter(({ key }) => !Object.hasOwn(defaultMessages, key))).toEqual([])
})

test('ERR-020 every error code that the server throws has a message', async () => {
  const codes = new Set<string>()
  // The console has its own messages.
  for (const { text } of sources.filter(({ file }) => !/\/console(-kit)?\//.test(file)))
    for (const [, code] of text.matchAll(/new ApiError\('(\w+)'/g)) codes.add(code as string)
  // Redirects to the sign-in page without a message.
  codes.delete('unauthorized')
  const hasMessage = (key: string) => Object.hasOwn(defaultMessages, key) || consoleText(key) !== undefined
  expect([...codes].filter((code) => !hasMessage(`error.${code}`))).toEqual([])
})

test('GEN-004 a partner overrides only existing messages', () => {
  for (const [code, program] of loadPrograms('programs')) {
    expect([code, unknownKeys(defaultMessages, program.copy)]).toEqual([code, []])
  }
})

test('no message key is defined twice', () => {
  // The console has its own words for what it shares with the programs.
  const isOfProgram = (file: string) => !/[\\/]console(-kit)?[\\/]/.test(file)
  const keys = globSync('src/**/copy.ts')
    .filter(isOfProgram)
    .flatMap((file) => [...readFileSync(file, 'utf8').matchAll(/^ {2}'([\w.]+)':/gm)].map(([, key]) => key))
  expect(keys.filter((key, index) => keys.indexOf(key) !== index)).toEqual([])
})

/** Returns the literal text of a component: text between tags or in visible attributes. */
function literalTextIn(file: string, text: string): string[] {
  const found: string[] = []
  const tree = parseSync(text, { filename: file, configFile: false, parserOpts: { plugins: ['typescript', 'jsx'] } })
  const report = (content: string, line: number | undefined) => {
    if (/\p{L}/u.test(content)) found.push(`${file}:${line}: ${content.trim()}`)
  }
  if (!tree) throw new Error(`${file} cannot be read`)
  traverse(tree, {
    enter({ node, parent }) {
      const line = node.loc?.start.line
      if (node.type === 'JSXText') report(node.value, line)
      if (node.type === 'JSXAttribute' && node.value?.type === 'StringLiteral') {
        const met = /^(aria-label|aria-description|placeholder|title|alt|label|heading)$/.test(String(node.name.name))
        if (met) report(node.value.value, line)
      }
      if (node.type === 'JSXExpressionContainer' && parent?.type === 'JSXElement') {
        if (node.expression.type === 'StringLiteral') report(node.expression.value, line)
      }
    },
  })
  return found
}

test('GEN-004 no component contains literal text', () => {
  // Operators read the console, and developers the gallery and the API reference: they belong to no program, and have no
  // content.
  const isOfProgram = (file: string) => !/^src\/app\/server\/|\/console(-kit)?\//.test(file)
  const screens = sources.filter(({ file }) => file.endsWith('.tsx') && isOfProgram(file))
  expect(screens.length).toBeGreaterThan(60)
  expect(screens.flatMap(({ file, text }) => literalTextIn(file, text))).toEqual([])
  // Control: literal text in a component is found.
  const sample = '<div><p>Hello</p>{"there"}<img alt="A cat" /><b className="x">{t("a.b")}</b></div>'
  expect(literalTextIn('x.tsx', `const x = ${sample}`)).toHaveLength(3)
})
