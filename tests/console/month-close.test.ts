import { beforeAll, expect, test } from 'vitest'
import { addOperator } from '../../src/console/operators/service.ts'
import { acquireAdvisoryLock, inTransaction } from '../../src/platform/database/db.ts'
import { postEntries, rewardPostings } from '../../src/rewards/ledger/entries.ts'
import { asOwner } from '../support/app.ts'
import { type ConsoleSession, openConsole } from '../support/console.ts'
import { setUpTestApp } from '../support/file-setup.ts'
import { addMember } from '../support/rewards-harness.ts'
import { addUnansweredCredit } from '../support/unanswered-credit.ts'

const app = setUpTestApp()
const password = 'sourdough 4 breakfast'
const settlement = '/api/programs/beacon/settlement'
const sessions = new Map<string, ConsoleSession>()
const beacon = () => app.database.pools.forPartner('beacon')
const reason = 'Agreed with the partner'

beforeAll(async () => {
  for (const [name, role] of [
    ['fay', 'finance'],
    ['vera', 'viewer'],
  ] as const) {
    const email = `${name}@dineback.example`
    await addOperator(app.database.consolePools.shared, { email, name, role, partners: ['beacon'], password })
    sessions.set(name, await openConsole(app, email, password))
  }
})

const call = (method: string, path: string, body?: unknown, name = 'fay') =>
  (sessions.get(name) as ConsoleSession).call(method, path, body)

/** Posts an award of a dollar, and moves it to this moment. */
async function postAt(memberId: number, sourceId: string, moment: string): Promise<void> {
  const [id] = await inTransaction(beacon(), (tx) =>
    postEntries(tx, [
      {
        ...{ source: 'transaction', sourceId, version: 1, kind: 'award', reason: {} },
        postings: rewardPostings({ memberId, unit: 'cent', amount: 1_00 }),
      },
    ]),
  )
  await asOwner(app, 'update journal_entries set posted_at = $2 where id = $1', [id, moment])
}

test('CON-340 CON-341 a month is closed after its check list, in order, once, and nothing is posted in it afterwards', async () => {
  const memberId = await addMember(beacon())
  await postAt(memberId, 'of-may', '2025-05-10T12:00:00Z')
  await postAt(memberId, 'of-june', '2025-06-10T12:00:00Z')
  const creditId = await addUnansweredCredit(beacon(), memberId)
  await asOwner(app, "update statement_credits set created_at = '2025-05-11T12:00:00Z' where public_id = $1", [
    creditId,
  ])
  await asOwner(app, "update journal_entries set posted_at = '2025-05-11T12:00:00Z' where source_id = $1", [creditId])
  const month = (name: string) => `${settlement}/months/${name}`
  const now = new Date().toISOString().slice(0, 7)
  expect(await call('POST', `${month(now)}/preview`)).toMatchObject({ status: 422, body: { code: 'monthNotOver' } })
  expect(await call('POST', `${month('2025-06')}/preview`)).toMatchObject({
    status: 422,
    body: { code: 'earlierMonthOpen' },
  })
  const preview = await call('POST', `${month('2025-05')}/preview`)
  expect(preview.body).toMatchObject({
    month: '2025-05',
    totals: { rewardsGiven: '$22.00', creditsCents: 21_00 },
    open: { credits: 1, decisions: 1, pending: 0, claims: 0 },
  })
  const shown = async (name: string) => (await call('GET', `${settlement}/month?month=${name}`)).body
  // A dry run stores nothing.
  expect((await shown('2025-05')).closed).toBe(null)
  const { fingerprint } = preview.body
  expect((await call('POST', `${month('2025-05')}/close`, { reason: '', fingerprint })).status).toBe(400)
  expect((await call('POST', `${month('2025-05')}/close`, { reason, fingerprint: 'another' })).status).toBe(409)
  expect((await call('POST', `${month('2025-05')}/close`, { reason, fingerprint })).status).toBe(200)
  const closed = await shown('2025-05')
  expect(closed).toMatchObject({ closed: { by: 'fay' }, totals: preview.body.totals })
  for (const act of ['preview', 'close'])
    expect(await call('POST', `${month('2025-05')}/${act}`, { reason, fingerprint })).toMatchObject({
      status: 409,
      body: { code: 'monthClosed' },
    })
  const acts = await asOwner(
    app,
    "select object_id, status, reason, after from console.acts where action = 'closeMonth' and status = 200",
  )
  expect(acts).toMatchObject([{ object_id: '2025-05', reason, after: { state: 'closed', open: { credits: 1 } } }])
  // An entry of the month, from a transaction that began in it, is refused; one of today is not.
  const postInMay = (sourceId: string) =>
    asOwner(
      app,
      `insert into journal_entries (partner_id, source, source_id, version, kind, reason, posted_at)
       values ('beacon', 'transaction', $1, 1, 'award', '{}', '2025-05-31T23:59:59Z')`,
      [sourceId],
    )
  await expect(postInMay('too-late')).rejects.toThrow('a journal entry of a closed month')
  // The credit of May returns now: that is a fact of the open month.
  const decision = `/api/programs/beacon/payouts/${creditId}`
  const effect = await call('POST', `${decision}/preview`, { decision: 'return' })
  const form = { decision: 'return', reason, fingerprint: effect.body.fingerprint }
  expect((await call('POST', `${decision}/decision`, form)).status).toBe(200)
  expect(await shown('2025-05')).toEqual(closed)
  expect((await shown(now)).totals.creditsCents).toBe(-21_00)
  // The next month follows.
  const june = await call('POST', `${month('2025-06')}/preview`)
  expect(june.body).toMatchObject({ totals: { rewardsGiven: '$1.00' } })
})

test('CON-341 an entry that is posted while its month is being closed waits for it, and is refused', async () => {
  const memberId = await addMember(beacon())
  await postAt(memberId, 'of-august', '2025-08-10T12:00:00Z')
  let posted: Promise<unknown> | undefined
  await inTransaction(beacon(), async (tx) => {
    await acquireAdvisoryLock(tx, 'months:beacon')
    posted = asOwner(
      app,
      `insert into journal_entries (partner_id, source, source_id, version, kind, reason, posted_at)
       values ('beacon', 'transaction', 'in-between', 1, 'award', '{}', '2025-08-31T23:59:59Z')`,
    )
    posted.catch(() => {})
    await expect
      .poll(async () => (await asOwner(app, "select from pg_locks where locktype = 'advisory' and not granted")).length)
      .toBe(1)
    await tx.insertInto('closed_months').values({ month: '2025-08-01', closed_by: 'fay', reason }).execute()
  })
  await expect(posted).rejects.toThrow('a journal entry of a closed month')
})

test('CON-342 only who may edit settlement closes a month', async () => {
  for (const act of ['preview', 'close']) {
    const path = `${settlement}/months/2025-07/${act}`
    expect([act, (await call('POST', path, { reason, fingerprint: 'x' }, 'vera')).status]).toEqual([act, 403])
    const elsewhere = path.replace('beacon', 'skyharbor')
    expect([act, (await call('POST', elsewhere, { reason, fingerprint: 'x' })).status]).toEqual([act, 404])
  }
})
