import { renderToStaticMarkup } from 'react-dom/server'
import { expect, test } from 'vitest'
import { unescapeHtml } from '../../platform/html.ts'
import { checkFields } from '../../programs/content/check.ts'
import { loadPrograms } from '../../programs/partners/load-programs.ts'
import { jsonSchemaOf } from './entries.ts'
import { applyListAction, readForm } from './form.ts'
import { Fields } from './form-fields.tsx'

/** Returns the data that a browser would submit for an unchanged form. */
function submittedFields(form: string): URLSearchParams {
  const sent = new URLSearchParams()
  for (const [tag] of form.matchAll(/<input[^>]*>|<textarea[^>]*>[\s\S]*?<\/textarea>|<select[\s\S]*?<\/select>/g)) {
    const attribute = (name: string) => unescapeHtml(new RegExp(` ${name}="([^"]*)"`).exec(tag)?.[1] ?? '')
    if (tag.startsWith('<textarea')) {
      const value = unescapeHtml(/>([\s\S]*)<\/textarea>/.exec(tag)?.[1] ?? '')
      // Browsers send every line break as two characters.
      sent.append(attribute('name'), value.replaceAll('\n', '\r\n'))
    } else if (tag.startsWith('<select'))
      sent.append(
        attribute('name'),
        unescapeHtml((/<option selected="">([^<]*)/.exec(tag) ?? /<option>([^<]*)/.exec(tag))?.[1] ?? ''),
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
        const form = renderToStaticMarkup(<Fields schema={schema} value={saved} path="" errors={{}} />)
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

test('CMS-026 zero passes through the form as zero', () => {
  const given = { collection: 'surveys', slug: 'visit' }
  const schema = jsonSchemaOf(given)
  if (!schema) throw new Error('no schema of surveys')
  const saved = checkFields('surveys', 'visit', {
    id: 'visit',
    text: 'How was it?',
    delay_timeout: 0,
    cookie_timeout: 0,
  })
  const form = renderToStaticMarkup(<Fields schema={schema} value={saved} path="" errors={{}} />)
  expect(checkFields('surveys', 'visit', readForm(schema, submittedFields(form)))).toEqual(saved)
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
  expect(texts(applyListAction(value, 'up:main_column.0'))).toEqual(['A', 'B'])
  expect(texts(applyListAction(value, 'down:main_column.0'))).toEqual(['B', 'A'])
  expect(texts(applyListAction(value, 'down:main_column.1'))).toEqual(['A', 'B'])
  expect(applyListAction(value, 'drop:other.0')).toEqual(value)
  expect(applyListAction(value, 'add:__proto__:x')).toEqual(value)
})

test('an error is shown at its field, and the input is escaped', () => {
  const schema = jsonSchemaOf({ collection: 'popup', slug: 'x' })
  const form = renderToStaticMarkup(
    <Fields schema={schema ?? {}} value={{ title: '<b>"x"</b>' }} path="" errors={{ title: 'is wrong' }} />,
  )
  expect(form).toContain('aria-invalid="true" aria-describedby="title-error"')
  expect(form).toContain('value="&lt;b&gt;&quot;x&quot;&lt;/b&gt;"')
  expect(form).toContain('<p class="error" id="title-error">is wrong</p>')
})

test('each item of a list can move up and down within it, and the page starts again at what has changed', () => {
  const schema = jsonSchemaOf({ collection: 'earn_details', slug: 'x' }) ?? {}
  const titles = ['A', 'B', 'C'].map((text) => ({ type: 'title', text }))
  const form = renderToStaticMarkup(<Fields schema={schema} value={{ main_column: titles }} path="" errors={{}} />)
  const buttons = [
    ...form.matchAll(/<button[^>]* value="(up|down|drop):main_column\.(\d)"[^>]* formAction="([^"]*)"/gi),
  ]
  expect(buttons.map(([, verb, index, start]) => `${verb} ${index} ${start}`)).toEqual([
    'down 0 ?#part-main_column.1',
    'drop 0 ?#part-main_column',
    'up 1 ?#part-main_column.0',
    'down 1 ?#part-main_column.2',
    'drop 1 ?#part-main_column',
    'up 2 ?#part-main_column.1',
    'drop 2 ?#part-main_column',
  ])
})

test('a form is read with at most two hundred items of a list', () => {
  const schema = { type: 'array', items: { type: 'string' } }
  const countOf = (count: string) => (readForm(schema, new URLSearchParams({ 'list.#': count }), 'list') as []).length
  expect(['3', '200', '201', 'many', '-1'].map(countOf)).toEqual([3, 200, 200, 0, 0])
})
