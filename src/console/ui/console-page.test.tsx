import { renderToStaticMarkup } from 'react-dom/server'
import { expect, test } from 'vitest'
import { MessagePage, Notice, renderConsolePage, WideTable, wrongField } from './console-page.tsx'

test('a result is a status, and a problem is an alert that the field to correct refers to', () => {
  const notice = (kind: 'done' | 'wrong', text: string | null) =>
    renderToStaticMarkup(<Notice kind={kind} text={text} />)
  expect(notice('done', 'Saved.')).toBe('<p class="notice done" role="status">Saved.</p>')
  expect([notice('done', null), notice('wrong', null)]).toEqual(['', ''])
  const problem = /^<p class="notice wrong" role="alert" id="([^"]+)">Try again\.<\/p>$/.exec(
    notice('wrong', 'Try again.'),
  )
  expect(wrongField(true)).toEqual({ autoFocus: true, 'aria-invalid': true, 'aria-describedby': problem?.[1] })
  expect(wrongField(false)).toEqual({})
})

test('a page has the stylesheet of the console, and its heading may differ from its title', () => {
  const page = (frame: { title: string; heading?: string }) =>
    renderConsolePage({ operator: null, ...frame }, MessagePage, { text: 'Go back.' })
  const named = (html: string) => [/<title>(.*?)</.exec(html)?.[1], /<h1>(.*?)</.exec(html)?.[1]]
  expect(named(page({ title: 'Claims' }))).toEqual(['Claims · Dineback console', 'Claims'])
  const wrong = page({ title: 'Error: Kumo', heading: 'Kumo' })
  expect(named(wrong)).toEqual(['Error: Kumo · Dineback console', 'Kumo'])
  expect(wrong).toContain('<link rel="stylesheet" href="/console.css"/>')
  // A page with a message leads back to the home page; the skip link leads to the content.
  expect(wrong).toContain('<p>Go back.</p><p><a href="/">Home</a></p>')
  expect(wrong).toMatch(/<a class="skip" href="#main">.*<main id="main" tabindex="-1">/)
})

test('a wide table can be scrolled with the keyboard, and is named by a heading or a label', () => {
  const start = (table: React.JSX.Element) => /<section[^>]*>/.exec(renderToStaticMarkup(table))?.[0]
  expect([
    start(
      <WideTable label="Files">
        <tbody />
      </WideTable>,
    ),
    start(
      <WideTable labelledBy="days">
        <tbody />
      </WideTable>,
    ),
  ]).toEqual([
    '<section class="wide full-width" aria-label="Files" tabindex="0">',
    '<section class="wide full-width" aria-labelledby="days" tabindex="0">',
  ])
})
