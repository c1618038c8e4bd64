import { globSync, readFileSync } from 'node:fs'
import { expect, test } from 'vitest'

test('A11Y-013 no screen adds a live region together with its text', () => {
  const screens = globSync('{src/ui,src/*/**/member}/**/*.tsx').filter((file) => !/\.test\.|^src\/staging/.test(file))
  expect(screens.length).toBeGreaterThan(150)
  const added = /(?:&&|\?|:|=>|return|\|\|)\s*\(?\s*<\w+[^<>]*(?:role="status"|aria-live=)/
  // Regions that are on the page as long as their component: their text comes and goes.
  const always = /return \(\s*<p className="visually-hidden" role="status">\s*\{title\}/
  const found = screens.filter((file) => added.test(readFileSync(file, 'utf8').replace(always, '')))
  expect(found).toEqual(['src/ui/Button.tsx', 'src/ui/Field.tsx'])
})
