import { expect, test } from 'vitest'
import { checkFields } from '../../programs/content/check.ts'
import { loadPrograms } from '../../programs/partners/load-programs.ts'
import { applyListAction, fieldsOf, readForm } from './form.ts'
import { jsonSchemaOf } from './pages.ts'

/** Returns the data that a browser would submit for an unchanged form. */
function submittedFields(form: string): URLSearchParams {
  const sent = new URLSearchParams()
  const plain = (text: string) =>
    text.replace(
      /&(amp|lt|gt|quot|#39);/g,
      (_, name: string) => ({ amp: '&', lt: '<', gt: '>', quot: '"', '#39': "'" })[name] ?? '',
    )
  for (const [tag] of form.matchAll(/<input[^>]*>|<textarea[^>]*>[\s\S]*?<\/textarea>|<select[\s\S]*?<\/select>/g)) {
    const attribute = (name: string) => plain(new RegExp(` ${name}="([^"]*)"`).exec(tag)?.[1] ?? '')
    if (tag.startsWith('<textarea'))
      sent.append(attribute('name'), plain(/>\n([\s\S]*)<\/textarea>/.exec(tag)?.[1] ?? ''))
    else if (tag.startsWith('<select'))
      sent.append(
        attribute('name'),
        plain((/<option selected>([^<]*)/.exec(tag) ?? /<option>([^<]*)/.exec(tag))?.[1] ?? ''),
      )
    else if (attribute('type') !== 'checkbox') sent.append(attribute('name'), attribute('value'))
    else if (/ checked/.test(tag)) sent.append(attribute('name'), / value=/.test(tag) ? attribute('value') : 'on')
  }
  return sent
}

test('CMS-026 every entry of every program passes through its form unchanged', () => {
  let count = 0
  for (const [code, { content }] of loadPrograms('programs')) {
    for (const [collection, entries] of Object.entries(content)) {
      for (const { slug, fields } of entries) {
        const schema = jsonSchemaOf({ collection, slug })
        if (!schema) throw new Error(`no schema of ${collection}/${slug}`)
        const saved = checkFields(collection, slug, fields)
        const form = fieldsOf(schema, saved, '', { errors: {} }).text
        expect([
          code,
          collection,
          slug,
          checkFields(collection, slug, readForm(schema, submittedFields(form))),
        ]).toEqual([code, collection, slug, saved])
        count++
      }
    }
  }
  expect(count).toBeGreaterThan(100)
})

test('list items can be added, removed and reordered', () => {
  const value = {
    main_column: [
      { type: 'title', text: 'A' },
      { type: 'title', text: 'B' },
    ],
    other: 1,
  }
  const texts = (changed: unknown) => (changed as typeof value).main_column.map(({ type, text }) => text ?? type)
  expect(texts(applyListAction(value, 'add:main_column:button'))).toEqual(['A', 'B', 'button'])
  expect(texts(applyListAction(value, 'drop:main_column.0'))).toEqual(['B'])
  expect(texts(applyListAction(value, 'up:main_column.1'))).toEqual(['B', 'A'])
  expect(texts(applyListAction(value, 'down:main_column.0'))).toEqual(['B', 'A'])
  expect(texts(applyListAction(value, 'down:main_column.1'))).toEqual(['A', 'B'])
  expect(applyListAction(value, 'drop:other.0')).toEqual(value)
  expect(applyListAction(value, 'add:__proto__:x')).toEqual(value)
})

test('an error is shown at its field, and the input is escaped', () => {
  const schema = jsonSchemaOf({ collection: 'popup', slug: 'x' })
  const form = fieldsOf(schema ?? {}, { title: '<b>"x"</b>' }, '', { errors: { title: 'is wrong' } }).text
  expect(form).toContain('value="&lt;b&gt;&quot;x&quot;&lt;/b&gt;" aria-invalid="true" aria-describedby="title-error"')
  expect(form).toContain('<p class="error" id="title-error">is wrong</p>')
})
