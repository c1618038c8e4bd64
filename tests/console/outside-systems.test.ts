import { randomUUID } from 'node:crypto'
import { beforeAll, expect, test } from 'vitest'
import type { OutsideSystem } from '../../src/console/health/contract.ts'
import { systemState } from '../../src/console/health/words.ts'
import { addOperator } from '../../src/console/operators/service.ts'
import { receiveEvents } from '../../src/rewards/feed/receive-events.ts'
import { asOwner } from '../support/app.ts'
import { type ConsoleSession, openConsole } from '../support/console.ts'
import { setUpTestApp } from '../support/file-setup.ts'
import { feedEvent } from '../support/reward-fixtures.ts'
import { addMember, createTestContext } from '../support/rewards-harness.ts'

const app = setUpTestApp()
const password = 'sourdough 4 breakfast'
const program = '/api/programs/skyharbor'
const ctx = () => createTestContext(app.database, 'skyharbor')
let admin: ConsoleSession

beforeAll(async () => {
  const operator = { email: 'ana@dineback.example', name: 'ana', role: 'admin', partners: ['skyharbor'], password }
  await addOperator(app.database.consolePools.shared, operator)
  admin = await openConsole(app, operator.email, password)
})

async function systems() {
  const { body } = await admin.call('GET', `${program}/outside-systems`)
  return Object.fromEntries((body as OutsideSystem[]).map((system) => [system.kind, system])) as Record<
    OutsideSystem['kind'],
    OutsideSystem
  >
}

const addJob = (job: { name: string; state: string; partner?: string; source?: string; minutesAgo?: number }) =>
  asOwner(
    app,
    `insert into jobs.job (name, data, policy, state, source_name, created_on, started_on, completed_on, start_after, keep_until)
     values ($1, jsonb_build_object('partnerId', $2::text, 'id', '9000001'), 'standard', $3::jobs.job_state, $4,
       now() - make_interval(mins => $5), now() - make_interval(mins => $5),
       case when $3::jobs.job_state = 'completed' then now() - make_interval(mins => $5) end,
       case when $3::jobs.job_state in ('created', 'retry') then now() + interval '1 hour' else now() end, now() + interval '1 day')`,
    [job.name, job.partner ?? 'skyharbor', job.state, job.source ?? null, job.minutesAgo ?? 5],
  )

test('CON-408 what succeeded, what failed and what waits is that of the program’s own jobs', async () => {
  await asOwner(app, `delete from jobs.job where name in ('reservations', 'notifications', 'dead-letters')`)
  const before = await systems()
  expect(before.booking).toMatchObject({ waiting: 0, failed: 0, lastSuccessAt: null, lastFailureAt: null })
  await addJob({ name: 'notifications', state: 'completed', minutesAgo: 9 })
  await addJob({ name: 'reservations', state: 'retry', minutesAgo: 3 })
  await addJob({ name: 'dead-letters', state: 'created', source: 'reservations', minutesAgo: 7 })
  await addJob({ name: 'dead-letters', state: 'created', source: 'reservations', partner: 'gallonaire' })
  await addJob({ name: 'notifications', state: 'completed', partner: 'gallonaire', minutesAgo: 1 })
  const { booking, notifications } = await systems()
  expect(booking).toMatchObject({ waiting: 1, retrying: 1, failed: 1, isSetUp: false, lastSuccessAt: null })
  const minutes = (at: string | null) => Math.round((Date.now() - Date.parse(at ?? '')) / 60_000)
  expect(minutes(booking.lastFailureAt)).toBe(3)
  expect(notifications).toMatchObject({ waiting: 0, failed: 0, isOfLastHour: true, lastFailureAt: null })
  expect(minutes(notifications.lastSuccessAt)).toBe(9)
  const jobs = await admin.call('GET', `${program}/jobs?state=failed&queue=reservations`)
  expect(jobs.body.total.count).toBe(booking.failed)
})

test('CON-408 the mail server succeeded when an email was sent, not when one was stored', async () => {
  expect((await systems()).email).toMatchObject({ isSetUp: false, lastSuccessAt: null })
  await asOwner(
    app,
    `insert into emails (partner_id, member_id, topic, about, recipient, subject, body_text, body_html, status, sent_at)
     values ('skyharbor', $1, 'test', 'stored', 'a@b.example', '', '', '', 'stored', null),
       ('skyharbor', $1, 'test', 'sent', 'a@b.example', '', '', '', 'sent', '2026-03-01 10:00Z')`,
    [await addMember(ctx().db)],
  )
  expect((await systems()).email).toMatchObject({ lastSuccessAt: '2026-03-01T10:00:00.000Z', isOfLastHour: false })
})

test('CON-408 the card network succeeded with its last message, and unmatched transactions wait for it', async () => {
  expect((await systems()).cardNetwork).toMatchObject({ lastSuccessAt: null, waiting: 0 })
  const event = feedEvent('transaction.clearing', {
    id: randomUUID(),
    card: { id: 'unknown-token', lastNumbers: '0002' },
    location: { id: 'unknown-place' },
  })
  await receiveEvents(ctx(), [event])
  const { cardNetwork } = await systems()
  expect(cardNetwork.waiting).toBe((await admin.call('GET', `${program}/unmatched`)).body.total.count)
  expect(Date.parse(cardNetwork.lastSuccessAt ?? '')).toBeGreaterThan(Date.now() - 60_000)
})

test('CON-408 a system that fails, is late or has failed says so before one that works', () => {
  const now = Date.parse('2026-03-01T10:00:00Z')
  const system: OutsideSystem = {
    kind: 'email',
    isSetUp: true,
    lastSuccessAt: '2026-03-01T09:59:00Z',
    isOfLastHour: false,
    lastFailureAt: null,
    waiting: 0,
    retrying: 0,
    failed: 0,
    oldestDueAt: null,
  }
  const label = (over: Partial<OutsideSystem>) => systemState({ ...system, ...over }, now).label
  expect(label({})).toBe('Working')
  expect(label({ retrying: 1, failed: 1 })).toBe('Failing')
  expect(label({ failed: 1 })).toBe('Has failed')
  expect(label({ oldestDueAt: '2026-03-01T09:45:00Z' })).toBe('Working')
  expect(label({ oldestDueAt: '2026-03-01T09:44:59Z' })).toBe('Late')
  expect(label({ isSetUp: false })).toBe('Not set up')
  expect(label({ lastSuccessAt: null })).toBe('Idle')
  expect(label({ lastSuccessAt: null, waiting: 2 })).toBe('Waiting')
})
