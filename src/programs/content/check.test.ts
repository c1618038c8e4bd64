import { expect, expectTypeOf, test } from 'vitest'
import type { ReplyOf } from '../../platform/call.ts'
import { ApiError, type ValidationError } from '../../platform/errors.ts'
import { loadPrograms } from '../partners/load-programs.ts'
import { checkFields, safeFields } from './check.ts'
import { type ContentEntry, type ContentFields, collections } from './collections.ts'
import { collectionCallAt, contentNames } from './contract.ts'

const programs = loadPrograms('programs')
const page = { url: '/earn/test', main_column: [{ type: 'title', text: 'Hello' }] }

function wrongFields(collection: string, slug: string, fields: unknown): string[] {
  try {
    checkFields(collection, slug, fields)
    return []
  } catch (error) {
    return (error as ValidationError).fields.map(({ field }) => field)
  }
}

test('CMS-001 API-020 every collection that can be requested has a schema', () => {
  expect([...contentNames].filter((name) => !Object.hasOwn(collections, name))).toEqual([])
})

test('CMS-001 CMS-002 CMS-003 CMS-004 CMS-005 CMS-006 CMS-007 CMS-008 CMS-009 CMS-010 CMS-011 CMS-012 CMS-013 CMS-014 CMS-015 CMS-016 the content of every program matches its schema', () => {
  for (const [code, { content }] of programs) {
    for (const [collection, entries] of Object.entries(content)) {
      for (const { slug, fields } of entries) {
        expect([code, collection, slug, wrongFields(collection, slug, fields)]).toEqual([code, collection, slug, []])
      }
    }
  }
})

test('checking fields a second time does not change them', () => {
  for (const { content } of programs.values()) {
    for (const [collection, entries] of Object.entries(content)) {
      for (const { slug, fields } of entries) {
        const checked = checkFields(collection, slug, fields)
        expect(checkFields(collection, slug, checked)).toEqual(checked)
        expect(safeFields(collection, slug, checked)).toEqual(checked)
      }
    }
  }
})

test('a message may only have the names in braces that its default text or the program has', () => {
  const check = (messages: Record<string, string>) => checkFields('copy', 'messages', messages)
  const right = {
    'join.partner_number': 'Your {partnerName} number, from {programName}',
    'notices.rewardPosted_title': '{benefit} from {programName}',
  }
  expect(check(right)).toEqual(right)
  expect(check({ 'join.partner_number': 'Use { this } or {}' })).toEqual({
    'join.partner_number': 'Use { this } or {}',
  })
  const wrong = {
    ...right,
    'join.partner_number': '{partnerName} {progamName}',
    'notices.rewardPosted_title': '{unit}',
  }
  expect(wrongFields('copy', 'messages', wrong)).toEqual(['join.partner_number', 'notices.rewardPosted_title'])
  expect(() => check({ 'overview.year_to_date': '{Year}' })).toThrow(
    expect.objectContaining({
      fields: [
        {
          field: 'overview.year_to_date',
          message: expect.stringMatching(
            /^\{Year\} is never filled in\. This text can have \{unit\}, \{year\}, \{partnerName\}, .*\{product\}\.$/,
          ),
        },
      ],
    }),
  )
  // One that was stored before keeps the others usable.
  expect(safeFields('copy', 'messages', wrong)).toEqual(wrong)
})

test('the text of a page may only have the names in braces that the program has', () => {
  const blocks = (text: string) => ({
    ...page,
    main_column: [
      { type: 'title', text: 'Hello' },
      { type: 'title', text },
    ],
  })
  expect(wrongFields('earn_details', 'x', blocks('Earn {currencyName} with {programName}'))).toEqual([])
  expect(wrongFields('earn_details', 'x', blocks('Earn {curencyName}'))).toEqual(['main_column.1.text'])
  expect(wrongFields('earn_details', 'x', blocks('{benefit}'))).toEqual(['main_column.1.text'])
})

test('CMS-025 invalid and unknown fields are rejected by name', () => {
  expect(wrongFields('earn_details', 'x', { ...page, url: 'https://elsewhere.example/' })).toEqual(['url'])
  expect(wrongFields('earn_details', 'x', { ...page, wizard: 1 })).toEqual(['wizard'])
  expect(wrongFields('earn_details', 'x', { ...page, main_column: [{ type: 'spell', text: 'x' }] })).toEqual([
    'main_column.0.type',
  ])
  expect(wrongFields('earn_details', 'x', { ...page, side_column: [{ type: 'button', text: 'x' }] })).toEqual([
    'side_column.0.url',
  ])
  const title = { type: 'title', text: 'x', size: 3 }
  expect(wrongFields('earn_details', 'x', { ...page, main_column: [title] })).toEqual(['main_column.0.size'])
  for (const image of [
    '/images/../theme.css',
    '/images/a/b.svg',
    '/images/a b.svg',
    '/theme.css',
    'https://a.example/b',
  ])
    expect([image, wrongFields('home', 'x', { banner: { image } })]).toEqual([image, ['banner.image']])
  expect(wrongFields('copy', 'messages', { 'shell.join': 'Come in', 'no.such_key': 'x' })).toEqual(['no.such_key'])
  expect(() => checkFields('nothing', 'x', {})).toThrow(ApiError)
  expect(() => checkFields('*', 'sidebar', {})).toThrow(ApiError)
})

test('Case 22 a link can lead to a page, https, mailto or tel, and nowhere else', () => {
  const leads = (url: string) => wrongFields('*', 'footer', { primary_links: [{ text: 'x', url }] }).length === 0
  expect(
    ['/search?a=b', 'https://a.example/x', 'mailto:a@b.example', 'tel:+1-800-555', '#main'].filter(leads),
  ).toHaveLength(5)
  const astray = [
    'javascript:alert(1)',
    'JaVaScRiPt:alert(1)',
    ' javascript:alert(1)',
    'java\nscript:alert(1)',
    'data:text/html,x',
    'vbscript:x',
    '//evil.example',
    '/\\evil.example',
    '/a\\b',
    'http://plain.example',
    'https://user@evil.example',
    'blob:x',
    '',
  ]
  expect(astray.filter(leads)).toEqual([])
})

test('Case 22 an invalid list item is left out, an entry that cannot be repaired is not shown', () => {
  const spoilt = {
    ...page,
    main_column: [
      { type: 'spell' },
      { type: 'title', text: 'Stays' },
      { type: 'link', text: 'x', url: 'javascript:1' },
    ],
    unknown: '<script>',
  }
  expect(safeFields('earn_details', 'x', spoilt)).toMatchObject({ main_column: [{ type: 'title', text: 'Stays' }] })
  expect(safeFields('earn_details', 'x', spoilt)).not.toHaveProperty('unknown')
  expect(safeFields('earn_details', 'x', { ...page, url: 'javascript:alert(1)' })).toBeNull()
  expect(safeFields('earn_details', 'x', 'a string')).toBeNull()
  expect(safeFields('spells', 'x', {})).toBeNull()
})

test('of nested lists only the innermost invalid item is left out', () => {
  const links = (...urls: string[]) => urls.map((url) => ({ text: 'x', url }))
  const link_groups = [
    { title: 'Earn', links: links('/earn', 'javascript:1', '/offers') },
    { title: 'Help', links: links('/help') },
  ]
  expect(safeFields('account_center', 'account_center', { referral_link: {}, link_groups })?.link_groups).toEqual([
    { title: 'Earn', links: links('/earn', '/offers') },
    { title: 'Help', links: links('/help') },
  ])
})

test('HOME-005 CMS-016 blocks of unknown types and invalid items are left out', () => {
  const main_column = [
    { type: 'title', text: 'A' },
    { type: 'spell' },
    null,
    { type: 'button', text: 'B' },
    { type: 'link', text: 'C', url: '/x' },
  ]
  expect(safeFields('earn_details', 'x', { ...page, main_column })?.main_column).toEqual([
    { type: 'title', text: 'A' },
    { type: 'link', text: 'C', url: '/x' },
  ])
})

test('the fields of a collection have the types of its schema', () => {
  expectTypeOf<ContentFields<'earn_banner'>>().toEqualTypeOf<{ text: string }>()
  expectTypeOf<ContentEntry<'*'>['slug']>().toEqualTypeOf<'navbar' | 'footer' | 'earn'>()
  expectTypeOf<ReplyOf<ReturnType<typeof collectionCallAt<'sidebar'>>>>().toEqualTypeOf<{
    data: { slug: string; fields: { page_text: string } }[]
  }>()
  // @ts-expect-error no such collection
  collectionCallAt('/api/cms', 'nothing')
})

test('Case 37 keys of the prototype of every object change nothing', () => {
  const poison = JSON.parse('{"url":"/earn/x","__proto__":{"polluted":1},"constructor":{"prototype":{"polluted":1}}}')
  expect(wrongFields('earn_details', 'x', poison)).toContain('constructor')
  expect(safeFields('earn_details', '__proto__', poison)).not.toBeNull()
  expect(safeFields('__proto__', 'constructor', poison)).toBeNull()
  expect(safeFields('copy', 'toString', {})).toBeNull()
  expect(({} as Record<string, unknown>).polluted).toBeUndefined()
})
