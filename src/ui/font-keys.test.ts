import { expect, test } from 'vitest'
import { fontKeys, fontStack, fontsWithRaisedMark } from '../platform/font-keys.ts'

test('SHELL-037 the registered sign is raised, except by the five body fonts that raise it themselves', () => {
  expect(fontsWithRaisedMark).toHaveLength(5)
  for (const key of fontKeys) {
    expect([key, fontStack(key).startsWith('"Raised Sign"')]).toEqual([key, !fontsWithRaisedMark.includes(key)])
  }
})
