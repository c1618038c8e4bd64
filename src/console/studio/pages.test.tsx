import { renderToStaticMarkup } from 'react-dom/server'
import { expect, test } from 'vitest'
import type { EntryDetail } from '../../programs/content/service.ts'
import { jsonSchemaOf } from './entries.ts'
import { Fields } from './form-fields.tsx'
import { EntryPage, type EntryView, MessagesPage, ProgramsPage, VersionPage } from './pages.tsx'
import { unsavedScriptPath } from './unsaved-script.ts'

const entry = { collection: 'earn_details', slug: 'own-page' }
const at = (day: number) => new Date(Date.UTC(2026, 1, day, 12))
const version = (number: number, over = {}) => ({
  ...entry,
  version: number,
  savedBy: 'eve@dineback.example',
  savedAt: at(number),
  removed: false,
  ...over,
})
const release = (number: number, over = {}) => ({
  ...entry,
  id: 100 + number,
  version: number,
  from: at(number),
  until: null,
  by: 'eve@dineback.example',
  at: at(number),
  withdrawnAt: null,
  withdrawnBy: null,
  ...over,
})
const detail = (over: Partial<EntryDetail> = {}) =>
  ({
    ...entry,
    newest: version(1),
    live: null,
    scheduled: [],
    hasDraft: true,
    fields: {},
    versions: [version(1)],
    releases: [],
    ...over,
  }) as EntryDetail

const view: EntryView = {
  partnerId: 'skyharbor',
  entry,
  schema: {},
  fields: {},
  detail: null,
  errors: {},
  csrf: '',
  done: null,
  problem: null,
  isSaved: true,
  showsDrafts: false,
}
const entryPage = (over: Partial<EntryView>) => renderToStaticMarkup(<EntryPage {...view} {...over} />)
const messagesPage = (over: Partial<EntryView> = {}) =>
  renderToStaticMarkup(<MessagesPage {...view} query="soup" messages={[]} isCut={false} {...over} />)

test('an operator without a program is told so, and one with a program is not', () => {
  const says = (...programs: { id: string; name: string; links: [] }[]) =>
    renderToStaticMarkup(<ProgramsPage programs={programs} />).includes('You may not work on any program yet.')
  expect([says(), says({ id: 'beacon', name: 'Beacon', links: [] })]).toEqual([true, false])
})

test('the forms of entries and messages say whether their text is saved, with the script that warns', () => {
  for (const page of [entryPage, messagesPage]) {
    const states = [true, false].map((isSaved) => /data-saved="(\w+)"/.exec(page({ isSaved }))?.[1])
    expect(states).toEqual(['true', 'false'])
    expect(page({})).toContain(`<script src="${unsavedScriptPath}" defer=""></script>`)
  }
})

test('entries and messages show what was done, and what is wrong', () => {
  for (const page of [entryPage, messagesPage]) {
    const notices = (over: Partial<EntryView>) =>
      [...page(over).matchAll(/<p class="notice[^>]*role="(\w+)"[^>]*>([^<]*)/g)].map(([, role, text]) => [role, text])
    expect(notices({})).toEqual([])
    expect(notices({ done: 'Draft saved.' })).toEqual([['status', 'Draft saved.']])
    expect(notices({ problem: 'Some fields are wrong.' })).toEqual([['alert', 'Some fields are wrong.']])
    const isPublic = [false, true].map((showsDrafts) => page({ showsDrafts }).includes('shows its drafts to everybody'))
    expect(isPublic).toEqual([false, true])
  }
})

test('a search for messages is shown in its field, and sent with the messages that are saved', () => {
  expect(messagesPage()).toMatch(/<input id="q"[^>]* name="q"[^>]* value="soup"/)
  expect(messagesPage()).toContain('<input type="hidden" name="q" value="soup"/>')
})

test('a version that removes the entry says so where it is published and in the history, and is not removed again', () => {
  const removed = version(2, { removed: true })
  const html = entryPage({ detail: detail({ newest: removed, versions: [removed, version(1)] }) })
  expect(html).toContain('Publish version 2, which removes this entry</h2>')
  const history = [...html.matchAll(/\/versions\/(\d)">\d<\/a>([^<]*)/g)].map(([, number, text]) => [number, text])
  expect(history).toEqual([
    ['2', ' (removes)'],
    ['1', ''],
  ])
  expect(html).not.toContain('Remove this entry')
  const saved = entryPage({ detail: detail() })
  expect([saved.includes('which removes'), saved.includes('Remove this entry')]).toEqual([false, true])
})

test('a release that was withdrawn says when and by whom, and cannot be withdrawn again', () => {
  const withdrawn = { until: at(20), withdrawnAt: at(9), withdrawnBy: 'max@dineback.example' }
  const html = entryPage({ detail: detail({ releases: [release(2), release(1, withdrawn)] }) })
  const rows = [...html.matchAll(/<tr><td>(\d)<\/td><td>(from .*?)<\/td>.*?<\/tr>/g)].map(([row, number, text]) => [
    number,
    text?.replaceAll('<br/>', ', '),
    /name="release" value="(\d+)"/.exec(row)?.[1],
  ])
  expect(rows).toEqual([
    ['2', 'from 2026-02-02 12:00 UTC', '102'],
    [
      '1',
      'from 2026-02-01 12:00 UTC, until 2026-02-20 12:00 UTC, withdrawn 2026-02-09 12:00 UTC by max@dineback.example',
      undefined,
    ],
  ])
})

test('the start and the end of a release have their own labels', () => {
  const html = entryPage({ detail: detail() })
  expect([...html.matchAll(/<label for="(\w+)">(\w+) \(UTC/g)].map(([, id, name]) => [id, name])).toEqual([
    ['from', 'From'],
    ['until', 'Until'],
  ])
})

test('a version is compared with the live one, also where one of them has no entry', () => {
  const marks = (props: Parameters<typeof VersionPage>[0]) => {
    const html = renderToStaticMarkup(<VersionPage {...props} />)
    const marked = (tag: string) => [...html.matchAll(new RegExp(`<${tag}>([^<]*)`, 'g'))].map(([, line]) => line)
    return [marked('ins'), marked('del')]
  }
  const [soup, tea] = [{ text: 'Soup' }, { text: 'Tea' }]
  const lines = (text: string) => ['{', `  &quot;text&quot;: &quot;${text}&quot;`, '}']
  expect(marks({ version: soup, live: tea })).toEqual([[lines('Soup')[1]], [lines('Tea')[1]]])
  expect(marks({ version: soup, live: null })).toEqual([lines('Soup'), []])
  expect(marks({ version: null, live: tea })).toEqual([[], lines('Tea')])
  expect(marks({ version: null, live: null })).toEqual([[], []])
})

test('an error is shown at the list, at the part of a list and at the choice that it is about', () => {
  const shown = (collection: string, value: object, path: string) => {
    const schema = jsonSchemaOf({ collection, slug: 'x' }) ?? {}
    const html = renderToStaticMarkup(<Fields schema={schema} value={value} path="" errors={{ [path]: 'is wrong' }} />)
    return html.split(`<p class="error" id="${path}-error">is wrong</p>`).length - 1
  }
  const blocks = { main_column: [{ type: 'title', text: 'A' }] }
  expect([
    shown('earn_details', blocks, 'main_column'),
    shown('earn_details', blocks, 'main_column.0.text'),
    shown('earn_details', blocks, 'side_column'),
  ]).toEqual([1, 1, 1])
  const schema = {
    properties: {
      days: { type: 'array', items: { enum: ['Mon', 'Tue'] } },
      place: { enum: ['top', 'bottom'] },
      size: { type: 'string' },
      rows: { type: 'array', items: { properties: {} } },
    },
    required: ['days', 'place', 'size', 'rows'],
  }
  for (const path of ['days', 'place', 'size', 'rows']) {
    const html = renderToStaticMarkup(<Fields schema={schema} value={{}} path="" errors={{ [path]: 'is wrong' }} />)
    expect(html).toContain(`<p class="error" id="${path}-error">is wrong</p>`)
    // A group has no attribute for invalid content: its description says it.
    const isGroup = path === 'days' || path === 'rows'
    const described = `${isGroup ? '' : 'aria-invalid="true" '}aria-describedby="${path}-error"`
    expect(html.match(/<(fieldset|select|input)[^>]* aria-[^>]*>/g)).toEqual([expect.stringContaining(described)])
  }
})

test('a long text has a text area, and an optional part is used only if it has values', () => {
  const schema = {
    properties: {
      short: { type: 'string', maxLength: 250 },
      long: { type: 'string', maxLength: 251 },
      rich: { type: 'string', format: 'html' },
      link: { properties: { url: { type: 'string' } }, required: ['url'] },
    },
  }
  const form = (value: object) => renderToStaticMarkup(<Fields schema={schema} value={value} path="" errors={{}} />)
  expect([...form({}).matchAll(/<(input|textarea) id="(\w+)"/g)].map(([, tag, id]) => [tag, id])).toEqual([
    ['input', 'short'],
    ['textarea', 'long'],
    ['textarea', 'rich'],
  ])
  const isUsed = (value: object) => /<input[^>]* name="link\.\?"[^>]*>/.exec(form(value))?.[0].includes('checked')
  expect([isUsed({}), isUsed({ link: { url: '' } })]).toEqual([false, true])
})
