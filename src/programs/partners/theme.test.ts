import { expect, test } from 'vitest'
import type { Program } from './context.ts'
import { loadPrograms } from './load-programs.ts'
import { themeCss } from './theme.ts'

const { theme } = loadPrograms('programs').get('skyharbor') as Program
const { light, dark } = theme.colors
const colors = { light: { ...light, ground: '#fefefe' }, dark: { ...dark, ground: '#010101' } }

/** Returns the selectors of a stylesheet that set colors, with the color scheme and the color of the page. */
const modesOf = (css: string) =>
  [...css.matchAll(/^(.*?)\{color-scheme:(\w+);--ground:(#\w+)/gm)].map(([, ...parts]) => parts)

test('a light theme follows the system, and a chosen mode counts before that of the system', () => {
  expect(modesOf(themeCss({ ...theme, defaultMode: 'light', colors }))).toEqual([
    [':root', 'light', '#fefefe'],
    ['@media (prefers-color-scheme:dark){:root:not([data-mode="light"])', 'dark', '#010101'],
    [':root[data-mode="dark"]', 'dark', '#010101'],
  ])
})

test('a dark theme is light only when that is chosen', () => {
  expect(modesOf(themeCss({ ...theme, defaultMode: 'dark', colors }))).toEqual([
    [':root', 'dark', '#010101'],
    [':root[data-mode="light"]', 'light', '#fefefe'],
  ])
})
