import { sql } from 'kysely'
import type pg from 'pg'
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest'
import { type EmailTransport, redactExpiredSecrets, sendEmail } from '../../src/identity/email/service.ts'
import { findUnsent, insertEmail, isConsentEffective } from '../../src/identity/email/store.ts'
import { insertConsent } from '../../src/identity/members/store.ts'
import { inTransaction } from '../../src/platform/database/db.ts'
import { openDeadLetters } from '../../src/platform/jobs/dead-letters.ts'
import { openQueue } from '../../src/platform/jobs/open-queue.ts'
import { scheduleQueue } from '../../src/platform/jobs/queues.ts'
import { type JobWorkersOptions, startJobWorkers } from '../../src/platform/jobs/workers.ts'
import { createJobHarness, type JobHarness } from '../support/job-harness.ts'
import { onlyJobs, shortenLease } from '../support/only-jobs.ts'
import { queryAsOwner } from '../support/owner.ts'
import { addMember, createTestContext, type TestPartner } from '../support/rewards-harness.ts'

let harness: JobHarness
const dbOf = (partner: TestPartner) => createTestContext(harness, partner).db

beforeAll(async () => {
  harness = await createJobHarness()
})
afterAll(() => harness?.close())
beforeEach(() => harness.clearJobs())

const asOwner = <T extends pg.QueryResultRow>(statement: string) => queryAsOwner<T>(harness.ownerUrl, statement)

let count = 0
/** Queues emails to one member; returns their ids. */
async function queueEmails(partner: TestPartner, number: number): Promise<number[]> {
  const db = dbOf(partner)
  const memberId = await addMember(db)
  const parts = { recipient: 'ada@example.com', subject: 'Hello', text: 'Hello', html: '<p>Hello</p>' }
  await inTransaction(db, async (tx) => {
    for (let index = 0; index < number; index++)
      await insertEmail(tx, { memberId, topic: 'test', about: String(count++), ...parts })
  })
  const rows = await db.selectFrom('emails').select('id').where('member_id', '=', memberId).execute()
  return rows.map(({ id }) => id)
}

const statusesOf = async (partner: TestPartner, ids: readonly number[]) => {
  const rows = await dbOf(partner).selectFrom('emails').select('status').where('id', 'in', ids).execute()
  return [...new Set(rows.map(({ status }) => status))].join()
}

/** Sends what the timekeeper sends at a time of the schedule. */
async function sendScheduled(cron: string) {
  const { boss, close } = openQueue(harness.url)
  await boss.start()
  await boss.send(scheduleQueue, { cron })
  await boss.stop({ graceful: false, close: false })
  await close()
}

/** Starts workers that send emails; `deliver` decides by the program's id. */
function startSenders(
  deliver: (partnerId: string, messageId: string) => Promise<void>,
  over: Partial<JobWorkersOptions> = {},
) {
  return startJobWorkers({
    ...onlyJobs({
      emails: (job) => {
        const transport: EmailTransport = ({ messageId }) => deliver(job.partnerId, messageId)
        const db = harness.pools.forPartner(job.partnerId)
        return sendEmail({ db, partnerId: job.partnerId, transport, from: 'Dineback <a@b.example>' }, job)
      },
    }),
    ...harness.workerOptions,
    ...over,
  })
}

describe('jobs', () => {
  test('no transaction is open while a mail server takes its time', async () => {
    const ids = await queueEmails('beacon', 1)
    const { promise: accepted, resolve: accept } = Promise.withResolvers<void>()
    const contacted = vi.fn()
    const stop = await startSenders(async () => {
      contacted()
      await accepted
    })
    try {
      await vi.waitFor(() => expect(contacted).toHaveBeenCalled(), 10_000)
      const open = await asOwner(
        `select query from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()
          and state like 'idle in transaction%'`,
      )
      expect(open).toEqual([])
      accept()
      await vi.waitFor(async () => expect(await statusesOf('beacon', ids)).toBe('sent'), 10_000)
    } finally {
      accept()
      await stop()
    }
  })

  test('a job is enqueued with its row, and not at all when the transaction is rolled back', async () => {
    const db = dbOf('beacon')
    const memberId = await addMember(db)
    const parts = { recipient: 'ada@example.com', subject: 'Hello', text: 'Hello', html: '<p>Hello</p>' }
    const failing = inTransaction(db, async (tx) => {
      await insertEmail(tx, { memberId, topic: 'test', about: 'rolled back', ...parts })
      throw new Error('no')
    })
    await expect(failing).rejects.toThrow('no')
    expect(await asOwner('select data from jobs.job')).toEqual([])
    const [id] = await queueEmails('beacon', 1)
    // Ids only: the queue has no row-level security.
    expect(await asOwner('select name, data from jobs.job')).toEqual([
      { name: 'emails', data: { partnerId: 'beacon', id: String(id) } },
    ])
  })

  test('an email whose secret expires before it is sent has failed, and one that was stored keeps its status', async () => {
    const db = dbOf('beacon')
    const memberId = await addMember(db)
    const parts = {
      memberId,
      topic: 'secret',
      recipient: 'ada@example.com',
      subject: 'Code',
      text: '1234',
      html: '1234',
    }
    await inTransaction(db, async (tx) => {
      for (const about of ['waiting', 'stored']) await insertEmail(tx, { ...parts, about, secretFor: -1 })
      await insertEmail(tx, { ...parts, about: 'valid', secretFor: 60_000 })
    })
    await db.updateTable('emails').set({ status: 'stored' }).where('about', '=', 'stored').execute()
    const listSecrets = () =>
      asOwner("select about, status, recipient, body_text from emails where topic = 'secret' order by about")
    await redactExpiredSecrets(db)
    expect(await listSecrets()).toEqual([
      { about: 'stored', status: 'stored', recipient: '', body_text: '' },
      { about: 'valid', status: 'waiting', recipient: 'ada@example.com', body_text: '1234' },
      { about: 'waiting', status: 'failed', recipient: '', body_text: '' },
    ])
    // A late attempt sends no empty email.
    const ids = await asOwner<{ id: number }>("select id from emails where topic = 'secret' order by about")
    const unsent = await Promise.all(ids.map(({ id }) => findUnsent(db, id)))
    expect(unsent.map((email) => email?.recipient)).toEqual([undefined, 'ada@example.com', undefined])
  })

  test('an offer email depends on its member’s latest choice on its own channel and topic', async () => {
    const db = dbOf('beacon')
    const [memberId, otherId] = [await addMember(db), await addMember(db)]
    const choose = (choice: { granted: boolean; topic?: string; channel?: 'email' | 'sms'; memberId?: number }) =>
      inTransaction(db, (tx) =>
        insertConsent(tx, {
          memberId,
          channel: 'email',
          topic: 'offers',
          ...choice,
          consentText: 'Yes',
          version: '1',
          source: 'test',
        }),
      )
    await choose({ granted: true })
    const given = await db.selectFrom('consents').select('id').where('member_id', '=', memberId).executeTakeFirst()
    const isEffective = () => isConsentEffective(db, given?.id ?? 0)
    await choose({ granted: false, topic: 'surveys' })
    await choose({ granted: false, channel: 'sms' })
    await choose({ granted: false, memberId: otherId })
    expect(await isEffective()).toBe(true)
    await choose({ granted: false })
    expect(await isEffective()).toBe(false)
    await choose({ granted: true })
    expect(await isEffective()).toBe(true)
  })

  test('several processes share the jobs, each of which is executed once', async () => {
    const ids = await queueEmails('beacon', 60)
    const sent: string[][] = [[], [], []]
    const stops = await Promise.all(
      sent.map((list) => startSenders(async (_, messageId) => void list.push(messageId), { pollMs: 500 })),
    )
    try {
      await vi.waitFor(async () => expect(await statusesOf('beacon', ids)).toBe('sent'), 20_000)
    } finally {
      await Promise.all(stops.map((stop) => stop()))
    }
    const all = sent.flat()
    expect(all).toHaveLength(60)
    expect(new Set(all).size).toBe(60)
  })

  test('a program whose mail server does not respond does not delay the others', async () => {
    const { promise: never, resolve: end } = Promise.withResolvers<void>()
    await queueEmails('skyharbor', 40)
    const stop = await startSenders((partnerId) => (partnerId === 'skyharbor' ? never : Promise.resolve()))
    try {
      const ids = await queueEmails('beacon', 20)
      await vi.waitFor(async () => expect(await statusesOf('beacon', ids)).toBe('sent'), 20_000)
      const [active] = await asOwner<{ n: number }>(`select count(*)::int as n from jobs.job where state = 'active'`)
      // Four; claims of the same moment do not see each other, but leave a worker free.
      expect(active?.n).toBeOneOf([4, 5])
    } finally {
      end()
      await stop()
    }
  })

  test('a program whose mail server does not respond does not delay others whose emails wait between its own', async () => {
    const { promise: never, resolve: end } = Promise.withResolvers<void>()
    const between: number[] = []
    for (let pair = 0; pair < 12; pair++) {
      await queueEmails('skyharbor', 1)
      between.push(...(await queueEmails('beacon', 1)))
    }
    const stop = await startSenders((partnerId) => (partnerId === 'skyharbor' ? never : Promise.resolve()))
    try {
      await vi.waitFor(async () => expect(await statusesOf('beacon', between)).toBe('sent'), 20_000)
    } finally {
      end()
      await stop()
    }
  })

  test('a job of a process that has ended is executed by another one when its lease is over', async () => {
    await shortenLease(harness.ownerUrl, 'emails')
    const ids = await queueEmails('gallonaire', 1)
    // As a process that was killed leaves it.
    await asOwner(`update jobs.job set state = 'active', started_on = now() - interval '2 seconds'`)
    const stop = await startSenders(async () => {}, { superviseSeconds: 1 })
    try {
      await vi.waitFor(async () => expect(await statusesOf('gallonaire', ids)).toBe('sent'), 20_000)
    } finally {
      await stop()
    }
  })

  test('a job that fails for good is a dead letter with its error, and can be retried', async () => {
    const ids = await queueEmails('gallonaire', 1)
    await asOwner('update jobs.job set retry_limit = 1, retry_delay = 0, retry_backoff = false')
    let isDown = true
    const outcomes: string[] = []
    const stop = await startSenders(
      async () => {
        if (isDown) throw new Error('550 ada@example.com is unknown')
      },
      { countJob: (job, outcome) => outcomes.push(`${job} ${outcome}`) },
    )
    const letters = await openDeadLetters(harness.url)
    try {
      await vi.waitFor(async () => expect(await letters.list()).toHaveLength(1), 20_000)
      expect(await statusesOf('gallonaire', ids)).toBe('failed')
      expect(await letters.list()).toMatchObject([
        {
          queue: 'emails',
          partnerId: 'gallonaire',
          row: String(ids[0]),
          // Not the server's words, which contain the recipient: the queue has no row-level security.
          error: 'the mail server did not accept the email',
        },
      ])
      expect(outcomes).toEqual(['emails failed', 'emails failed'])
      isDown = false
      expect(await letters.retry()).toBe(1)
      await vi.waitFor(async () => expect(await statusesOf('gallonaire', ids)).toBe('sent'), 20_000)
      expect(await letters.list()).toEqual([])
    } finally {
      await letters.close()
      await stop()
    }
  })

  test('dead letters are retried or discarded by their ids, and have the beginning of a long error', async () => {
    const ids = await queueEmails('gallonaire', 3)
    await asOwner('update jobs.job set retry_limit = 0')
    const done: string[] = []
    let isDown = true
    const stop = await startJobWorkers({
      ...onlyJobs({
        emails: async ({ id }) => {
          if (isDown) throw new Error('x'.repeat(600))
          done.push(id)
        },
      }),
      ...harness.workerOptions,
    })
    const letters = await openDeadLetters(harness.url)
    try {
      await vi.waitFor(async () => expect(await letters.list()).toHaveLength(3), 20_000)
      const [first, second, third] = (await letters.list()).toSorted((a, b) => Number(a.row) - Number(b.row))
      expect([first?.row, second?.row, third?.row]).toEqual(ids.toSorted((a, b) => a - b).map(String))
      expect(first?.error).toBe('x'.repeat(500))
      isDown = false
      expect(await letters.retry([second?.id ?? ''])).toBe(1)
      await vi.waitFor(() => expect(done).toEqual([second?.row]), 20_000)
      await letters.discard([third?.id ?? ''])
      expect((await letters.list()).map(({ row }) => row)).toEqual([first?.row])
    } finally {
      await letters.close()
      await stop()
    }
  })

  test('stopping waits for the jobs that are running, and leaves no query on a closed pool', async () => {
    const ids = await queueEmails('beacon', 1)
    const started = vi.fn()
    const warn = vi.fn()
    const stop = await startSenders(
      async () => {
        started()
        await new Promise((resolve) => setTimeout(resolve, 300))
      },
      { log: { warn, info: () => {} } as never },
    )
    await vi.waitFor(() => expect(started).toHaveBeenCalled(), 10_000)
    await stop()
    expect(await statusesOf('beacon', ids)).toBe('sent')
    expect(warn).not.toHaveBeenCalled()
  })

  test('periodic tasks run at the start, for every program and the installation, and a failed one does not stop others', async () => {
    const runs: string[] = []
    // A time of an earlier version, at which no task starts any more.
    await asOwner("insert into jobs.schedule (name, key, cron) values ('schedule', '5_4_x_x_x', '5 4 * * *')")
    const stop = await startJobWorkers({
      ...onlyJobs({}),
      partners: ['beacon', 'skyharbor'],
      tasks: {
        failing: { cron: '* * * * *', run: () => Promise.reject(new Error('no')) },
        each: { cron: '* * * * *', run: async (partnerId) => void runs.push(partnerId) },
        shared: { cron: '*/10 * * * *', isShared: true, run: async () => void runs.push('installation') },
      },
      ...harness.workerOptions,
    })
    try {
      await vi.waitFor(() => expect(runs.toSorted()).toEqual(['beacon', 'installation', 'skyharbor']), 20_000)
      const { rows } = await sql`select cron from jobs.schedule order by 1`.execute(harness.pools.shared)
      expect(rows).toEqual([{ cron: '* * * * *' }, { cron: '*/10 * * * *' }])
      // They run again when a time of the schedule comes.
      runs.length = 0
      await sendScheduled('* * * * *')
      await vi.waitFor(() => expect(runs).toEqual(expect.arrayContaining(['beacon', 'skyharbor'])), 20_000)
    } finally {
      await stop()
    }
  })
})
