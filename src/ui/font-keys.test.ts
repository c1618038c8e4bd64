import { expect, test } from 'vitest'
import { fontKeys, fontStack, fontsWithRaisedSigns } from '../platform/font-keys.ts'

test('SHELL-037 the registered sign is raised, unless the body font is one of the five that raise it themselves', () => {
  expect(fontsWithRaisedSigns).toHaveLength(5)
  for (const key of fontKeys) {
    expect([key, fontStack(key).startsWith('"Raised Sign"')]).toEqual([key, !fontsWithRaisedSigns.includes(key)])
  }
})
