import { expect, test, vi } from 'vitest'
import { publish, summaryOf } from './service.ts'

test('a release must end after now and after its begin', async () => {
  const now = new Date('2026-03-10T12:00:00Z')
  const after = (milliseconds: number) => new Date(now.getTime() + milliseconds)
  vi.spyOn(Date, 'now').mockReturnValue(now.getTime())
  const unreachable = { db: null } as never
  const release = (until: Date, from?: Date) =>
    publish(
      unreachable,
      { collection: 'home', slug: 'home', version: 1, until, ...(from && { from }) },
      'editor',
    ).catch(({ code }) => code)
  expect([await release(now), await release(after(1000), after(1000))]).toEqual(['badSchedule', 'badSchedule'])
  // Valid ones reach the database, which this test has not.
  expect([await release(after(1)), await release(after(1001), after(1000))]).toEqual([undefined, undefined])
})

test('a release is live from its begin until before its end, and scheduled until before its begin', () => {
  const now = new Date('2026-03-10T12:00:00Z')
  const after = (milliseconds: number) => new Date(now.getTime() + milliseconds)
  vi.spyOn(Date, 'now').mockReturnValue(now.getTime())
  const states = (from: Date, until: Date | null) => {
    const { live, scheduled } = summaryOf({ version: 1 } as never, [
      { id: 1, version: 1, from, until, withdrawnAt: null } as never,
    ])
    return [live !== null, scheduled.length]
  }
  expect([states(after(-1), null), states(now, null), states(after(1), null)]).toEqual([
    [true, 0],
    [true, 0],
    [false, 1],
  ])
  expect([states(after(-1), after(1)), states(after(-1), now)]).toEqual([
    [true, 0],
    [false, 0],
  ])
})

test('a version is a draft until it is released, and again once its only release is withdrawn', () => {
  const release = { id: 1, version: 2, from: new Date('2026-03-10T12:00:00Z'), until: null, withdrawnAt: null }
  const isDraft = (...releases: object[]) => summaryOf({ version: 2 } as never, releases as never).hasDraft
  const withdrawn = { ...release, withdrawnAt: new Date('2026-03-11T12:00:00Z') }
  expect([isDraft(), isDraft(release), isDraft(withdrawn)]).toEqual([true, false, true])
  expect([isDraft({ ...release, version: 1 }), isDraft(withdrawn, { ...release, id: 2 })]).toEqual([true, false])
})
