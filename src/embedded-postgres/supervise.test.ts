import { beforeEach, expect, test, vi } from 'vitest'
import { supervise } from './supervise.ts'

const sleeps: number[] = []
/** Runs while the supervisor waits. */
let duringSleep = () => {}

const wait = async (ms: number) => {
  sleeps.push(ms)
  duringSleep()
}

let lines: string[]
let now: number
beforeEach(() => {
  sleeps.length = 0
  duringSleep = () => {}
  lines = []
  now = 0
  vi.spyOn(performance, 'now').mockImplementation(() => now)
})

const log = (line: string) => lines.push(line)
const lost = 'database: the connection to PostgreSQL was lost; making sure that it runs'
const runs = 'database: PostgreSQL runs'
const untilRuns = (times: number) => vi.waitFor(() => expect(lines.filter((line) => line === runs)).toHaveLength(times))

test('a lost server is started at once, and again after delays that double up to fifteen seconds', async () => {
  let failures = 9
  const supervisor = supervise(
    async () => {
      if (failures-- > 0) throw new Error('away')
    },
    log,
    wait,
  )
  supervisor.restart()
  await untilRuns(1)
  expect(sleeps).toEqual([250, 500, 1_000, 2_000, 4_000, 8_000, 15_000, 15_000, 15_000])
  expect(lines).toEqual([lost, ...Array(9).fill('database: away'), runs])
})

test('a server that is lost again within a minute is started after the next delay, and later without one', async () => {
  const supervisor = supervise(async () => {}, log, wait)
  for (const [index, [ranFor, waited]] of (
    [
      [0, []],
      [59_000, [250]],
      [60_000, [250, 500]],
      [60_001, [250, 500]],
      [1_000, [250, 500, 250]],
    ] as const
  ).entries()) {
    now += ranFor
    supervisor.restart()
    await untilRuns(index + 1)
    // Its work ends in the next turn.
    await Promise.resolve()
    expect([ranFor, sleeps]).toEqual([ranFor, waited])
  }
})

test('one start is under way at a time, and a server that is lost during its start is started again', async () => {
  const started: (() => void)[] = []
  const supervisor = supervise(() => new Promise<void>((resolve) => void started.push(resolve)), log, wait)
  supervisor.restart()
  await vi.waitFor(() => expect(started).toHaveLength(1))
  supervisor.restart()
  supervisor.restart()
  expect(started).toHaveLength(1)
  started[0]?.()
  await vi.waitFor(() => expect(started).toHaveLength(2))
  expect([lines, sleeps]).toEqual([[lost], [250]])
  started[1]?.()
  await untilRuns(1)
  expect(started).toHaveLength(2)
})

test('a supervisor that was stopped starts nothing any more', async () => {
  let starts = 0
  const failing = supervise(
    async () => {
      starts++
      throw new Error('away')
    },
    log,
    wait,
  )
  duringSleep = () => failing.stop()
  failing.restart()
  await vi.waitFor(() => expect(sleeps).toEqual([250]))
  failing.restart()
  const { promise, resolve } = Promise.withResolvers<void>()
  const slow = supervise(() => promise, log, wait)
  slow.restart()
  slow.stop()
  resolve()
  for (let turn = 0; turn < 10; turn++) await Promise.resolve()
  expect([starts, lines]).toEqual([1, [lost, 'database: away', lost]])
})
