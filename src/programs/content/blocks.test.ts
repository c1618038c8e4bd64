import { expect, test } from 'vitest'
import { toExcerpt } from './blocks.ts'

const excerptOf = (text: string) => toExcerpt([{ type: 'body_text', text: `<p>${text}</p>` }])

test('an excerpt has up to 140 characters; a longer text ends after the last whole word within them', () => {
  const text = `${'x'.repeat(100)} ${'y'.repeat(39)}`
  expect(excerptOf(text)).toBe(text)
  expect(excerptOf(`${text} z`)).toBe(`${text} …`)
  expect(excerptOf(`${text}z`)).toBe(`${'x'.repeat(100)} …`)
})

test('an excerpt separates the items of a list, and is of the text where a column has no body text', () => {
  expect(excerptOf('Open:</p><ul><li>Mon</li><li>Tue &amp; Wed</li></ul><p>Closed')).toBe('Open: Mon; Tue & Wed Closed')
  expect(
    toExcerpt([
      { type: 'title', text: 'Title' },
      { type: 'text', text: '<p>Plain</p>' },
    ]),
  ).toBe('Plain')
})
