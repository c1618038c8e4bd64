import { randomBytes } from 'node:crypto'
import { sql } from 'kysely'
import type * as oidc from 'openid-client'
import { describe, expect, test } from 'vitest'
import {
  addOperator,
  maxFailures,
  maxKnownDevices as maxOperatorDevices,
  maxSessions as maxOperatorSessions,
  purgeConsoleSessions,
  signInOperator,
} from '../../src/console/operators/service.ts'
import {
  maxJoinsPerAddress,
  maxProspectsPerAddress,
  purgeProspects,
  storeProspect,
} from '../../src/identity/enrollment/service.ts'
import { chooseConsent, maxChangesPerDay } from '../../src/identity/members/consents.ts'
import { maxKnownDevices, maxSessions, maxSsoAttempts } from '../../src/identity/session/rules.ts'
import { openSession, purgeSessions, signInAs } from '../../src/identity/session/service.ts'
import { startSso } from '../../src/identity/session/sso/start.ts'
import { deriveKey } from '../../src/platform/config/settings.ts'
import { countAddressAttempt } from '../../src/platform/database/attempts.ts'
import { audit } from '../../src/platform/database/audit.ts'
import { inTransaction } from '../../src/platform/database/db.ts'
import { purgeIdempotencyKeys, withIdempotencyKey } from '../../src/platform/database/idempotency.ts'
import { DAY } from '../../src/platform/time.ts'
import { asOwner, joinForm, visit } from '../support/app.ts'
import { setUpTestApp } from '../support/file-setup.ts'
import { outcomesInParallel } from '../support/in-parallel.ts'
import { newMember } from '../support/members.ts'
import { addMember, createTestContext } from '../support/rewards-harness.ts'

const app = setUpTestApp()
const consoleDb = () => app.database.consolePools.shared
const db = () => app.database.pools.forPartner('skyharbor')
const context = (memberId: number | null = null) => {
  const ctx = createTestContext(app.database, 'skyharbor')
  return { ...ctx, userAgent: '', address: '192.0.2.7', actor: { ...ctx.actor, memberId } }
}
const count = async (table: string, where: ReturnType<typeof sql>) => {
  const { rows } = await sql<{ count: number }>`
    select count(*)::int as count from ${sql.table(table)} where ${where}`.execute(db())
  return rows[0]?.count
}

test('Case 99 a member has at most fifty sessions and known browsers, also when seventy sign in at once', async () => {
  expect([maxSessions, maxKnownDevices]).toEqual([50, 50])
  const memberId = await addMember(db())
  const signIn = (index: number) =>
    inTransaction(db(), (tx) =>
      signInAs(tx, context(), { memberId, remembered: true, beganWith: 'password', device: `browser ${index}` }),
    )
  const opened: Awaited<ReturnType<typeof signIn>>[] = []
  for (let index = 0; index < 50; index++) opened.push(await signIn(index))
  const ofMember = sql`member_id = ${memberId}`
  expect([await count('sessions', ofMember), await count('known_devices', ofMember)]).toEqual([50, 50])
  // One more ends the oldest.
  const last = await signIn(50)
  expect(await count('sessions', sql`id_hash = ${opened[0]?.idHash}`)).toBe(0)
  expect(await count('sessions', sql`id_hash in (${opened[1]?.idHash}, ${last.idHash})`)).toBe(2)
  await outcomesInParallel(20, (index) => signIn(100 + index))
  expect([await count('sessions', ofMember), await count('known_devices', ofMember)]).toEqual([50, 50])
})

test('browsers that were not used for as long as their cookie lasts are forgotten', async () => {
  const memberId = await addMember(db())
  for (const device of ['old', 'new'])
    await inTransaction(db(), (tx) =>
      signInAs(tx, context(), { memberId, remembered: false, beganWith: 'password', device }),
    )
  await sql`update known_devices set used_at = now() - interval '400 days 1 minute' where member_id = ${memberId}
    and device_hash = (select min(device_hash) from known_devices where member_id = ${memberId})`.execute(db())
  await purgeSessions(db())
  expect(await count('known_devices', sql`member_id = ${memberId}`)).toBe(1)
})

test('Case 99 a session has at most five unfinished sign-ins at a provider, and the newest stay', async () => {
  expect(maxSsoAttempts).toBe(5)
  const { idHash } = await openSession(db())
  const configuration = { serverMetadata: () => ({ authorization_endpoint: 'https://bank.example/auth' }) }
  const start = () =>
    startSso(db(), {
      client: { configuration: configuration as never as oidc.Configuration, redirectUri: 'https://x.example/cb' },
      sessionIdHash: idHash,
      returnTo: '/',
      forceLogin: false,
    }).catch((error) => {
      // The provider is not real: the attempt is stored before its address is built.
      if (!(error instanceof TypeError)) throw error
    })
  for (let index = 0; index < 4; index++) await start()
  expect(await count('sso_attempts', sql`session_id_hash = ${idHash}`)).toBe(4)
  await outcomesInParallel(20, start)
  expect(await count('sso_attempts', sql`session_id_hash = ${idHash}`)).toBe(5)
})

describe('an operator', () => {
  const password = 'lighthouse 9 sardines'
  const lockKey = randomBytes(32)

  test('Case 99 has at most twenty sessions and known browsers, and unknown names are forgotten after a day', async () => {
    expect([maxOperatorSessions, maxOperatorDevices]).toEqual([20, 20])
    const email = 'many@dineback.example'
    await addOperator(consoleDb(), { email, name: 'Many', role: 'editor', partners: null, password })
    for (let index = 0; index < 3; index++)
      await outcomesInParallel(8, () => signInOperator(consoleDb(), { email, password, lockKey }))
    const held = await asOwner(
      app,
      `select (select count(*)::int from console.sessions s where s.operator_id = o.id) as sessions,
        (select count(*)::int from console.known_devices d where d.operator_id = o.id) as devices
       from console.operators o where email = $1`,
      [email],
    )
    expect(held).toEqual([{ sessions: 20, devices: 20 }])
    for (let index = 0; index < maxFailures; index++)
      await signInOperator(consoleDb(), { email: 'nobody@x.example', password: 'x', lockKey })
    const failures = () => asOwner(app, 'select failures from console.login_failures')
    await purgeConsoleSessions(consoleDb())
    expect(await failures()).toEqual([{ failures: maxFailures }])
    await asOwner(app, `update console.login_failures set first_failure_at = now() - interval '25 hours'`)
    // A lock that has not ended stays.
    await purgeConsoleSessions(consoleDb())
    expect(await failures()).toHaveLength(1)
    await asOwner(app, `update console.login_failures set locked_until = now() - interval '1 minute'`)
    await purgeConsoleSessions(consoleDb())
    expect(await failures()).toEqual([])
  })
})

test('Case 99 an address stores fifty prospects a day, also when sixty arrive at once, and they are deleted after a year', async () => {
  expect(maxProspectsPerAddress).toBe(50)
  const limitKey = randomBytes(32)
  const store = (index: number) =>
    storeProspect({ ...context(), returningKey: limitKey }, { email: `p${index}@example.com` })
  const ofTest = sql`email like 'p%@example.com'`
  for (let index = 0; index < 45; index++) await store(index)
  expect(await outcomesInParallel(15, (index) => store(100 + index))).toEqual({ done: 15 })
  expect(await count('prospects', ofTest)).toBe(50)
  await sql`update prospects set last_seen_at = now() - interval '366 days' where email = 'p1@example.com'`.execute(
    db(),
  )
  await purgeProspects(db())
  expect(await count('prospects', ofTest)).toBe(49)
})

test('Case 99 three hundred accounts are opened from a network address in a day, also at once, and others still join', async () => {
  expect(maxJoinsPerAddress).toBe(300)
  const secret = deriveKey(app.settings.APP_SECRET, 'returning-member')
  const from = { secret, about: 'joins', partnerId: 'skyharbor', address: '198.51.100.9' }
  for (let index = 0; index < 298; index++)
    await countAddressAttempt(db(), from, { maxAttempts: maxJoinsPerAddress, windowMs: DAY })
  let joined = 0
  const joinFrom = async (address: string) => {
    const response = await visit(app, 'skyharbor', { address }).change(
      'POST',
      '/api/Members/Prospects',
      joinForm({ partnerNumber: `SKY${1_000_000 + ++joined}` }),
    )
    return [response.status, response.json().code]
  }
  const results = await Promise.all(Array.from({ length: 6 }, () => joinFrom('198.51.100.9')))
  expect(results.filter(([status]) => status === 200)).toHaveLength(2)
  expect(results.filter(([, code]) => code === 'tooManyJoins')).toHaveLength(4)
  expect((await joinFrom('198.51.100.10'))[0]).toBe(200)
})

test('Case 99 a member changes a consent at most a hundred times a day, also at once, and says why it ends', async () => {
  expect(maxChangesPerDay).toBe(100)
  const memberId = await addMember(db())
  const ctx = context(memberId) as never as Parameters<typeof chooseConsent>[0]
  await inTransaction(db(), async (tx) => {
    for (let index = 0; index < 98; index++) await audit(tx, ctx, { action: 'consent.chosen', memberId })
  })
  const choose = (index: number) =>
    chooseConsent(ctx, { channel: 'email', topic: 'offers', granted: index % 2 === 0, source: 'consents' })
  expect(await outcomesInParallel(8, choose)).toEqual({ done: 2, tooManyChanges: 6 })
  expect(await count('consents', sql`member_id = ${memberId}`)).toBe(2)
  const { visitor, publicId } = await newMember(app, 'skyharbor')
  await asOwner(
    app,
    `insert into audit_entries (partner_id, actor, member_id, action, previous_hash, hash)
     select partner_id, 'test', id, 'member.changed', '', '' from members, generate_series(1, 100) where public_id = $1`,
    [publicId],
  )
  const profile = { firstName: 'Grace', lastName: 'Hopper', zipCode: '10001', emailOptIn: true }
  const refused = await visitor.change('PUT', '/api/Member', profile)
  expect([refused.status, refused.json().code]).toEqual([429, 'tooManyChanges'])
  expect(refused.json().title).toContain('Please come back tomorrow')
})

test('stored responses of requests are deleted after a day, also those of members who never return', async () => {
  const once = (key: string) =>
    inTransaction(db(), (tx) => withIdempotencyKey(tx, { scope: key, key, request: {} }, async () => ({ done: true })))
  for (const key of ['limits-old', 'limits-new']) await once(key)
  await asOwner(app, `update idempotency_keys set created_at = now() - interval '25 hours' where key = 'limits-old'`)
  await purgeIdempotencyKeys(db())
  expect(await count('idempotency_keys', sql`key like 'limits-%'`)).toBe(1)
})
