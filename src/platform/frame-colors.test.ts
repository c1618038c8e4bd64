import { expect, test } from 'vitest'
import { frameColors } from './frame-colors.ts'

const colorsOf = (query: string) => frameColors(new URLSearchParams(query)).split(';')

test('the controls that a browser draws in a frame follow its ground', () => {
  const scheme = (ground: string) => colorsOf(`ground=${ground}`)[0]
  expect(['ffffff', '767676', 'faf3e0', ''].map(scheme)).toEqual(Array(4).fill('color-scheme:light'))
  expect(['000000', '757575', '0a1b3d', '12100E'].map(scheme)).toEqual(Array(4).fill('color-scheme:dark'))
})

test('a color that is none is replaced, and nothing else of the address is taken', () => {
  const given = colorsOf('ground=0a1b3d&text=red&focus=fff;}body{&other=123456')
  expect(given).toContain('--ground:#0a1b3d')
  expect(given).toContain('--text:#1b1b1b')
  expect(given).toContain('--focus:#1a56db')
  expect(given.join()).not.toMatch(/other|123456|body/)
})
