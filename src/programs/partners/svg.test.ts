import { expect, test } from 'vitest'
import { inlineSvg } from './svg.ts'

const drawing = (inner: string) => `<svg xmlns="http://www.w3.org/2000/svg">${inner}</svg>`

test('styles are converted to presentation attributes', () => {
  const styled = drawing('<style>.a{fill:#123456}#b{stroke:red}</style><path class="a" id="b" d="M0 0h9"/>')
  expect(inlineSvg(styled)).toBe(drawing('<path id="b" d="M0 0h9" fill="#123456" stroke="red"/>'))
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
