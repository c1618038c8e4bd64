import { expect, test, vi } from 'vitest'
import { themedFrameUrl } from './themed-frame-url.ts'

test('a frame gets the colors of the page that are six hexadecimal digits', () => {
  const colors: Record<string, string> = {
    '--primary': '#123abc',
    '--text': '#1234567',
    '--ground': '#12345',
    '--control-line': 'red',
  }
  vi.stubGlobal('document', { documentElement: null })
  vi.stubGlobal('getComputedStyle', () => ({ getPropertyValue: (name: string) => colors[name] ?? '' }))
  expect(themedFrameUrl('https://vault.example/frame?intent=1')).toBe(
    'https://vault.example/frame?intent=1&primary=123abc',
  )
})
