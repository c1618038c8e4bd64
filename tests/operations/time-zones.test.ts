import { globSync, readFileSync } from 'node:fs'
import { expect, test } from 'vitest'

/** Returns the arguments of a call, from the position after its opening parenthesis. */
function argumentsAt(text: string, start: number): string {
  let depth = 1
  let end = start
  while (depth > 0 && end < text.length) {
    if (text[end] === '(') depth++
    if (text[end] === ')') depth--
    end++
  }
  return text.slice(start, end - 1)
}

test('every format of a date or time names its time zone: that of the server or of the browser is never meant', () => {
  const formats = globSync('{src,vault,forms,id,scripts}/**/*.{ts,tsx}', { exclude: ['**/*.test.*'] }).flatMap(
    (file) => {
      const text = readFileSync(file, 'utf8')
      return [...text.matchAll(/\b(DateTimeFormat|toLocaleDateString|toLocaleTimeString)\(/g)].map(
        ({ index, 0: call }) => ({
          file,
          given: argumentsAt(text, index + call.length),
        }),
      )
    },
  )
  expect(formats.length).toBeGreaterThan(10)
  // Without arguments, a call returns the zone of the browser.
  expect(formats.filter(({ given }) => given !== '' && !/\btimeZone\b/.test(given))).toEqual([])
})
