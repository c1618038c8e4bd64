import { expect, test } from 'vitest'
import { inlineSvg } from './svg.ts'

const drawing = (inner: string) => `<svg xmlns="http://www.w3.org/2000/svg">${inner}</svg>`

test('styles are converted to presentation attributes', () => {
  const styled = drawing('<style>.a{fill:#123456}#b{stroke:red}</style><path class="a" id="b" d="M0 0h9"/>')
  expect(inlineSvg(styled)).toBe(drawing('<path id="b" d="M0 0h9" fill="#123456" stroke="red"/>'))
})

test('an id outweighs a class, a class an element, and of equal rules the last one counts, in any order', () => {
  const path = '<path class="a b" id="c" d="M0 0h9"/>'
  for (const [rules, fill] of [
    ['#c{fill:red}.a{fill:blue}path{fill:lime}', 'red'],
    ['.a{fill:blue}path{fill:lime}', 'blue'],
    ['.b{fill:red}.a{fill:blue}', 'blue'],
  ]) {
    const styled = inlineSvg(drawing(`<style>${rules}</style>${path}`))
    expect([rules, /fill="(\w+)"/.exec(styled)?.[1]]).toEqual([rules, fill])
  }
})

test('scripts and external references are rejected, however they are written', () => {
  const active = [
    '<script>x</script>',
    '<path onload="x"/>',
    '<path/onload="x"/>',
    `<path d='M0 0'onload="x"/>`,
    '<a href="https://evil.example"><path/></a>',
    '<image href=https://evil.example/x.png />',
    '<style>path{x/onload=alert(1)//:v}</style><path d="M0 0"/>',
  ]
  for (const inner of active) expect(() => inlineSvg(drawing(inner)), inner).toThrow()
})

test('a byte order mark, and !important in styles, are left out', () => {
  const path = '<path class="a" d="M0 0h9"/>'
  expect(inlineSvg(`\uFEFF${drawing(`<style>.a{fill:red!important;stroke:blue !IMPORTANT}</style>${path}`)}`)).toBe(
    drawing('<path d="M0 0h9" fill="red" stroke="blue"/>'),
  )
})
