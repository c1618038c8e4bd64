import { randomBytes } from 'node:crypto'
import { expect, test, vi } from 'vitest'
import {
  deleteOldSubscriptions,
  listSubscriptions,
  upsertSubscription,
} from '../../src/identity/notifications/store.ts'
import {
  insertPasskey,
  listPasskeys,
  storeChallenge,
  takeChallenge,
} from '../../src/identity/session/passkeys/store.ts'
import { continueSession } from '../../src/identity/session/service.ts'
import {
  deleteBySso,
  deleteEndedSessions,
  deleteKnownDevices,
  deleteOwnSession,
  deleteSession,
  deleteSessionsOf,
  extendSession,
  insertSession,
  isFresh,
  listSessions,
  markReauthenticated,
  replaceId,
  upsertKnownDevice,
} from '../../src/identity/session/store.ts'
import { inTransaction } from '../../src/platform/database/db.ts'
import { secretToken, tokenHash } from '../../src/platform/security/ids.ts'
import { setUpTestHarness } from '../support/file-setup.ts'
import { queryAsOwner } from '../support/owner.ts'
import { addMember, createTestContext } from '../support/rewards-harness.ts'
import { changesOf as changesIn } from '../support/row-changes.ts'

const harness = setUpTestHarness()
const db = () => createTestContext(harness, 'gallonaire').db
const changesOf = (act: () => Promise<unknown>) => changesIn(harness, act)
const one = { sessions: 1 }

async function addSession(memberId: number, ssoName: string | null = null): Promise<Buffer> {
  const idHash = randomBytes(32)
  const sso = { name: ssoName, idToken: 'token', authenticatedAt: null }
  const session = { csrfToken: 'csrf', remembered: false, beganWith: 'password', device: 'Firefox', sso } as const
  await insertSession(db(), { ...session, idHash, memberId, lengthMs: 60_000 } as Parameters<typeof insertSession>[1])
  return idHash
}

test('a session is renewed, extended, authenticated and ended alone', async () => {
  const [ada, bob] = [await addMember(db()), await addMember(db())]
  const [first, second] = [await addSession(ada), await addSession(ada, 'at the bank')]
  await addSession(bob)
  await addSession(bob, 'another')
  const renewed = randomBytes(32)
  expect(await changesOf(() => replaceId(db(), first, renewed))).toEqual(one)
  expect(await replaceId(db(), first, randomBytes(32))).toBe(false)
  expect(await changesOf(() => extendSession(db(), renewed, 120_000))).toEqual(one)
  expect(await changesOf(() => markReauthenticated(db(), renewed))).toEqual(one)
  expect([await isFresh(db(), renewed, 60_000), await isFresh(db(), second, 60_000)]).toEqual([true, false])
  await queryAsOwner(
    harness.ownerUrl,
    `update sessions set expires_at = now() - interval '1 second', authenticated_at = now() - interval '61 seconds'
     where id_hash = $1`,
    [renewed],
  )
  expect(await isFresh(db(), renewed, 60_000)).toBe(false)
  expect(await changesOf(() => extendSession(db(), renewed, 60_000))).toEqual({})
  expect(await listSessions(db(), ada)).toHaveLength(1)
  expect(await changesOf(() => deleteEndedSessions(db()))).toEqual(one)
  const third = await addSession(ada)
  const [own] = await listSessions(db(), ada)
  expect(await deleteOwnSession(db(), bob, own?.publicId ?? '')).toBe(false)
  expect(await changesOf(() => deleteOwnSession(db(), ada, own?.publicId ?? ''))).toEqual(one)
  expect(await changesOf(() => deleteSession(db(), third))).toEqual({})
  expect(await changesOf(() => deleteBySso(db(), 'at the bank'))).toEqual(one)
  const kept = await addSession(ada)
  await addSession(ada)
  expect(await changesOf(() => deleteSessionsOf(db(), ada, kept))).toEqual(one)
  expect(await changesOf(() => deleteSession(db(), kept))).toEqual(one)
  expect(await changesOf(() => deleteSessionsOf(db(), bob))).toEqual({ sessions: 2 })
})

test('a member’s sessions are listed from the newest to the oldest, and passkeys in the order of their creation', async () => {
  const ada = await addMember(db())
  const sessions = [await addSession(ada), await addSession(ada), await addSession(ada)]
  expect((await listSessions(db(), ada)).map(({ idHash }) => idHash)).toEqual(sessions.toReversed())
  const names = ['Laptop', 'Phone', 'Key']
  for (const name of names) {
    const passkey = { memberId: ada, credentialId: name, publicKey: Buffer.alloc(1), counter: 0, transports: [], name }
    await inTransaction(db(), (tx) => insertPasskey(tx, passkey))
  }
  expect((await listPasskeys(db(), ada)).map(({ name }) => name)).toEqual(names)
})

test('a session is extended half a minute after it was, not before', async () => {
  const ctx = createTestContext(harness, 'gallonaire')
  const id = secretToken()
  const [idHash, lengthMs] = [tokenHash(id), 15 * 60_000]
  const session = { csrfToken: 'csrf', remembered: false, beganWith: 'visit', device: '', memberId: null } as const
  const expiresAt = await insertSession(db(), { ...session, idHash, lengthMs })
  const continuedAfter = async (milliseconds: number) => {
    vi.spyOn(Date, 'now').mockReturnValue(expiresAt.getTime() - lengthMs + milliseconds)
    const continued = await continueSession(ctx, id, { mayRenew: true })
    return continued?.expiresAt.getTime() !== expiresAt.getTime()
  }
  expect([await continuedAfter(29_999), await continuedAfter(30_000)]).toEqual([false, true])
  expect(await continueSession(ctx, id.slice(1), { mayRenew: true })).toBeUndefined()
})

test('a browser is known once for each of its members', async () => {
  const [ada, bob, device] = [await addMember(db()), await addMember(db()), randomBytes(32)]
  for (const memberId of [ada, bob]) await upsertKnownDevice(db(), device, memberId)
  expect(await changesOf(() => upsertKnownDevice(db(), device, ada))).toEqual({ known_devices: 1 })
  expect(await changesOf(() => deleteKnownDevices(db(), ada))).toEqual({ known_devices: 1 })
})

test('a challenge is replaced by a later one and taken once, for its session and purpose, before it ends', async () => {
  const [sessionId, other] = [randomBytes(32), randomBytes(32)]
  const store = (id: Buffer, purpose: 'add' | 'sign-in', challenge: string) =>
    storeChallenge(db(), { sessionId: id, purpose, challenge })
  await store(sessionId, 'add', 'first')
  await store(sessionId, 'sign-in', 'another')
  await store(other, 'add', 'foreign')
  expect(await changesOf(() => store(sessionId, 'add', 'second'))).toEqual({ passkey_challenges: 1 })
  expect(await takeChallenge(db(), randomBytes(32), 'add')).toBeUndefined()
  expect(await takeChallenge(db(), sessionId, 'add')).toBe('second')
  expect(await takeChallenge(db(), sessionId, 'add')).toBeUndefined()
  expect(await takeChallenge(db(), other, 'add')).toBe('foreign')
  await queryAsOwner(harness.ownerUrl, "update passkey_challenges set expires_at = now() - interval '1 second'")
  expect(await takeChallenge(db(), sessionId, 'sign-in')).toBeUndefined()
  expect(await changesOf(() => deleteEndedSessions(db()))).toEqual({ passkey_challenges: 1 })
})

test('the oldest push subscriptions of a member are deleted, and none of others', async () => {
  const [ada, bob] = [await addMember(db()), await addMember(db())]
  const subscribe = (memberId: number, name: string, over = {}) =>
    inTransaction(db(), (tx) => {
      const keys = { p256dh: 'key', auth: 'secret', timeZone: 'UTC', ...over }
      return upsertSubscription(
        tx,
        { memberId, sessionId: null },
        { endpoint: `https://push.example/${name}`, ...keys },
      )
    })
  for (const name of ['bob 1', 'bob 2', 'bob 3']) await subscribe(bob, name)
  for (const name of ['ada 1', 'ada 2', 'ada 3']) await subscribe(ada, name)
  await subscribe(bob, 'bob 4')
  await inTransaction(db(), (tx) => deleteOldSubscriptions(tx, ada, 2))
  const left = await queryAsOwner<{ name: string }>(
    harness.ownerUrl,
    `select replace(endpoint, 'https://push.example/', '') as name from push_subscriptions order by id`,
  )
  expect(left.map(({ name }) => name)).toEqual(['bob 1', 'bob 2', 'bob 3', 'ada 2', 'ada 3', 'bob 4'])
  // A browser belongs to the member who used it last, as it was then.
  const later = { p256dh: 'new key', auth: 'new secret', timeZone: 'Asia/Tokyo' }
  expect(await changesOf(() => subscribe(ada, 'bob 1', later))).toEqual({ push_subscriptions: 1 })
  expect(await listSubscriptions(db(), ada)).toContainEqual({ endpoint: 'https://push.example/bob 1', ...later })
})

test('a session whose id another request has just replaced is authenticated, preserved and ended by its former id', async () => {
  const ada = await addMember(db())
  const [former, other] = [await addSession(ada), await addSession(ada)]
  const renewed = randomBytes(32)
  await replaceId(db(), former, renewed)
  expect(await changesOf(() => markReauthenticated(db(), former))).toEqual(one)
  expect(await isFresh(db(), renewed, 60_000)).toBe(true)
  // The other one is ended.
  expect(await changesOf(() => deleteSessionsOf(db(), ada, former))).toEqual(one)
  expect(await changesOf(() => deleteSession(db(), other))).toEqual({})
  expect(await changesOf(() => deleteSession(db(), former))).toEqual(one)
  expect(await changesOf(() => deleteSession(db(), renewed))).toEqual({})
})
