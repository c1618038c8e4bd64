import { randomUUID } from 'node:crypto'
import { createServer } from 'node:http'
import { syncBuiltinESMExports } from 'node:module'
import type { AddressInfo } from 'node:net'
import timers, { setImmediate } from 'node:timers/promises'
import { sql } from 'kysely'
import pg from 'pg'
import pino from 'pino'
import { afterAll, beforeAll, beforeEach, expect, test, vi } from 'vitest'
import type { ReviewCallback } from '../../forms/owner.ts'
import { startReviewDelivery } from '../../forms/reviews.ts'
import { createStore, type FormsStore } from '../../forms/store.ts'
import { rowJobs } from '../../src/app/server/background-jobs.ts'
import { sendEmail } from '../../src/identity/email/service.ts'
import { insertEmail } from '../../src/identity/email/store.ts'
import { insertNotifications, recordOutcome } from '../../src/identity/notifications/store.ts'
import { insertRequest, purgeRecoveries } from '../../src/identity/recovery/store.ts'
import { inTransaction } from '../../src/platform/database/db.ts'
import { ensureLogin } from '../../src/platform/database/logins.ts'
import { openDeadLetters } from '../../src/platform/jobs/dead-letters.ts'
import { openQueue, openQueueOver } from '../../src/platform/jobs/open-queue.ts'
import { reviewCallbacks, scheduleQueue } from '../../src/platform/jobs/queues.ts'
import { setUpQueues } from '../../src/platform/jobs/set-up-queues.ts'
import { startCallbackWorker, startJobWorkers } from '../../src/platform/jobs/workers.ts'
import { DAY, HOUR, SECOND } from '../../src/platform/time.ts'
import { createJobHarness, type JobHarness } from '../support/job-harness.ts'
import { onlyJobs } from '../support/only-jobs.ts'
import { openTestPool, queryAsOwner } from '../support/owner.ts'
import { addMember, createTestContext } from '../support/rewards-harness.ts'

let harness: JobHarness

beforeAll(async () => {
  harness = await createJobHarness()
})
afterAll(() => harness?.close())
beforeEach(() => harness.clearJobs())

const asOwner = <T extends pg.QueryResultRow>(statement: string) => queryAsOwner<T>(harness.ownerUrl, statement)

test('a row that changes while its job waits still has a job after the change is committed', async () => {
  const enqueue = (due: string) => `select enqueue_job('emails', 'beacon', '1', ${due})`
  await asOwner(enqueue(`now() + interval '1 hour'`))
  const owner = new pg.Client({ connectionString: harness.ownerUrl })
  const { boss, close } = openQueue(harness.url)
  await Promise.all([owner.connect(), boss.start()])
  try {
    await owner.query('begin')
    await owner.query(enqueue('now()'))
    // The worker would not see the change yet.
    expect(await boss.fetch('emails', { ignoreStartAfter: true })).toEqual([])
    await owner.query('commit')
    // The earlier of both times counts.
    expect(await boss.fetch('emails')).toHaveLength(1)
    await owner.query(enqueue('now()'))
    expect(await boss.fetch('emails')).toHaveLength(1)
  } finally {
    await owner.end()
    await boss.stop({ graceful: false, close: false })
    await close()
  }
})

test('times of the schedule that come at once all start their tasks', async () => {
  const nothing = async () => {}
  const stop = await startJobWorkers({
    ...onlyJobs({}),
    tasks: { often: { cron: '* * * * *', run: nothing }, seldom: { cron: '*/10 * * * *', run: nothing } },
    ...harness.workerOptions,
  })
  await stop()
  await asOwner('delete from jobs.job')
  const { boss, close } = openQueue(harness.url)
  await boss.start()
  try {
    // As the timekeeper does at their time.
    const times = await boss.getSchedules(scheduleQueue)
    for (const { data, options } of times) await boss.send(scheduleQueue, data ?? {}, options ?? {})
    expect(await asOwner(`select data ->> 'cron' as cron from jobs.job order by 1`)).toEqual([
      { cron: '* * * * *' },
      { cron: '*/10 * * * *' },
    ])
  } finally {
    await boss.stop({ graceful: false, close: false })
    await close()
  }
})

test('periodic tasks of a process that has ended do not block their next runs for longer than a minute', async () => {
  await asOwner(
    `insert into jobs.job (name, data, singleton_key, policy, state, retry_limit, expire_seconds, heartbeat_seconds,
       started_on, heartbeat_on)
     select q.name, '{"task": "each", "partnerId": "beacon"}', 'each:beacon', q.policy, 'active', 0, q.expire_seconds,
       q.heartbeat_seconds, now() - interval '1 minute', now() - interval '1 minute'
     from jobs.queue q where q.name in ('tasks', 'schedule')`,
  )
  const stop = await startJobWorkers({ ...onlyJobs({}), ...harness.workerOptions, superviseSeconds: 1 })
  try {
    await vi.waitFor(
      async () =>
        expect(
          await asOwner(`select name from jobs.job where name in ('tasks', 'schedule') and state = 'active'`),
        ).toEqual([]),
      20_000,
    )
  } finally {
    await stop()
  }
})

test('a task that a process of an older release does not know is not done, but failed', async () => {
  await asOwner('delete from jobs.job')
  await asOwner(
    `insert into jobs.job (name, data, policy, retry_limit, keep_until)
     values ('tasks', '{"task": "of-a-newer-release", "partnerId": "beacon"}', 'standard', 0, now() + interval '1 day')`,
  )
  const counted: [string, string][] = []
  const stop = await startJobWorkers({
    ...onlyJobs({}),
    ...harness.workerOptions,
    countJob: (job, outcome) => counted.push([job, outcome]),
  })
  try {
    await vi.waitFor(() => expect(counted).toEqual([['of-a-newer-release', 'failed']]), 20_000)
    await vi.waitFor(
      async () =>
        expect(await asOwner(`select state from jobs.job where name = 'tasks'`)).toEqual([{ state: 'failed' }]),
      20_000,
    )
  } finally {
    await stop()
  }
})

test('an email whose secret has expired is not sent, even before its text is redacted', async () => {
  const { db } = createTestContext(harness, 'beacon')
  const memberId = await addMember(db)
  const parts = { recipient: 'ada@example.com', subject: 'Code', text: '123456', html: '<p>123456</p>' }
  await inTransaction(db, (tx) =>
    insertEmail(tx, { memberId, topic: 'test', about: 'code', ...parts, secretFor: 1000 }),
  )
  await sql`update emails set secret_until = now() - interval '1 second'`.execute(db)
  const [job] = await asOwner<{ data: { id: string } }>('select data from jobs.job')
  const transport = vi.fn(async () => {})
  const delivery = { db, partnerId: 'beacon', transport, from: 'Dineback <a@b.example>' }
  await sendEmail(delivery, { id: job?.data.id as string, isLastAttempt: false })
  expect(transport).not.toHaveBeenCalled()
})

test('a failed push message that is retried at night gets a job for the day', async () => {
  const { db } = createTestContext(harness, 'beacon')
  const memberId = await addMember(db)
  const row = { memberId, topic: 'rewardPosted', about: 'x', channel: 'push', params: {}, path: '/' } as const
  await inTransaction(db, (tx) => insertNotifications(tx, [{ ...row, status: 'waiting' }]))
  const [job] = await asOwner<{ data: { id: string } }>('select data from jobs.job')
  await inTransaction(db, (tx) => recordOutcome(tx, Number(job?.data.id), { status: 'failed' }))
  await asOwner('delete from jobs.job')
  await inTransaction(db, (tx) => recordOutcome(tx, Number(job?.data.id), { status: 'postponed' }))
  expect(await asOwner('select name, data from jobs.job')).toEqual([{ name: 'notifications', data: job?.data }])
})

test('a callback worker that starts while its database is away reports later errors once', async () => {
  const pool = openTestPool({ connectionString: harness.url, max: 2 })
  let isAway = true
  const warn = vi.fn()
  const executeSql = async (text: string, values?: unknown[]) => {
    if (isAway || text.includes('SKIP LOCKED')) throw new Error(isAway ? 'away' : 'claim failed')
    return pool.query(text, values)
  }
  const original = timers.setTimeout
  const wait = vi.spyOn(timers, 'setTimeout').mockImplementation(((ms: number, value: unknown, options: object) => {
    // The queue waits with other options.
    if (!('ref' in (options ?? {}))) return original(ms, value, options)
    isAway = false
    return setImmediate()
  }) as never)
  syncBuiltinESMExports()
  const worker = startCallbackWorker(async () => {}, { executeSql, log: { warn, info: () => {} } as never })
  try {
    await vi.waitFor(
      () => expect(wait).toHaveBeenCalledWith(5 * SECOND, null, expect.objectContaining({ ref: false })),
      10_000,
    )
    const claims = () => warn.mock.calls.filter(([{ err }]) => /claim failed/.test(err?.message))
    await vi.waitFor(() => expect(claims()).not.toEqual([]), 20_000)
    expect(new Set(claims().map(([{ err }]) => err)).size).toBe(claims().length)
  } finally {
    await worker.stop()
    await pool.end()
    wait.mockRestore()
    syncBuiltinESMExports()
  }
})

test('the form service can enqueue no jobs of others, and its failed jobs become dead letters', async () => {
  const url = await ensureLogin(harness.ownerUrl, { group: 'dineback_forms', password: 'forms' })
  const pool = openTestPool({ connectionString: url, max: 2 })
  const boss = openQueueOver({ executeSql: (text, values) => pool.query(text, values) })
  await asOwner(`select enqueue_job('review-callbacks', 'beacon', '1', now())`)
  await asOwner('update jobs.job set retry_limit = 0')
  await boss.start()
  try {
    for (const queue of ['emails', 'statement-credits', 'tasks']) {
      const job = pool.query('insert into jobs.job (name, data, keep_until) values ($1, $2, now())', [queue, '{}'])
      await expect(job).rejects.toThrow('row-level security')
    }
    const [job] = await boss.fetch(reviewCallbacks)
    await boss.fail(reviewCallbacks, job?.id as string)
    expect(await asOwner(`select source_name from jobs.job where name = 'dead-letters'`)).toEqual([
      { source_name: reviewCallbacks },
    ])
  } finally {
    await boss.stop({ graceful: false, close: false })
    await pool.end()
  }
})

const queueRow = (name: string) =>
  asOwner(
    `select retry_limit, retry_delay, retry_delay_max, expire_seconds, policy, dead_letter from jobs.queue
     where name = '${name}'`,
  )

const forgetQueue = async (name: string) => {
  await asOwner(`delete from jobs.job where name = '${name}'`)
  await asOwner(`delete from jobs.queue where name = '${name}'`)
}

test('a start gives every queue the retries and the lease that its module states, and creates the missing ones', async () => {
  await asOwner(
    'update jobs.queue set retry_limit = 1, retry_delay_max = 7, expire_seconds = 9 where dead_letter is not null and not partition',
  )
  const added = { retries: { times: 3, firstSeconds: 4, longestSeconds: 50 }, leaseSeconds: 6 }
  const jobs = { ...rowJobs, added }
  await Promise.all([setUpQueues(harness.url, jobs), setUpQueues(harness.url, jobs)])
  for (const [name, { retries, leaseSeconds }] of Object.entries(jobs))
    expect([name, await queueRow(name)]).toEqual([
      name,
      [
        {
          retry_limit: retries.times,
          retry_delay: retries.firstSeconds,
          retry_delay_max: retries.longestSeconds ?? null,
          expire_seconds: leaseSeconds,
          policy: 'short',
          dead_letter: 'dead-letters',
        },
      ],
    ])
  await forgetQueue('added')
})

test('the job of a row is not lost when its queue is created later, by the next start', async () => {
  await asOwner(`select enqueue_job('of-a-new-module', 'beacon', '1', now())`)
  expect(await asOwner(`select data from jobs.job where name = 'of-a-new-module'`)).toEqual([
    { data: { id: '1', partnerId: 'beacon' } },
  ])
  expect(await queueRow('of-a-new-module')).toMatchObject([{ policy: 'short', dead_letter: 'dead-letters' }])
  await forgetQueue('of-a-new-module')
})

test('work that other services are part of is repeated for at least two hours', async () => {
  const queues = await asOwner<{ name: string; limit: number; first: number; longest: number | null }>(
    `select name, retry_limit as limit, retry_delay as first, retry_delay_max as longest from jobs.queue
     where dead_letter is not null order by name`,
  )
  expect(queues).toHaveLength(Object.keys(rowJobs).length + 1)
  for (const { name, limit, first, longest } of queues) {
    // The queue doubles the intervals, and uses at least half of each.
    const intervals = Array.from({ length: limit }, (_, retry) => Math.min(longest ?? Infinity, first * 2 ** retry))
    const seconds = intervals.reduce((sum, each) => sum + each, 0)
    expect([name, seconds * SECOND >= 2 * HOUR]).toEqual([name, true])
  }
})
const reviewValues = { formId: 'review', fieldValues: { rating: '4' }, tracking: {} }
const openForms = async () =>
  createStore(await ensureLogin(harness.ownerUrl, { group: 'dineback_forms', password: 'forms' }), () => {})
/** Starts a process that delivers reviews, with or without the callback of the program. */
const startDelivery = (store: FormsStore, reviews?: ReviewCallback) =>
  startReviewDelivery(store, {
    owners: new Map([
      ['beacon', { appOrigin: 'http://beacon.localhost', forms: new Map(), ...(reviews && { reviews }) }],
    ]),
    logger: pino({ level: 'silent' }),
  })

test.each(['beacon', 'orchard'])(
  'a process that has no callback of a review’s program leaves the review to other processes: %s',
  async (program) => {
    const store = await openForms()
    // It knows one of the programs, but has no key; it does not know the other one.
    const delivery = startDelivery(store)
    const id = randomUUID()
    const attempts = (state: string) =>
      asOwner(`select output ->> 'message' as error from jobs.job where state = '${state}'`)
    const error = 'this process does not know the program of the review, or has no REVIEW_KEY'
    try {
      await store.add(program, { id, ...reviewValues }, { notifyDays: 7 })
      await vi.waitFor(async () => {
        delivery.now()
        expect(await attempts('retry')).toEqual([{ error }])
      }, 20_000)
      expect(await store.findUndelivered(id)).toMatchObject({ id })
      await asOwner('update jobs.job set retry_count = retry_limit, start_after = now()')
      const letters = await openDeadLetters(harness.url)
      await vi.waitFor(async () => {
        delivery.now()
        expect(await letters.list()).toMatchObject([{ queue: reviewCallbacks, partnerId: program, row: id, error }])
      }, 20_000)
      await letters.close()
      expect(await store.findUndelivered(id)).toMatchObject({ id })
    } finally {
      await delivery.stop()
      await store.close()
    }
  },
)

test('a review that its program accepts at no time of a week becomes a dead letter, which can be retried', async () => {
  const [queue] = await asOwner<{ limit: number; first: number; longest: number }>(
    `select retry_limit as limit, retry_delay as first, retry_delay_max as longest from jobs.queue
     where name = 'review-callbacks'`,
  )
  // The queue doubles the intervals, and uses half of each to all of it.
  const secondsOfRetries = (share: number) =>
    Array.from({ length: queue?.limit ?? 0 }, (_, retry) =>
      Math.min(queue?.longest ?? 0, (queue?.first ?? 0) * 2 ** (retry + 1) * share),
    ).reduce((sum, seconds) => sum + seconds, 0)
  const days = [secondsOfRetries(0.5), secondsOfRetries(1)].map((seconds) => (seconds * SECOND) / DAY)
  expect(days.every((count) => count > 7 && count < 7.2)).toBe(true)

  const statuses = [503, 503, 200]
  const callback = createServer((_request, response) => response.writeHead(statuses.shift() ?? 500).end())
  await new Promise<void>((done) => callback.listen(0, '127.0.0.1', done))
  const { port } = callback.address() as AddressInfo
  const store = await openForms()
  const delivery = startDelivery(store, { callbackUrl: `http://127.0.0.1:${port}/`, key: 'for-this-test' })
  const id = randomUUID()
  const attempted = (left: number) =>
    vi.waitFor(() => {
      delivery.now()
      expect(statuses).toHaveLength(left)
    }, 20_000)
  const states = (state: string) => asOwner(`select name from jobs.job where state = '${state}'`)
  try {
    await store.add('beacon', { id, ...reviewValues }, { notifyDays: 7 })
    await attempted(2)
    await vi.waitFor(async () => expect(await states('retry')).toEqual([{ name: reviewCallbacks }]), 20_000)
    // The week is over.
    await asOwner(`update forms.responses set notify_until = now() - interval '1 minute'`)
    await asOwner('update jobs.job set retry_count = retry_limit, start_after = now()')
    await attempted(1)
    const letters = await openDeadLetters(harness.url)
    await vi.waitFor(
      async () =>
        expect(await letters.list()).toMatchObject([
          { queue: reviewCallbacks, partnerId: 'beacon', row: id, error: 'the program did not accept the review' },
        ]),
      20_000,
    )
    expect(await letters.retry()).toBe(1)
    await letters.close()
    await attempted(0)
    await vi.waitFor(async () => expect(await store.findUndelivered(id)).toBeUndefined(), 20_000)
  } finally {
    await delivery.stop()
    await store.close()
    callback.close()
  }
})

test('a recovery request whose job has failed for good is deleted after a day', async () => {
  const { db } = createTestContext(harness, 'beacon')
  await insertRequest(db, { userName: 'ada@example.com', browserHash: null })
  await insertRequest(db, { userName: 'new@example.com', browserHash: null })
  await sql`update recovery_requests set requested_at = now() - interval '25 hours'
    where user_name = 'ada@example.com'`.execute(db)
  await purgeRecoveries(db)
  const rows = await db.selectFrom('recovery_requests').select('user_name').execute()
  expect(rows).toEqual([{ user_name: 'new@example.com' }])
})
