import { randomBytes } from 'node:crypto'
import { sql } from 'kysely'
import { beforeAll, expect, test } from 'vitest'
import { purgeSpentTokens, spendToken } from '../../src/identity/bot-check/store.ts'
import * as recoveries from '../../src/identity/recovery/store.ts'
import * as passkeys from '../../src/identity/session/passkeys/store.ts'
import * as sessions from '../../src/identity/session/store.ts'
import type { Db } from '../../src/platform/database/db.ts'
import { inTransaction } from '../../src/platform/database/db.ts'
import { fromNow } from '../../src/platform/database/from-now.ts'
import { setUpTestHarness } from '../support/file-setup.ts'
import { queryAsOwner } from '../support/owner.ts'
import { addMember, createTestContext } from '../support/rewards-harness.ts'

const minute = 60_000
const harness = setUpTestHarness()
let db: Db
beforeAll(() => {
  db = createTestContext(harness, 'skyharbor').db
})

const newHash = () => randomBytes(32)

test('moments by the clock of the database are milliseconds from now', async () => {
  const seconds = (moment: typeof now) => sql<number>`extract(epoch from ${moment} - now())::float8`
  const now = fromNow(0)
  const { rows } = await sql<object>`select ${seconds(now)} as now, ${seconds(fromNow(90_500))} as later,
    ${seconds(fromNow(-60_000))} as earlier`.execute(db)
  expect(rows).toEqual([{ now: 0, later: 90.5, earlier: -60 }])
})

async function addSession(lengthMs: number, memberId: number | null = null, ssoName?: string): Promise<Buffer> {
  const idHash = newHash()
  const rest = { csrfToken: 'token', remembered: false, beganWith: 'password', device: '' } as const
  await sessions.insertSession(db, {
    idHash,
    memberId,
    lengthMs,
    ...rest,
    sso: ssoName === undefined ? undefined : { name: ssoName, idToken: 'token', authenticatedAt: null },
  })
  return idHash
}

test('an ended session is found by no lookup, is not extended, and a member’s list lacks it', async () => {
  const memberId = await addMember(db)
  // Another one, which no lookup returns.
  await addSession(minute, await addMember(db))
  const [live, ended] = [await addSession(minute, memberId), await addSession(-minute, memberId)]
  expect((await sessions.findSession(db, live))?.memberId).toBe(memberId)
  expect(await sessions.findSession(db, ended)).toBeUndefined()
  expect(await sessions.findLiveIds(db, [live, ended])).toEqual([live])
  expect((await sessions.listSessions(db, memberId)).map(({ idHash }) => idHash)).toEqual([live])
  expect(await sessions.extendSession(db, ended, minute)).toBeUndefined()
  expect(await sessions.findSession(db, ended)).toBeUndefined()
  const [newLive, newEnded] = [newHash(), newHash()]
  expect([await sessions.replaceId(db, live, newLive), await sessions.replaceId(db, ended, newEnded)]).toEqual([
    true,
    true,
  ])
  expect((await sessions.findByPreviousId(db, live))?.idHash).toEqual(newLive)
  expect(await sessions.findByPreviousId(db, ended)).toBeUndefined()
  expect(await sessions.findLiveIds(db, [live, ended])).toEqual([newLive, live])
})

test('a session that gets a new id has a new age', async () => {
  const [first, second] = [await addSession(minute), newHash()]
  await db
    .updateTable('sessions')
    .set({ renewed_at: sql<Date>`now() - interval '25 hours'` })
    .where('id_hash', '=', first)
    .execute()
  expect((await sessions.findSession(db, first))?.idAge).toBeGreaterThan(3600)
  expect(await sessions.replaceId(db, first, second)).toBe(true)
  // A concurrent request with the former id replaces nothing.
  expect(await sessions.replaceId(db, first, newHash())).toBe(false)
  expect((await sessions.findSession(db, second))?.idAge).toBeLessThan(3600)
})

test('what ends a session or forgets a browser affects no other', async () => {
  const [memberId, otherId] = [await addMember(db), await addMember(db)]
  const [first, second, third] = [
    await addSession(minute, memberId, 'provider-1'),
    await addSession(minute, memberId, 'provider-2'),
    await addSession(minute, memberId),
  ]
  const foreign = await addSession(minute, otherId)
  const listLive = async () => [
    ...(await sessions.listSessions(db, memberId)).map(({ idHash }) => idHash),
    ...(await sessions.listSessions(db, otherId)).map(({ idHash }) => idHash),
  ]
  const [foreignSession] = await sessions.listSessions(db, otherId)
  expect(await sessions.deleteOwnSession(db, memberId, foreignSession?.publicId ?? '')).toBe(false)
  await sessions.deleteBySso(db, 'provider-1')
  expect(await listLive()).toEqual([third, second, foreign])
  const own = (await sessions.listSessions(db, memberId)).find(({ idHash }) => idHash.equals(second))
  expect(await sessions.deleteOwnSession(db, memberId, own?.publicId ?? '')).toBe(true)
  expect(await listLive()).toEqual([third, foreign])
  const again = await addSession(minute, memberId)
  await sessions.deleteSessionsOf(db, memberId, again)
  expect(await listLive()).toEqual([again, foreign])
  await sessions.deleteSession(db, again)
  expect(await listLive()).toEqual([foreign])
  for (const id of [memberId, otherId]) await sessions.upsertKnownDevice(db, first, id)
  await sessions.deleteKnownDevices(db, memberId)
  const isKnown = (device: Buffer, id: number) => sessions.isKnownDevice(db, device, id)
  expect(await Promise.all([isKnown(first, memberId), isKnown(first, otherId), isKnown(second, otherId)])).toEqual([
    false,
    true,
    false,
  ])
})

test('a session counts as authenticated for the given time, and only that session', async () => {
  const [old, recent] = [await addSession(minute), await addSession(minute)]
  const setAge = (idHash: Buffer, age: string) =>
    db
      .updateTable('sessions')
      .set({ authenticated_at: sql<Date>`now() - ${age}::interval` })
      .where('id_hash', '=', idHash)
      .execute()
  await setAge(old, '11 minutes')
  await setAge(recent, '9 minutes')
  const listFresh = async () => [
    await sessions.isFresh(db, old, 10 * minute),
    await sessions.isFresh(db, recent, 10 * minute),
  ]
  expect(await listFresh()).toEqual([false, true])
  await setAge(recent, '11 minutes')
  await sessions.markReauthenticated(db, old)
  expect(await listFresh()).toEqual([true, false])
})

test('what expires at this moment is over: sessions, codes and rights to set a password', async () => {
  const memberId = await addMember(db)
  // Within a transaction the time stands still.
  await inTransaction(db, async (tx) => {
    const [idHash, codeHash, resetHash, browserHash] = [newHash(), newHash(), newHash(), newHash()]
    const rest = { csrfToken: 'token', remembered: false, beganWith: 'password', device: '' } as const
    const insert = (lengthMs: number) => sessions.insertSession(tx, { idHash, memberId, lengthMs, ...rest })
    await insert(0)
    expect(await sessions.findSession(tx, idHash)).toBeUndefined()
    expect(await sessions.findLiveIds(tx, [idHash])).toEqual([])
    expect(await sessions.listSessions(tx, memberId)).toEqual([])
    expect(await sessions.extendSession(tx, idHash, minute)).toBeUndefined()
    const digits = { browserHash, hash: newHash() }
    await recoveries.insertRecovery(tx, { memberId, email: 'ada@example.com', codeHash, digits, lengthMs: 0 })
    expect(await recoveries.countTry(tx, { browserHash, maxTries: 5 })).toEqual([])
    expect(await recoveries.findCode(tx, codeHash)).toBeUndefined()
    expect(await recoveries.exchangeCode(tx, { memberId, codeHash, resetHash })).toBe(false)
    const setEnd = (seconds: number) =>
      sql`
      update recoveries set expires_at = now() + make_interval(secs => ${seconds}) where code_hash = ${codeHash}`.execute(
        tx,
      )
    await setEnd(1)
    expect(await recoveries.exchangeCode(tx, { memberId, codeHash, resetHash })).toBe(true)
    await setEnd(0)
    expect([
      await recoveries.findReset(tx, resetHash),
      await recoveries.useReset(tx, resetHash, 'ada@example.com'),
    ]).toEqual([undefined, false])
    await setEnd(1)
    expect([
      await recoveries.findReset(tx, resetHash),
      await recoveries.useReset(tx, resetHash, 'ada@example.com'),
    ]).toEqual([memberId, true])
  })
})

test('a passkey challenge is valid once, for five minutes, in its session and for its purpose', async () => {
  const [sessionId, other] = [newHash(), newHash()]
  const store = (challenge: string, purpose: passkeys.Purpose = 'add', of = sessionId) =>
    passkeys.storeChallenge(db, { sessionId: of, purpose, challenge })
  await store('for signing in', 'sign-in')
  await store('of another session', 'add', other)
  expect(await passkeys.takeChallenge(db, sessionId, 'add')).toBeUndefined()
  await store('first')
  await store('second')
  expect(await passkeys.takeChallenge(db, sessionId, 'add')).toBe('second')
  expect(await passkeys.takeChallenge(db, sessionId, 'add')).toBeUndefined()
  const pass = (time: string) =>
    db
      .updateTable('passkey_challenges')
      .set({ expires_at: sql<Date>`expires_at - ${time}::interval` })
      .execute()
  await pass('4 minutes 50 seconds')
  expect(await passkeys.takeChallenge(db, sessionId, 'sign-in')).toBe('for signing in')
  await pass('10 seconds')
  expect(await passkeys.takeChallenge(db, other, 'add')).toBeUndefined()
})

test('a member removes no passkey of another member', async () => {
  const [owner, stranger] = [await addMember(db), await addMember(db)]
  const rest = { publicKey: Buffer.from('key'), counter: 0, transports: [], name: 'Laptop' }
  await inTransaction(db, async (tx) => {
    const first = await passkeys.insertPasskey(tx, { memberId: owner, credentialId: 'first', ...rest })
    await passkeys.insertPasskey(tx, { memberId: owner, credentialId: 'second', ...rest })
    await passkeys.insertPasskey(tx, { memberId: stranger, credentialId: 'third', ...rest })
    expect(await passkeys.deletePasskey(tx, stranger, first.publicId)).toBeUndefined()
    expect(await passkeys.deletePasskey(tx, owner, first.publicId)).toBe(first.name)
    await passkeys.markUsed(tx, (await passkeys.lockPasskey(tx, 'third'))?.id ?? 0, 7)
  })
  const names = async (memberId: number) =>
    (await passkeys.listPasskeys(db, memberId)).map((row) => [row.credentialId, row.counter, row.usedAt !== null])
  expect(await names(owner)).toEqual([['second', 0, false]])
  expect(await names(stranger)).toEqual([['third', 7, true]])
  await inTransaction(db, (tx) => passkeys.deletePasskeysOf(tx, owner))
  expect([await names(owner), await names(stranger)]).toEqual([[], [['third', 7, true]]])
})

test('the cleanups delete what has expired, and nothing else', async () => {
  const [live, ended] = [await addSession(minute), await addSession(-minute)]
  for (const sessionId of [live, ended]) {
    await passkeys.storeChallenge(db, { sessionId, purpose: 'add', challenge: 'x' })
    const values = { session_id_hash: sessionId, nonce: 'n', code_verifier: 'v', return_to: '/' }
    const expires_at = sql<Date>`now() + ${sessionId === live ? '1 minute' : '-1 minute'}::interval`
    await db
      .insertInto('sso_attempts')
      .values({ ...values, state_hash: sessionId, expires_at })
      .execute()
    await db.updateTable('passkey_challenges').set({ expires_at }).where('session_id_hash', '=', sessionId).execute()
    await spendToken(db, sessionId.toString('hex'), sessionId === live ? minute : -minute)
  }
  await sessions.deleteEndedSessions(db)
  await purgeSpentTokens(db)
  const left = await queryAsOwner(
    harness.ownerUrl,
    `select (select count(*)::int from sessions where id_hash = any($1)) as sessions,
      (select count(*)::int from sso_attempts) as attempts,
      (select count(*)::int from passkey_challenges where session_id_hash = any($1)) as challenges,
      (select count(*)::int from used_bot_check_proofs) as proofs`,
    [[live, ended]],
  )
  expect(left).toEqual([{ sessions: 1, attempts: 1, challenges: 1, proofs: 1 }])
  expect(await sessions.findSession(db, live)).toBeDefined()
})
