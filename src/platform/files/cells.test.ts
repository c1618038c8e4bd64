import { expect, test } from 'vitest'
import * as cells from './cells.ts'

/** Expects each text to be read as the value, undefined for a text that is refused. */
function expectRead(read: (text: string) => unknown, expected: Readonly<Record<string, unknown>>): void {
  const texts = Object.keys(expected)
  expect(Object.fromEntries(texts.map((text) => [text, read(text)]))).toEqual(expected)
}

test('a flag is read from the words and numbers that people and spreadsheets write', () => {
  for (const text of ['true', 'TRUE', 'True', 'yes', 'Y', '1', 'x'])
    expect([text, cells.readFlag(text)]).toEqual([text, true])
  for (const text of ['false', 'FALSE', 'No', 'n', '0']) expect([text, cells.readFlag(text)]).toEqual([text, false])
  for (const text of ['maybe', '2', '-']) expect([text, cells.readFlag(text)]).toEqual([text, undefined])
})

test('a day is read from ISO, from the US order, with its month as a word, or as a spreadsheet’s number', () => {
  expectRead(cells.readDay, {
    '2026-01-15': '2026-01-15',
    '2026-1-5': '2026-01-05',
    '2026-01-15T00:00:00': '2026-01-15',
    '2026-01-15 00:00:00.000': '2026-01-15',
    '1/15/2026': '2026-01-15',
    '01/05/26': '2026-01-05',
    '1/15/2026 12:00:00 AM': '2026-01-15',
    'Jan 15, 2026': '2026-01-15',
    'September 1, 2026': '2026-09-01',
    '15-Jan-26': '2026-01-15',
    '15 Jan 2026': '2026-01-15',
    '46037': '2026-01-15',
    '2024-02-29': '2024-02-29',
    '2026-02-29': undefined,
    '15/1/2026': undefined,
    '13/45/2026': undefined,
    // In these forms other countries write the day first.
    '1.2.2026': undefined,
    '1-2-2026': undefined,
    '1/15': undefined,
    '2026': undefined,
    soon: undefined,
    '2026-01-15 09:30': undefined,
  })
})

test('a time is read from 24 hours or from 12', () => {
  expectRead(cells.readClock, {
    '17:00': '17:00',
    '9:00': '09:00',
    '17:00:00': '17:00',
    '5:00 PM': '17:00',
    '5:30pm': '17:30',
    '5 PM': '17:00',
    '5 p.m.': '17:00',
    '12:00 AM': '00:00',
    '12:15 pm': '12:15',
    '0:00': '00:00',
    '24:00': undefined,
    '13:00 PM': undefined,
    '0:30 AM': undefined,
    '17:60': undefined,
    '17': undefined,
    '5 p': undefined,
    noon: undefined,
  })
})

test('a number has a decimal point or comma, and a comma before three digits says two things', () => {
  expectRead(cells.readNumber, {
    '-73.99': -73.99,
    '-73,99': -73.99,
    '1,234.5': 1234.5,
    '1234': 1234,
    '+5': 5,
    '1,234': undefined,
    '1.234.567': undefined,
    '': undefined,
    '12e5': undefined,
    ' 5': undefined,
  })
  expectRead(cells.readCoordinate, { '40,744': 40.744, '-87,6245': -87.6245, '40.75': 40.75, north: undefined })
  expectRead(cells.readWhole, {
    '8000': 8000,
    '8,000': 8000,
    '2.0': 2,
    '2.5': undefined,
    '-1': undefined,
    $80: undefined,
  })
  expectRead(cells.readPrice, { $$: 2, '3': 3, '€€': undefined })
})

test('an amount may have a dollar sign, thousands, or brackets when it is negative', () => {
  expectRead(cells.readAmount, {
    '42.10': '42.10',
    '42,10': '42.10',
    $80: '80',
    '$1,080.50': '1080.50',
    '-12.00': '-12.00',
    '(12.00)': '-12.00',
    '(12.00': undefined,
    '1,234': undefined,
    eighty: undefined,
  })
})

test('a moment is ISO, or a day with a time', () => {
  expectRead(cells.readMoment, {
    '2026-03-10T19:30:00': '2026-03-10T19:30:00',
    '2026-03-12T04:00:00Z': '2026-03-12T04:00:00Z',
    '3/10/2026 7:30 PM': '2026-03-10T19:30:00',
    '2026-03-10 19:30:45': '2026-03-10T19:30:45',
    '2026-03-10': undefined,
    '10/31/2026 25:00': undefined,
  })
})

test('a state is read from its code or its name', () => {
  expectRead(cells.readState, {
    NY: 'NY',
    ny: 'NY',
    'N.Y.': 'NY',
    'New York': 'NY',
    'NEW  YORK': 'NY',
    'district of columbia': 'DC',
    'Puerto Rico': 'PR',
    'West Virginia': 'WV',
    XX: undefined,
    Ontario: undefined,
  })
})

test('a ZIP code loses its second part, and gets back a zero that the rest of the row confirms', () => {
  const inBoston = (zip: string) => zip === '02134'
  expectRead((text) => cells.readZip(text, inBoston), {
    '10001': '10001',
    '10001-1234': '10001',
    '10001.0': '10001',
    '2134': '02134',
    '2134-1001': '02134',
    '1234': undefined,
    '134': undefined,
    '100011': undefined,
    ABCDE: undefined,
  })
})

test('the last four digits of a card get back the zeros that a spreadsheet has removed', () => {
  expectRead(cells.readDigits(4), { '2': '0002', '0002': '0002', '1234': '1234', '12345': undefined, '12a': undefined })
})

test('weekdays are names in any length, numbers, or spans', () => {
  expectRead(cells.readWeekdays, {
    'mon;tue': [1, 2],
    'Monday, Tuesdays': [1, 2],
    'Mon/Wed': [1, 3],
    'Thurs; Fri.': [4, 5],
    '1;2': [1, 2],
    'Mon-Fri': [1, 2, 3, 4, 5],
    'Fri – Sun': [5, 6, 0],
    'Sat to Mon': [6, 0, 1],
    daily: [0, 1, 2, 3, 4, 5, 6],
    'mon;mon': [1],
    'm,t': undefined,
    'mon-tue-wed': undefined,
    someday: undefined,
    '7': undefined,
    ';': undefined,
  })
})

test('a web address gets https, and anything else is refused', () => {
  expectRead(cells.readWebAddress, {
    'https://a.example/menu?x=1': 'https://a.example/menu?x=1',
    'http://a.example': 'https://a.example',
    'www.a.example': 'https://www.a.example',
    'a.example/menu': 'https://a.example/menu',
    'javascript:alert(1)': undefined,
    'ftp://a.example': undefined,
    'call us': undefined,
    none: undefined,
  })
})

test('lists have semicolons, commas or bars, and known words are found without case and signs', () => {
  expect(cells.readList('French, Wine Bar; Pizza | Thai ,, ')).toEqual(['French', 'Wine Bar', 'Pizza', 'Thai'])
  const read = cells.wordReader(['dineIn', 'onlineOrdering'])
  expect(['Dine-in', 'online ordering', 'DINEIN', 'delivery'].map(read)).toEqual([
    'dineIn',
    'onlineOrdering',
    'dineIn',
    undefined,
  ])
})
