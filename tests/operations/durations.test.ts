import { globSync, readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { durationsOf } from '../support/durations-of.ts'

test('a duration is found with its name, in code and in queries', () => {
  const code = `
    const ttlMs = 2 * (HOUR + 30 * MINUTE)
    const options = { timeout: 4 * SECOND, maxAge: DAY / SECOND, pollSeconds: 5, size: 6 }
    function isLate(at: Date, days: number, waitMs = 500) {
      return now() > at.getTime() + DAY / 2 && days * DAY > 0 && sql\`now() - interval '3 days'\`
    }`
  expect(durationsOf('a.ts', code)).toEqual([
    'ttlMs: 3 h',
    'options timeout: 4 s',
    'options maxAge: 86400',
    'options pollSeconds: 5',
    'isLate waitMs: 500',
    'isLate: 12 h',
    'isLate: 3 days in SQL',
  ])
})

test('the durations in the code are exactly those listed', async () => {
  const files = globSync('{src,vault,forms,id}/**/*.{ts,tsx}', {
    exclude: ['**/*.test.*', '**/*.d.ts', '**/examples.ts'],
  }).sort()
  const sections = files.flatMap((file) => {
    const lines = durationsOf(file, readFileSync(file, 'utf8'))
    return lines.length > 0 ? [file, ...lines.map((line) => `  ${line}`)] : []
  })
  await expect(`${sections.join('\n')}\n`).toMatchFileSnapshot('durations.txt')
})
