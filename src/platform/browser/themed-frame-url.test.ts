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

test('a frame gets each color by the name that the page has for it, and the font', () => {
  const values: Record<string, string> = {
    '--ground': ' #000001 ',
    '--text': '#000002',
    '--text-muted': '#000003',
    '--control-line': '#000004',
    '--on-primary': '#000005',
    '--font-body': '"Raised Sign", "Figtree", "Figtree Fallback", system-ui, sans-serif',
    // Other colors of the page.
    '--line': '#00000a',
    '--muted': '#00000b',
  }
  vi.stubGlobal('document', { documentElement: null })
  vi.stubGlobal('getComputedStyle', () => ({ getPropertyValue: (name: string) => values[name] ?? '' }))
  const { searchParams } = new URL(themedFrameUrl('https://vault.example/frame'))
  expect(Object.fromEntries(searchParams)).toEqual({
    ground: '000001',
    text: '000002',
    muted: '000003',
    line: '000004',
    onPrimary: '000005',
    font: 'figtree',
  })
})
