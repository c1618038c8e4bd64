import { expect, test } from 'vitest'
import { moment, noticeOf, notices, problemOf, problems } from './messages.ts'

test('a notice about what is live is shown only while it is true', () => {
  const shown = (isLive: boolean) => Object.keys(notices).filter((name) => noticeOf(name, isLive) !== null)
  const always = ['saved', 'savedAndShown', 'unchanged', 'scheduled', 'superseded', 'restored', 'removed']
  expect(shown(true).toSorted()).toEqual([...always, 'published', 'withdrawn'].toSorted())
  expect(shown(false).toSorted()).toEqual([...always, 'notLive'].toSorted())
  for (const name of Object.keys(notices)) expect([notices[name], null]).toContain(noticeOf(name, true))
})

test('only known problems have a message', () => {
  for (const [name, text] of Object.entries(problems)) expect(problemOf(name)).toBe(text)
  expect(['', 'constructor', 'unknown'].map(problemOf)).toEqual([null, null, null])
})

test('a moment is written in UTC', () => {
  expect(moment(new Date('2026-02-28T23:59:59+01:00'))).toBe('2026-02-28 22:59 UTC')
})
