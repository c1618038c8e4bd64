import { expect, test } from 'vitest'
import { MINUTE } from '../../platform/time.ts'
import { createImpressionLog, createQuota } from './service.ts'

test('a quota counts a bounded number of names: the least recently seen one starts again, the others do not', () => {
  let time = 0
  const quota = createQuota(10, MINUTE, () => time, 3)
  for (const name of ['a', 'b', 'c']) expect(quota.take(name, 20)).toBe(10)
  expect(quota.take('a', 1)).toBe(0)
  expect(quota.take('d', 4)).toBe(4)
  expect(['a', 'c', 'd'].map(quota.remaining)).toEqual([0, 0, 6])
  expect(quota.remaining('b')).toBe(10)
  time += MINUTE
  expect(['a', 'b', 'c', 'd'].map(quota.remaining)).toEqual([10, 10, 10, 10])
})

test('a quota is limited in each period, also in those after the first', () => {
  let time = 0
  const quota = createQuota(10, MINUTE, () => time)
  for (let period = 0; period < 3; period++) {
    expect([quota.take('a', 6), quota.take('a', 6), quota.take('a', 6)]).toEqual([6, 4, 0])
    time += MINUTE - 1
    expect(quota.remaining('a')).toBe(0)
    time += 1
  }
})

/** Returns a log of impressions of a database that only counts them, and how many it has written of each program. */
function openLog() {
  const written: Record<string, number> = {}
  const databaseOf = (program: string) => ({
    insertInto: () => ({
      values: ({ length }: readonly object[]) => ({
        execute: async () => {
          written[program] = (written[program] ?? 0) + length
        },
      }),
    }),
  })
  const log = createImpressionLog({ log: { warn: () => {} } as never, now: () => 0 })
  const event = { eventName: 'PageView', url: '/', channel: 'web', dateTime: '2026-03-10T12:00:00Z', userAgent: '' }
  const add = (program: string, address: string, count: number) =>
    log.add(
      { partnerId: program, db: databaseOf(program), actor: { memberId: null }, address } as never,
      Array(count).fill(event),
    )
  return { log, add, written }
}

test('a network has its limit in each program, however many IPv6 addresses it uses', async () => {
  const { log, add } = openLog()
  expect([add('beacon', '::1', 200), add('beacon', '::2', 200), add('orchard', '::1', 200)]).toEqual([200, 100, 200])
  expect(add('beacon', '2001:db8::1', 200)).toBe(200)
  await log.close()
})

test('at most five thousand events of a program wait to be written, and all of them are written at the end', async () => {
  const { log, add, written } = openLog()
  const accepted = Array.from({ length: 20 }, (_, index) => add('beacon', `127.0.0.${index}`, 300))
  expect(accepted).toEqual([...Array(16).fill(300), 200, 0, 0, 0])
  expect(add('orchard', '127.0.0.1', 300)).toBe(300)
  await log.close()
  expect(written).toEqual({ beacon: 5000, orchard: 300 })
  // What has been written makes room.
  expect(add('beacon', '127.0.1.1', 300)).toBe(300)
})

test('a program has at most two million events a day, from however many addresses', async () => {
  const { log, add } = openLog()
  let accepted = 0
  for (let address = 0; address < 6700; address++) {
    accepted += add('beacon', String(address), 300)
    await log.flush()
  }
  expect(accepted).toBe(2_000_000)
  expect([add('beacon', 'another', 1), add('orchard', 'another', 1)]).toEqual([0, 1])
  await log.close()
})
