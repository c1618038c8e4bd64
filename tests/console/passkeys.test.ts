import { randomBytes } from 'node:crypto'
import { sql } from 'kysely'
import { beforeAll, expect, test } from 'vitest'
import { storeChallenge, takeChallenge } from '../../src/console/operators/passkey-store.ts'
import { maxPasskeys } from '../../src/console/operators/passkeys.ts'
import { addOperator, signInOperator } from '../../src/console/operators/service.ts'
import { createPools } from '../../src/platform/database/db.ts'
import { tokenHash } from '../../src/platform/security/ids.ts'
import { asOwner } from '../support/app.ts'
import { openConsole } from '../support/console.ts'
import { createFakeAuthenticator } from '../support/fake-passkey.ts'
import { setUpTestApp } from '../support/file-setup.ts'
import { whileLocked } from '../support/while-locked.ts'

const app = setUpTestApp()
const operator = { email: 'petra@dineback.example', name: 'Petra', password: 'sourdough 4 breakfast' }
beforeAll(async () => {
  await addOperator(app.database.consolePools.shared, { ...operator, role: 'admin', partners: null })
})

const openSession = () =>
  signInOperator(app.database.consolePools.shared, { ...operator, lockKey: randomBytes(32), device: undefined })
const signIn = () => openConsole(app, operator.email, operator.password)

test('of two responses to one challenge at the same moment one gets it', async () => {
  const db = app.database.consolePools.shared
  const owner = createPools({ url: app.database.ownerUrl, onError: () => {} })
  const id = tokenHash((await openSession())?.id ?? '')
  await storeChallenge(db, id, 'challenge')
  const taken = await whileLocked(owner.shared, {
    hold: (tx) => tx.selectFrom('console.sessions').select('id_hash').where('id_hash', '=', id).forUpdate().execute(),
    acts: [() => takeChallenge(db, id), () => takeChallenge(db, id)],
  })
  expect(taken).toEqual(['challenge', null])
  await owner.close()
})

test('a challenge has one answer until its time is over', async () => {
  const db = app.database.consolePools.shared
  const id = tokenHash((await openSession())?.id ?? '')
  const lasting = async (interval: string) => {
    await storeChallenge(db, id, 'challenge')
    await asOwner(
      app,
      `update console.sessions set challenge_until = now() + interval '${interval}' where id_hash = $1`,
      [id],
    )
    return takeChallenge(db, id)
  }
  expect([await lasting('1 minute'), await lasting('-1 second')]).toEqual(['challenge', null])
})

/** Returns the challenge of a page that asks for a passkey. */
async function challengeOf(session: Awaited<ReturnType<typeof signIn>>, path: string): Promise<string> {
  const options = /data-options="([^"]+)"/.exec((await session.get(path)).text)?.[1]?.replaceAll('&quot;', '"') ?? '{}'
  return JSON.parse(options).challenge
}

test('the passkey opens the console in the session in which it is used, and no used answer works again', async () => {
  const authenticator = createFakeAuthenticator(`http://console.localhost:${app.port}`)
  const first = await signIn()
  const credential = authenticator.create(await challengeOf(first, '/security'))
  expect((await first.post('/security/add', { name: 'Laptop', credential })).location).toBe('/security')
  const [session, other] = [await signIn(), await signIn()]
  const answer = authenticator.get(await challengeOf(session, '/passkey'), 1)
  // The challenge of one session is none of another.
  await challengeOf(other, '/passkey')
  expect((await other.post('/passkey', { credential: answer })).status).toBe(400)
  const used = await session.post('/passkey', { credential: answer })
  expect([used.status, used.location]).toEqual([303, '/'])
  expect((await session.get('/')).status).toBe(200)
  expect((await other.get('/')).location).toBe('/passkey')
  expect((await session.post('/passkey', { credential: answer })).status).toBe(400)
  // A copy of the passkey has a counter that does not grow.
  expect(
    (await other.post('/passkey', { credential: authenticator.get(await challengeOf(other, '/passkey'), 1) })).status,
  ).toBe(400)
  expect(
    (await other.post('/passkey', { credential: authenticator.get(await challengeOf(other, '/passkey'), 2) })).location,
  ).toBe('/')
})

test('an operator removes own passkeys only, and a passkey without an open challenge is not added', async () => {
  const nina = { email: 'nina@dineback.example', name: 'Nina', password: operator.password }
  await addOperator(app.database.consolePools.shared, { ...nina, role: 'admin', partners: null })
  const session = await openConsole(app, nina.email, nina.password)
  const authenticator = createFakeAuthenticator(`http://console.localhost:${app.port}`)
  const challenge = await challengeOf(session, '/security')
  const add = (name: string, credential: string) => session.post('/security/add', { name, credential })
  expect((await add('Laptop', authenticator.create('another challenge'))).status).toBe(400)
  // The attempt has used the challenge.
  expect((await add('Laptop', authenticator.create(challenge))).status).toBe(400)
  expect((await add('Laptop', authenticator.create(await challengeOf(session, '/security')))).status).toBe(303)
  const { rows } = await sql<{ id: number; email: string }>`
    select p.id, o.email from console.passkeys p join console.operators o on o.id = p.operator_id`.execute(
    app.database.consolePools.shared,
  )
  const idOf = (email: string) => String(rows.find((row) => row.email === email)?.id)
  for (const id of [idOf(operator.email), '0', 'x', '2147483648']) await session.post('/security/remove', { id })
  const left = () =>
    sql<{ email: string }>`
      select o.email from console.passkeys p join console.operators o on o.id = p.operator_id order by 1`
      .execute(app.database.consolePools.shared)
      .then((found) => found.rows.map(({ email }) => email))
  expect(await left()).toEqual([nina.email, operator.email])
  await session.post('/security/remove', { id: idOf(nina.email) })
  expect(await left()).toEqual([operator.email])
})

test('of two responses with the same counter at the same moment one opens the console', async () => {
  const omar = { email: 'omar@dineback.example', name: 'Omar', password: operator.password }
  const db = app.database.consolePools.shared
  await addOperator(db, { ...omar, role: 'admin', partners: null })
  const authenticator = createFakeAuthenticator(`http://console.localhost:${app.port}`)
  const open = () => openConsole(app, omar.email, omar.password)
  const first = await open()
  const credential = authenticator.create(await challengeOf(first, '/security'))
  expect((await first.post('/security/add', { name: 'Laptop', credential })).location).toBe('/security')
  const sessions = [await open(), await open()]
  const answers = await Promise.all(
    sessions.map(async (session) => authenticator.get(await challengeOf(session, '/passkey'), 1)),
  )
  const owner = createPools({ url: app.database.ownerUrl, onError: () => {} })
  const results = await whileLocked(owner.shared, {
    hold: (tx) => sql`select from console.passkeys order by id desc limit 1 for update`.execute(tx),
    acts: sessions.map((session, index) => async () => {
      return (await session.post('/passkey', { credential: answers[index] ?? '' })).status
    }),
  })
  expect(results).toEqual([303, 400])
  // The same passkey is not added twice.
  const again = authenticator.create(await challengeOf(first, '/security'))
  expect((await first.post('/security/add', { name: 'Again', credential: again })).status).toBe(400)
  await owner.close()
})

test('Case 99 an operator has at most ten passkeys, also when two browsers add the last one', async () => {
  expect(maxPasskeys).toBe(10)
  const many = { email: 'many@dineback.example', name: 'Many', password: operator.password }
  await addOperator(app.database.consolePools.shared, { ...many, role: 'admin', partners: null })
  const sessions = [
    await openConsole(app, many.email, many.password),
    await openConsole(app, many.email, many.password),
  ]
  const [first] = sessions as [Awaited<ReturnType<typeof signIn>>, ...unknown[]]
  const create = (challenge: string) =>
    createFakeAuthenticator(`http://console.localhost:${app.port}`).create(challenge)
  const challenges = [await challengeOf(first, '/security')]
  const added = await first.post('/security/add', { name: 'One', credential: create(challenges[0] as string) })
  expect(added.status).toBe(303)
  await asOwner(
    app,
    `insert into console.passkeys (operator_id, credential_id, public_key, counter, name)
     select id, 'limits-' || place, '', 0, 'x' from console.operators, generate_series(1, 8) place where email = $1`,
    [many.email],
  )
  // Both sessions have used a passkey.
  await asOwner(
    app,
    `update console.sessions set authenticated_at = now() where operator_id = (select id from console.operators where email = $1)`,
    [many.email],
  )
  const opened = await Promise.all(sessions.map((session) => challengeOf(session, '/security')))
  const statuses = await Promise.all(
    sessions.map((session, index) =>
      session
        .post('/security/add', { name: 'Last', credential: create(opened[index] as string) })
        .then(({ status }) => status),
    ),
  )
  expect(statuses.toSorted()).toEqual([303, 400])
  const held = await asOwner(
    app,
    'select count(*)::int as count from console.passkeys p join console.operators o on o.id = p.operator_id where email = $1',
    [many.email],
  )
  expect(held).toEqual([{ count: 10 }])
})
