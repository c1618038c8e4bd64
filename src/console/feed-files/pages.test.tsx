import { renderToStaticMarkup } from 'react-dom/server'
import { expect, test } from 'vitest'
import type { FileRow } from '../../rewards/feed/files/store.ts'
import { FeedFilesPage } from './pages.tsx'

const file = (over: Partial<FileRow>) =>
  ({
    name: 'november.csv',
    started_at: new Date('2026-11-30T23:30:00Z'),
    finished_at: null,
    lines_read: 1200,
    applied: 1100,
    unmatched: 50,
    repeated: 30,
    ignored: 15,
    rejected: 5,
    faults: [],
    ...over,
  }) as unknown as FileRow

const pageOf = (over: Partial<FileRow>) =>
  renderToStaticMarkup(<FeedFilesPage partnerId="beacon" files={[file(over)]} />)

test('each result of a file is in the column that names it', () => {
  const html = pageOf({})
  const heads = [...html.matchAll(/<th scope="col"[^>]*>([^<]*)/g)].map(([, name]) => name)
  const cells = [...html.matchAll(/<t[dh](?: scope="row"| class="number")?>(?:<span[^>]*>)?([^<]*)/g)].map(([, text]) =>
    text?.replace(/\s/g, ' '),
  )
  expect(heads.map((name, column) => [name, cells[column]])).toEqual([
    ['File', 'november.csv'],
    ['Started (UTC)', 'Nov 30, 2026, 11:30 PM'],
    ['Lines read', '1,200'],
    ['Applied', '1,100'],
    ['Waiting for card or restaurant', '50'],
    ['Known already', '30'],
    ['Without effect', '15'],
    ['Rejected', '5'],
    ['State', 'not read to its end'],
  ])
})

test('a file that was read to its end says so, and only a file with rejected lines lists them', () => {
  const read = pageOf({ finished_at: new Date('2026-11-30T23:31:00Z') })
  expect([read.includes('<span class="state">read</span>'), read.includes('Rejected lines')]).toEqual([true, false])
  const faults = [{ line: 1007, code: 'malformed' }]
  expect(pageOf({ faults: faults as never })).toContain(
    '<summary>Rejected lines</summary><ul><li>line 1,007: malformed</li></ul>',
  )
})
