import { expect, test } from 'vitest'
import { renderDocument, renderPlainPage, StaticPage } from './static-page.tsx'

test('a page without scripts fits the screen of a phone, and has its language, title and further elements', () => {
  const html = renderDocument(
    <StaticPage title="Plain & simple" className="page" head={<meta name="robots" content="noindex" />}>
      <h1>Hello</h1>
    </StaticPage>,
  )
  expect(html).toBe(
    '<!doctype html><html lang="en-US"><head><meta charSet="utf-8"/>' +
      '<meta name="viewport" content="width=device-width, initial-scale=1"/><title>Plain &amp; simple</title>' +
      '<meta name="robots" content="noindex"/></head><body class="page"><h1>Hello</h1></body></html>',
  )
})

test('a plain page has a paragraph for each text', () => {
  expect(renderPlainPage('Bye', ['One <two>', 'three'])).toContain(
    '<title>Bye</title></head><body><p>One &lt;two&gt;</p><p>three</p></body>',
  )
})

test('EMU-008 the link of a plain page leads the whole window, since the page may be in a frame', () => {
  expect(renderPlainPage('Bye', ['One'], { text: 'Back', href: 'https://console.example' })).toContain(
    '<p>One</p><p><a href="https://console.example" target="_top">Back</a></p></body>',
  )
})
