import { expect, test } from 'vitest'
import { html } from './html.ts'

test('interpolated values are escaped unless they are HTML', () => {
  const name = `<b onclick="x('y')">&`
  expect(html`<p title="${name}">${name}${html`<i>${1}</i>`}</p>`.text).toBe(
    '<p title="&lt;b onclick=&quot;x(&#39;y&#39;)&quot;&gt;&amp;">&lt;b onclick=&quot;x(&#39;y&#39;)&quot;&gt;&amp;<i>1</i></p>',
  )
})

test('arrays are concatenated, and null, undefined and false render as empty strings', () => {
  expect(html`${['a', '<'].map((text) => html`<li>${text}</li>`)}${null}${undefined}${false}${0}`.text).toBe(
    '<li>a</li><li>&lt;</li>0',
  )
})
