import fc from 'fast-check'
import { expect, test } from 'vitest'
import { sanitize } from './sanitize.ts'

test('Case 22 CMS-025 active content and unsafe links are removed from content', () => {
  const bad = [
    '<script>alert(1)</script>',
    '<img src=x onerror=alert(1)>',
    '<a href="javascript:alert(1)">x</a>',
    '<a href="//evil.example">x</a>',
    '<svg onload=alert(1)>',
    '<p style="background:url(//evil.example)" onclick="x()">y</p>',
    '<iframe src="//evil.example"></iframe>',
    '<form action="//evil.example"><input></form>',
    '<p id="main" name="config">z</p>',
  ]
  for (const html of bad)
    expect(sanitize(html)).not.toMatch(/script|onerror|onload|onclick|style=|iframe|form|input|svg|img|evil|id=|name=/)
  expect(sanitize('<p>A <strong>b</strong> <a href="/terms">c</a></p>')).toBe(
    '<p>A <strong>b</strong> <a href="/terms">c</a></p>',
  )
  for (const href of ['tel:+18005550100', 'mailto:a@b.example', 'https://a.example/b'])
    expect(sanitize(`<a href="${href}">c</a>`)).toBe(`<a href="${href}">c</a>`)
  expect(sanitize('<a href="http://plain.example/">x</a>')).toBe('<a>x</a>')
  expect(sanitize('<a href="{supportEmail}">x</a>')).toBe('<a>x</a>')
})

test('sanitizing twice gives the same as sanitizing once', () => {
  fc.assert(
    fc.property(fc.string(), (html) => {
      expect(sanitize(sanitize(html))).toBe(sanitize(html))
    }),
  )
})
