import { randomBytes } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { storeChallenge } from '../../src/console/operators/passkey-store.ts'
import { finishPasskeyRegistration } from '../../src/console/operators/passkeys.ts'
import {
  addOperator,
  continueConsoleSession,
  disableOperator,
  resetPassword,
  signInOperator,
} from '../../src/console/operators/service.ts'
import { lockOperator } from '../../src/console/operators/store.ts'
import { createPools } from '../../src/platform/database/db.ts'
import { asOwner } from '../support/app.ts'
import { createFakeAuthenticator } from '../support/fake-passkey.ts'
import { setUpTestApp } from '../support/file-setup.ts'
import { whileLocked } from '../support/while-locked.ts'

const app = setUpTestApp()
let owner: ReturnType<typeof createPools>
beforeAll(() => {
  owner = createPools({ url: app.database.ownerUrl, onError: () => {} })
})
afterAll(() => owner?.close())
const db = () => app.database.consolePools.shared
const password = 'sourdough 4 breakfast'
const origin = 'http://console.localhost'

async function newOperator(name: string) {
  const email = `${name}@dineback.example`
  await addOperator(db(), { email, name, role: 'admin', partners: null, password })
  const [row] = await asOwner<{ id: string }>(app, 'select id from console.operators where email = $1', [email])
  const id = Number(row?.id)
  const sessions = async () =>
    (await asOwner(app, 'select 1 from console.sessions where operator_id = $1', [id])).length
  const passkeys = async () =>
    (await asOwner(app, 'select 1 from console.passkeys where operator_id = $1', [id])).length
  return { email, id, sessions, passkeys }
}
const signIn = (email: string) => () => signInOperator(db(), { email, password, lockKey: randomBytes(32) })

/** What an administrator does on the command line; it may wait for the sign-in, or the sign-in for it. */
const ends: Record<string, (email: string) => () => Promise<unknown>> = {
  'a new password': (email) => () => resetPassword(db(), email, 'another kettle of fish'),
  'disabling the operator': (email) => () => disableOperator(db(), email),
}

test.each(Object.keys(ends).flatMap((kind) => [true, false].map((signsInFirst) => ({ kind, signsInFirst }))))(
  'Case 128 a sign-in to the console at the same time as $kind leaves no session (sign-in first: $signsInFirst)',
  async ({ kind, signsInFirst }) => {
    const { email, id, sessions } = await newOperator(`${kind.replaceAll(' ', '-')}-${signsInFirst}`)
    const end = ends[kind]?.(email) as () => Promise<unknown>
    const acts = signsInFirst ? [signIn(email), end] : [end, signIn(email)]
    await whileLocked(owner.shared, { hold: (tx) => lockOperator(tx, id), acts })
    expect(await sessions()).toBe(0)
    // Counterpart: nothing else stops a sign-in.
    const other = await newOperator(`other-${kind.replaceAll(' ', '-')}-${signsInFirst}`)
    expect(await signIn(other.email)()).not.toBeNull()
    expect(await other.sessions()).toBe(1)
  },
)

test('Case 128 a passkey whose session ends while it is added is not stored', async () => {
  const { email, id, passkeys } = await newOperator('passkey')
  const opened = await signIn(email)()
  const session = await continueConsoleSession(db(), opened?.id ?? '')
  if (!session) throw new Error('no session')
  const add = async () => {
    const challenge = randomBytes(32).toString('base64url')
    await storeChallenge(db(), session.idHash, challenge)
    const response = JSON.parse(createFakeAuthenticator(origin).create(challenge))
    return finishPasskeyRegistration(db(), session, { origin, name: 'Key', response, code: null })
  }
  const [isAdded] = await whileLocked(owner.shared, {
    hold: (tx) => lockOperator(tx, id),
    acts: [add],
    meanwhile: (tx) => tx.deleteFrom('console.sessions').where('operator_id', '=', id).execute(),
  })
  expect([isAdded, await passkeys()]).toEqual([false, 0])
})
