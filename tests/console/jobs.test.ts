import { beforeAll, beforeEach, expect, test } from 'vitest'
import { rowJobs } from '../../src/app/server/background-jobs.ts'
import { queueOptions } from '../../src/console/jobs/words.ts'
import { addOperator } from '../../src/console/operators/service.ts'
import { asOwner } from '../support/app.ts'
import { type ConsoleSession, openConsole } from '../support/console.ts'
import { setUpTestApp } from '../support/file-setup.ts'
import { addMember, createTestContext } from '../support/rewards-harness.ts'

const app = setUpTestApp()
const password = 'sourdough 4 breakfast'
const program = '/api/programs/skyharbor'
let admin: ConsoleSession
let support: ConsoleSession

beforeAll(async () => {
  for (const role of ['admin', 'support'] as const) {
    const email = `${role}@dineback.example`
    await addOperator(app.database.consolePools.shared, { email, name: role, role, partners: ['skyharbor'], password })
  }
  admin = await openConsole(app, 'admin@dineback.example', password)
  support = await openConsole(app, 'support@dineback.example', password)
})

beforeEach(() => asOwner(app, `delete from jobs.job where name in ('dead-letters', 'emails', 'reservations')`))

interface NewLetter {
  row: string
  partner?: string
  queue?: string
  error?: string
}

async function addLetter({ row, partner = 'skyharbor', queue = 'emails', error = 'no route' }: NewLetter) {
  const [job] = await asOwner<{ id: string }>(
    app,
    `insert into jobs.job (name, data, singleton_key, policy, source_name, source_output, source_retry_count,
       source_created_on, keep_until)
     values ('dead-letters', $1, $2, 'standard', $3, $4, 8, now() - interval '1 hour', now() + interval '1 day')
     returning id`,
    [{ partnerId: partner, id: row }, `${partner}:${row}`, queue, { message: error }],
  )
  return job?.id ?? ''
}

/** Adds a job that no worker claims, because it is not due. */
const addWaiting = (row: string, state: 'created' | 'retry' = 'created') =>
  asOwner(
    app,
    `insert into jobs.job (name, data, singleton_key, policy, state, retry_limit, retry_count, output, start_after)
     values ('emails', $1, $2, 'short', $3, 8, $4, '{"message": "connect ECONNREFUSED"}', now() + interval '1 hour')`,
    [{ partnerId: 'skyharbor', id: row }, `skyharbor:${row}`, state, state === 'retry' ? 2 : 0],
  )

const list = async (query = '') => (await admin.call('GET', `${program}/jobs${query}`)).body

test('CON-400 each queue has a name on screens', () => {
  const named = queueOptions.map(({ value }) => value)
  expect(Object.keys(rowJobs).filter((queue) => !named.includes(queue))).toEqual([])
})

test('CON-400 jobs are counted by queue, and listed page by page by state, queue and error, in their own program only', async () => {
  const [first, second] = [await addLetter({ row: '1' }), await addLetter({ row: '2', error: 'certificate expired' })]
  await addLetter({ row: '3', queue: 'reservations' })
  await addLetter({ row: '4', partner: 'gallonaire' })
  await addWaiting('5')
  await addWaiting('6', 'retry')
  const { body: queues } = await support.call('GET', `${program}/queues`)
  const counts = queues.map(({ queue, failed, waiting, retrying }: Record<string, unknown>) => [
    queue,
    failed,
    waiting,
    retrying,
  ])
  expect(counts.filter(([queue]: [string]) => queue !== 'tasks')).toEqual([
    ['emails', 2, 1, 1],
    ['reservations', 1, 0, 0],
  ])
  const failed = await list('?state=failed')
  expect(failed.total).toEqual({ count: 3, isExact: true })
  expect(failed.items.map(({ queue }: { queue: string }) => queue)).toEqual(['reservations', 'emails', 'emails'])
  expect((await list('?state=failed&q=CERTIFICATE')).items.map(({ id }: { id: string }) => id)).toEqual([second])
  expect((await list('?queue=emails&q=100%25')).items).toEqual([])
  expect((await list('?queue=emails&state=retrying')).items).toMatchObject([
    { state: 'retrying', attempts: 3, maxAttempts: 9, error: 'connect ECONNREFUSED' },
  ])
  expect((await list('?queue=emails&state=waiting')).items).toMatchObject([{ attempts: 0, error: '' }])
  // Page by page, each one once.
  const ids: string[] = []
  for (let cursor = ''; ; ) {
    const page = await list(`?state=failed&limit=1${cursor && `&cursor=${cursor}`}`)
    ids.push(...page.items.map(({ id }: { id: string }) => id))
    if (page.next === null) break
    cursor = page.next
  }
  expect(new Set(ids).size).toBe(3)
  expect(ids.slice(1)).toEqual([second, first])
  const cursor = Buffer.from(JSON.stringify(['2026-01-01', 'x'])).toString('base64url')
  expect((await admin.call('GET', `${program}/jobs?cursor=${cursor}`)).status).toBe(400)
})

test('CON-401 a job shows its attempts, its error and what it is about, and a foreign one is not found', async () => {
  const memberId = await addMember(createTestContext(app.database, 'skyharbor').db)
  const [email] = await asOwner<{ id: number }>(
    app,
    `insert into emails (partner_id, member_id, topic, about, recipient, subject, body_text, body_html, status)
     values ('skyharbor', $1, 'member.joined', 'job-test', 'ada@example.com', 'Hello', 'Hello', '<p>Hello</p>', 'sent')
     returning id`,
    [memberId],
  )
  const row = String(email?.id)
  const id = await addLetter({ row })
  const { body } = await support.call('GET', `${program}/jobs/${id}`)
  expect(body).toMatchObject({ queue: 'emails', state: 'failed', attempts: 9, error: 'no route', row })
  expect(body.about).toEqual({ kind: 'email', id: row })
  const unknown = await addLetter({ row: '9000009', queue: 'of-a-newer-release' })
  expect((await support.call('GET', `${program}/jobs/${unknown}`)).body).toMatchObject({ about: null })
  const foreign = await addLetter({ row: '8', partner: 'gallonaire' })
  for (const other of [foreign, 'nonsense', 'e2b7b8c4-0000-4000-8000-000000000000'])
    expect((await admin.call('GET', `${program}/jobs/${other}`)).status).toBe(404)
})

const act = (session: ConsoleSession, name: 'retry' | 'discard', ids: string[], fingerprint: string) =>
  session.call('POST', `${program}/jobs/${name}`, { ids, reason: 'The server is up again', fingerprint })

const preview = async (name: 'retry' | 'discard', ids: string[]) =>
  (await admin.call('POST', `${program}/jobs/preview`, { act: name, ids })).body

const letters = async () =>
  (await asOwner<{ id: string }>(app, `select id from jobs.job where name = 'dead-letters' and state = 'created'`)).map(
    ({ id }) => id,
  )

test('CON-402 failed jobs are retried together, after what happens was shown, with a reason in the audit log', async () => {
  const [first, second] = [await addLetter({ row: '9000001' }), await addLetter({ row: '9000002' })]
  const busy = await addLetter({ row: '9000003' })
  await addWaiting('9000003')
  const foreign = await addLetter({ row: '9000004', partner: 'gallonaire' })
  const ids = [first, second, busy, foreign, second]
  const shown = await preview('retry', ids)
  expect(shown).toMatchObject({ count: 2, gone: 1, waitingAlready: 1, queues: [{ queue: 'emails', count: 3 }] })
  expect(await preview('retry', ids)).toEqual(shown)
  // The dry run has changed nothing.
  expect(new Set(await letters())).toEqual(new Set([first, second, busy, foreign]))
  expect((await act(support, 'retry', ids, shown.fingerprint)).status).toBe(403)
  expect((await act(admin, 'retry', ids, 'another')).body).toMatchObject({ code: 'conflict' })
  expect(await letters()).toHaveLength(4)
  expect((await act(admin, 'retry', ids, shown.fingerprint)).body).toMatchObject({ count: 2 })
  expect(await letters()).toEqual([foreign])
  // They are jobs of their queue again, which workers execute.
  const queued = await asOwner(
    app,
    `select data ->> 'id' as row, source_name from jobs.job where name = 'emails' and data ->> 'id' <> '9000003' order by 1`,
  )
  expect(queued).toEqual([
    { row: '9000001', source_name: null },
    { row: '9000002', source_name: null },
  ])
  const [entry] = await asOwner(app, `select * from console.acts where action = 'retryJobs' and status = 200`)
  expect(entry).toMatchObject({
    partner_id: 'skyharbor',
    object_type: 'job',
    reason: 'The server is up again',
    after: { retried: 2 },
  })
})

test('CON-402 failed jobs are discarded for good, also a single one, and only once', async () => {
  const [one, other] = [await addLetter({ row: '1' }), await addLetter({ row: '2' })]
  const shown = await preview('discard', [one])
  expect(shown).toMatchObject({ count: 1, gone: 0 })
  const done = await Promise.all([
    act(admin, 'discard', [one], shown.fingerprint),
    act(admin, 'discard', [one], shown.fingerprint),
  ])
  expect(done.map(({ status }) => status).toSorted()).toEqual([200, 409])
  expect(await letters()).toEqual([other])
  const [entry] = await asOwner(app, `select * from console.acts where action = 'discardJobs' and status = 200`)
  expect(entry).toMatchObject({ object_id: one, before: { failed: ['emails 1'] }, after: { discarded: 1 } })
  expect(
    (await admin.call('POST', `${program}/jobs/discard`, { ids: [], reason: 'None', fingerprint: '' })).status,
  ).toBe(400)
})

test('CON-400 the number of failed jobs on the home page is that of the list that it opens', async () => {
  for (const row of ['1', '2']) await addLetter({ row })
  await addLetter({ row: '3', partner: 'gallonaire' })
  const { body: home } = await admin.call('GET', `${program}/home`)
  const task = home.tasks.find(({ kind }: { kind: string }) => kind === 'deadLetters')
  expect(task).toEqual({ kind: 'deadLetters', count: (await list('?state=failed')).total.count })
})
