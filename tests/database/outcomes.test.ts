import { randomBytes } from 'node:crypto'
import { expect, test } from 'vitest'
import { queueEmail, redactExpiredSecrets } from '../../src/identity/email/service.ts'
import { recordOutcome as recordEmail } from '../../src/identity/email/store.ts'
import { deleteProspect, saveProspect } from '../../src/identity/enrollment/store.ts'
import { endByOperator, redactReasons } from '../../src/identity/impersonation/store.ts'
import {
  eraseMember,
  isFormerMember,
  purgeFormerMembers,
  storeFormerMember,
} from '../../src/identity/members/service.ts'
import { notifyAll, purgeNotifications } from '../../src/identity/notifications/service.ts'
import { recordOutcome as recordNotification } from '../../src/identity/notifications/store.ts'
import {
  codesWithin,
  countTry,
  exchangeCode,
  findReset,
  insertRecovery,
  insertRequest,
  purgeRecoveries,
  takeRequest,
  useReset,
} from '../../src/identity/recovery/store.ts'
import { inTransaction } from '../../src/platform/database/db.ts'
import type { Ctx } from '../../src/platform/http/context.ts'
import { setUpTestHarness } from '../support/file-setup.ts'
import { queryAsOwner } from '../support/owner.ts'
import { plainTheme } from '../support/reservation-harness.ts'
import { addCard, addMember, createTestContext } from '../support/rewards-harness.ts'
import { changesOf as changesIn } from '../support/row-changes.ts'

const harness = setUpTestHarness()
const asOwner = <T extends object>(statement: string, values: unknown[] = []) =>
  queryAsOwner<T>(harness.ownerUrl, statement, values)

function context(): Ctx {
  const ctx = createTestContext(harness, 'gallonaire')
  return { ...ctx, program: { ...ctx.program, theme: plainTheme } }
}

const changesOf = (act: () => Promise<unknown>) => changesIn(harness, act)

/** Queues emails; returns their ids. */
async function queueEmails(ctx: Ctx, memberId: number, abouts: readonly string[], secretFor?: number) {
  const content = { subject: 'Subject', preview: '', title: '', paragraphs: ['Text'], facts: [], smallPrint: [] }
  const email = { memberId, recipient: 'ada@example.com', topic: 'test', content, ...(secretFor && { secretFor }) }
  await inTransaction(ctx.db, async (tx) => {
    for (const about of abouts) await queueEmail(tx, ctx, { ...email, about })
  })
  const rows = await asOwner<{ id: string }>('select id from emails where about = any($1) order by id', [abouts])
  return rows.map(({ id }) => Number(id))
}

test('the outcome of an email is recorded for this email, once', async () => {
  const ctx = context()
  const memberId = await addMember(ctx.db)
  const [first = 0, second = 0] = await queueEmails(ctx, memberId, ['one', 'two'])
  expect(await changesOf(() => recordEmail(ctx.db, first, { status: 'failed', error: 'refused' }))).toEqual({
    emails: 1,
  })
  expect(await changesOf(() => recordEmail(ctx.db, second, { status: 'sent' }))).toEqual({ emails: 1 })
  expect(await changesOf(() => recordEmail(ctx.db, second, { status: 'failed', error: 'late' }))).toEqual({})
  // The same cause again.
  expect(await changesOf(() => queueEmails(ctx, memberId, ['one', 'two']))).toEqual({})
  expect(await asOwner("select from emails where about in ('one', 'two')")).toHaveLength(2)
})

test('of emails with a secret only expired ones are redacted; one that still waits has failed', async () => {
  const ctx = context()
  const memberId = await addMember(ctx.db)
  const [waiting, stored, valid] = await queueEmails(ctx, memberId, ['waiting', 'stored', 'valid'], 60_000)
  await queueEmails(ctx, memberId, ['no secret'])
  await recordEmail(ctx.db, stored as number, { status: 'stored' })
  await asOwner("update emails set secret_until = now() - interval '1 second' where id = any($1)", [[waiting, stored]])
  expect(await changesOf(() => redactExpiredSecrets(ctx.db))).toEqual({ emails: 2 })
  const rows = await asOwner('select status, body_text = $1 as redacted from emails where id = any($2) order by id', [
    '',
    [waiting, stored, valid],
  ])
  expect(rows).toEqual([
    { status: 'failed', redacted: true },
    { status: 'stored', redacted: true },
    { status: 'waiting', redacted: false },
  ])
  // Once an email is sent, its secret is not needed here any more.
  const [plain] = await queueEmails(ctx, memberId, ['plain'])
  for (const id of [valid, plain]) await recordEmail(ctx.db, id as number, { status: 'sent' })
  const sent = await asOwner(
    `select recipient, body_text = '' as no_text, body_html = '' as no_html, secret_until from emails
     where id = any($1) order by id`,
    [[valid, plain]],
  )
  expect(sent).toEqual([
    { recipient: '', no_text: true, no_html: true, secret_until: null },
    { recipient: 'ada@example.com', no_text: false, no_html: false, secret_until: null },
  ])
})

test('the outcome of a notification is recorded for this one, and sent ones are deleted after 60 days', async () => {
  const ctx = context()
  const memberId = await addMember(ctx.db)
  const abouts = ['waiting', 'sent', 'postponed', 'new']
  const queue = () =>
    inTransaction(ctx.db, (tx) =>
      notifyAll(
        tx,
        abouts.map((about) => ({ memberId, topic: 'reviewDue' as const, about, params: {}, path: '/' })),
      ),
    )
  await queue()
  expect(await changesOf(queue)).toEqual({})
  const rows = await asOwner<{ id: string; about: string }>('select id, about from notifications')
  const idOf = (name: string) => Number(rows.find(({ about }) => about === name)?.id)
  const record = (about: string, status: 'sent' | 'postponed') =>
    changesOf(() => inTransaction(ctx.db, (tx) => recordNotification(tx, idOf(about), { status })))
  expect(await record('sent', 'sent')).toEqual({ notifications: 1 })
  expect(await record('postponed', 'postponed')).toEqual({ notifications: 1 })
  expect(await record('new', 'sent')).toEqual({ notifications: 1 })
  await asOwner("update notifications set created_at = now() - interval '61 days' where about <> 'new'")
  await asOwner(
    "update notifications set created_at = now() - interval '60 days' + interval '1 minute' where about = 'new'",
  )
  expect(await changesOf(() => purgeNotifications(ctx.db))).toEqual({ notifications: 1 })
  expect(await asOwner('select from notifications where id = $1', [idOf('sent')])).toEqual([])
})

test('an address is stored once, with its latest marketing parameters, and deleted alone', async () => {
  const { db } = context()
  await saveProspect(db, 'ada@example.com', { utmSource: 'first' })
  await saveProspect(db, 'grace@example.com', {})
  await asOwner("update prospects set last_seen_at = now() - interval '1 day'")
  expect(await changesOf(() => saveProspect(db, 'Ada@example.com', { utmSource: 'second' }))).toEqual({ prospects: 1 })
  expect(
    await asOwner(
      "select marketing, last_seen_at > now() - interval '1 hour' as seen from prospects where email = 'ada@example.com'",
    ),
  ).toEqual([{ marketing: { utmSource: 'second' }, seen: true }])
  expect(await changesOf(() => inTransaction(db, (tx) => deleteProspect(tx, 'ADA@example.com')))).toEqual({
    prospects: 1,
  })
})

test('erasing a member leaves the identities and impersonations of others', async () => {
  const { db } = context()
  const ids = [await addMember(db), await addMember(db)] as const
  const started: string[] = []
  for (const memberId of ids) {
    await db
      .insertInto('identities')
      .values({ issuer: 'bank', subject: String(memberId), member_id: memberId })
      .execute()
    for (const operatorId of [1, 1]) {
      const [{ id }] = (await asOwner<{ id: string }>(
        `insert into impersonations (partner_id, member_id, operator_id, operator_name, may_change, reason, handoff_hash,
           handoff_expires_at) values ('gallonaire', $1, $2, 'Sam', false, 'A question', $3, now()) returning public_id as id`,
        [memberId, operatorId, randomBytes(32)],
      )) as [{ id: string }]
      started.push(id)
    }
  }
  expect(await changesOf(() => endByOperator(db, started[0] as string, 1))).toEqual({ impersonations: 1 })
  const ends = async () => {
    const rows = await asOwner<{ ended_at: string | null }>(
      'select ended_at::text from impersonations where public_id = any($1) order by id',
      [started],
    )
    return rows.map(({ ended_at }) => ended_at)
  }
  const [end] = await ends()
  expect(await changesOf(() => inTransaction(db, (tx) => redactReasons(tx, ids[0])))).toEqual({ impersonations: 2 })
  expect(await ends()).toEqual([end, expect.any(String), null, null])
  expect(await changesOf(() => inTransaction(db, (tx) => eraseMember(tx, ids[0])))).toEqual({
    identities: 1,
    member_terms: 7,
    members: 1,
  })
})

test('a former member is recognized for two years after the last deletion', async () => {
  const { db } = context()
  const [key, email, number] = [randomBytes(32), 'ada@example.com', 'AB123456']
  const age = (interval: string) =>
    asOwner(`update former_member_identifiers set recorded_at = now() - interval '${interval}'`)
  const purge = () => changesOf(() => purgeFormerMembers(db))
  const [first, second] = [await addMember(db), await addMember(db)]
  const store = (account: Partial<Parameters<typeof storeFormerMember>[2]>) =>
    inTransaction(db, (tx) => storeFormerMember(tx, key, { memberId: first, cards: [], ...account }))
  await store({ email, isEmailVerified: true, partnerNumber: number })
  await age('730 days -1 minute')
  expect(await purge()).toEqual({})
  await age('730 days 1 minute')
  // Deleted once more, without the number.
  await store({ memberId: second, email, isEmailVerified: true })
  // Each account has its own hashes.
  expect(await purge()).toEqual({ former_member_identifiers: 2 })
  const known = (who: object) => inTransaction(db, (tx) => isFormerMember(tx, key, who))
  const anyCard = async (memberId: number) => (await addCard(db, memberId)).id
  expect([await known({ email }), await known({ partnerNumber: number })]).toEqual([true, false])
  // One that was only typed.
  expect(await changesOf(() => store({ email: 'typed@example.com' }))).toEqual({})
  expect(await known({ email: 'typed@example.com' })).toBe(false)
  // Stored by an earlier version, which recorded no account: a card is known by it, a person is not.
  await store({
    email: 'old@example.com',
    isEmailVerified: true,
    cards: [{ id: await anyCard(first), fingerprint: 'old' }],
  })
  await asOwner("update former_member_identifiers set member_id = null where recorded_at > now() - interval '1 day'")
  expect([await known({ email: 'old@example.com' }), await known({ fingerprints: ['old'] })]).toEqual([false, true])
  // A member without any card.
  expect(await changesOf(() => store({}))).toEqual({})
  expect(await known({ fingerprints: [] })).toBe(false)
})

test('a recovery code is tried, exchanged and used up alone, and expired codes are deleted after a day', async () => {
  const { db } = context()
  const members = [await addMember(db), await addMember(db)] as const
  const [browserHash, otherBrowser] = [randomBytes(32), randomBytes(32)]
  const codes: Buffer[] = []
  const email = 'Ada@example.com'
  const add = async (memberId: number, browser: Buffer | null) => {
    const codeHash = randomBytes(32)
    codes.push(codeHash)
    const digits = browser && { browserHash: browser, hash: randomBytes(32) }
    return inTransaction(db, (tx) => insertRecovery(tx, { memberId, email, codeHash, digits, lengthMs: 60_000 }))
  }
  const first = await add(members[0], browserHash)
  await add(members[0], otherBrowser)
  await add(members[0], null)
  await add(members[1], otherBrowser)
  const tryDigits = (maxTries: number) => changesOf(() => countTry(db, { browserHash, maxTries }))
  expect(await tryDigits(1)).toEqual({ recoveries: 1 })
  expect(await tryDigits(1)).toEqual({})
  expect(await tryDigits(2)).toEqual({ recoveries: 1 })
  expect(await inTransaction(db, (tx) => codesWithin(tx, members[0], 60_000))).toBe(3)
  await asOwner("update recoveries set created_at = now() - interval '61 seconds' where id = $1", [first])
  expect(await inTransaction(db, (tx) => codesWithin(tx, members[0], 60_000))).toBe(2)
  const [resetHash, otherReset] = [randomBytes(32), randomBytes(32)]
  const exchange = (memberId: number, codeHash: Buffer | undefined, hash: Buffer) =>
    inTransaction(db, (tx) => exchangeCode(tx, { memberId, codeHash: codeHash as Buffer, resetHash: hash }))
  expect(await changesOf(() => exchange(members[0], codes[0], resetHash))).toEqual({ recoveries: 3 })
  // Exchanged already, and ended by another code.
  expect([await exchange(members[0], codes[0], otherReset), await exchange(members[0], codes[1], otherReset)]).toEqual([
    false,
    false,
  ])
  expect(await changesOf(() => countTry(db, { browserHash, maxTries: 9 }))).toEqual({})
  expect(await exchange(members[1], codes[3], otherReset)).toBe(true)
  const use = (of: string) => inTransaction(db, (tx) => useReset(tx, resetHash, of))
  expect(await use('bob@example.com')).toBe(false)
  expect(await changesOf(() => use('ada@example.com'))).toEqual({ recoveries: 1 })
  expect(await use('ada@example.com')).toBe(false)
  expect([await findReset(db, resetHash), await findReset(db, otherReset)]).toEqual([undefined, members[1]])
  for (const userName of ['old', 'new', 'taken']) await insertRequest(db, { userName, browserHash: null })
  const requests = await asOwner<{ id: string }>('select id from recovery_requests order by id')
  const take = () => inTransaction(db, (tx) => takeRequest(tx, Number(requests[2]?.id)))
  expect(await changesOf(take)).toEqual({ recovery_requests: 1 })
  await asOwner("update recovery_requests set requested_at = now() - interval '25 hours' where user_name = 'old'")
  await asOwner(
    `update recoveries set created_at = now() - interval '2 days',
       expires_at = now() - interval '24 hours' + interval '1 minute' * case when id = $1 then -1 else 1 end`,
    [first],
  )
  expect(await changesOf(() => purgeRecoveries(db))).toEqual({ recoveries: 1, recovery_requests: 1 })
})
