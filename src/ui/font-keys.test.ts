import { expect, test } from 'vitest'
import { fontKeys, fontStack, fontsWithRaisedMark } from '../platform/font-keys.ts'
import { fontLinks, fontStyles } from './fonts.ts'

test('SHELL-037 the registered sign is raised, except by the five body fonts that raise it themselves', () => {
  expect(fontsWithRaisedMark).toHaveLength(5)
  for (const key of fontKeys) {
    expect([key, fontStack(key).startsWith('"Raised Sign"')]).toEqual([key, !fontsWithRaisedMark.includes(key)])
  }
})

test('a page links the stylesheets of the fonts of its theme, each once', () => {
  const { fraunces, figtree } = fontStyles
  expect(fontLinks({ body: 'figtree', heading: 'fraunces' })).toEqual([figtree, fraunces])
  expect(fontLinks({ body: 'figtree', heading: 'figtree' })).toEqual([figtree])
})
