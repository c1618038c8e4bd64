import { expect, test } from 'vitest'
import { createUsedStyles } from './used-styles.ts'

const used = (sheet: string, html = '<p class="a b">') => createUsedStyles(sheet)(html)

test('rules are kept when the page has all their classes, in their order', () => {
  expect(used('.b{x:1}.c{x:2}.a .b{x:3}.a.c{x:4}.a:hover,.c{x:5}')).toBe('.b{x:1}.a .b{x:3}.a:hover,.c{x:5}')
})

test('rules without classes and font faces are kept', () => {
  const sheet = ':root{--x:1}p[hidden]{x:1}details[open]{x:1}@font-face{font-family:X}'
  expect(used(sheet)).toBe(sheet)
})

test('keyframes are kept when a kept rule names them', () => {
  const [turn, fade] = ['@keyframes turn{to{x:1}}', '@keyframes fade{to{x:1}}']
  expect(used(`${turn}${fade}.a{animation:2s fade}.c{animation:turn 2s}`)).toBe(`${fade}.a{animation:2s fade}`)
})

test('rules for attributes that only a script can set are kept when the page has them', () => {
  const sheet =
    '.a[data-on]{x:1}.a[data-on=yes]{x:2}.a[data-on="no"]{x:3}[aria-busy=true] .b{x:4}.a:not([data-off]){x:5}'
  expect(used(sheet, '<p class="a b" data-on="no" aria-busy="false">')).toBe(
    '.a[data-on]{x:1}.a[data-on="no"]{x:3}.a:not([data-off]){x:5}',
  )
})

test('rules in media queries are selected, and an unused query is omitted', () => {
  const sheet = '@media print{.a{x:1}.c{x:2}}@media (min-width:10px){.c{x:3}}@media print{.b{x:4}}.a{x:5}'
  expect(used(sheet)).toBe('@media print{.a{x:1}.b{x:4}}.a{x:5}')
})

test('classes that a selector excludes or offers as an alternative are not required', () => {
  const sheet = '.a:not(.c){x:1}.a:is(.c,.d){x:2}.a:where(:not(.c)) .b{x:3}.a:has(.c){x:4}'
  expect(used(sheet)).toBe('.a:not(.c){x:1}.a:is(.c,.d){x:2}.a:where(:not(.c)) .b{x:3}')
})

test('only attributes count as classes, not texts', () => {
  expect(used('.c{x:1}.a{x:2}', '<p class="a">.c class=&quot;c&quot;</p>')).toBe('.a{x:2}')
})

test('a sheet that is no CSS is rejected', () => {
  expect(() => used('.a{')).toThrow('Unclosed block')
})
