import { beforeAll, expect, test } from 'vitest'
import { addOperator } from '../../src/console/operators/service.ts'
import type { BuiltInRole } from '../../src/console-kit/permissions.ts'
import { asOwner } from '../support/app.ts'
import { type CardMember, createCardMember } from '../support/card-member.ts'
import { type ConsoleSession, openConsole } from '../support/console.ts'
import { setUpTestApp } from '../support/file-setup.ts'
import { addMerchant, createTestContext } from '../support/rewards-harness.ts'

const app = setUpTestApp()
const password = 'sourdough 4 breakfast'
let admin: ConsoleSession
let member: CardMember
let restaurant: { id: string; name: string }
let claim: string
let transaction: { id: string; networkId: string }

interface Found {
  program: string
  members: { id: string }[]
  transactions: { id: string }[]
  restaurants: { id: string; name: string }[]
  claims: { id: string; isDecided: boolean }[]
}

async function open(name: string, role: BuiltInRole, partners: string[] | null = null): Promise<ConsoleSession> {
  const email = `${name}@dineback.example`
  await addOperator(app.database.consolePools.shared, { email, name, role, partners, password })
  return openConsole(app, email, password)
}

const search = async (text: string, session = admin) => {
  const response = await session.call('GET', `/api/programs/skyharbor/search?q=${encodeURIComponent(text)}`)
  expect([text, response.status]).toEqual([text, 200])
  return response.json<Found>()
}

beforeAll(async () => {
  admin = await open('ada', 'administrator')
  member = await createCardMember(app, 'skyharbor', { firstName: 'Quentin', lastName: 'Zzyzx' })
  const networkId = await member.sendTransaction('clearing', '48.00')
  const [row] = await asOwner<{ id: string; networkId: string }>(
    app,
    'select public_id as id, network_id as "networkId" from transactions where network_id = $1',
    [networkId],
  )
  transaction = row as typeof transaction
  const [place] = await asOwner<{ id: string; name: string }>(
    app,
    "update merchants set name = 'Quixotic Oven' where id = $1 returning public_id as id, name",
    [member.merchant.id],
  )
  restaurant = place as typeof restaurant
  const [opened] = await asOwner<{ id: string }>(
    app,
    `insert into claims (partner_id, public_id, member_id, merchant_name, transaction_date, amount_cents, respond_by, findings)
     values ('skyharbor', 'claimOfQuentin12345678', $1, 'Quince & Quail', '2026-11-01', 4000, now() + interval '5 days', '[]')
     returning public_id as id`,
    [member.memberId],
  )
  claim = opened?.id ?? ''
})

test('CON-600 members, transactions, restaurants and claims are found by what is typed', async () => {
  const [address] = await asOwner<{ email: string }>(app, 'select email from members where id = $1', [member.memberId])
  for (const text of ['zzyzx', 'Zzyzx, Quentin', member.publicId, address?.email ?? ''])
    expect([text, (await search(text)).members.map(({ id }) => id)]).toEqual([text, [member.publicId]])
  const byCard = await search(`card ending in ${member.lastFour}`)
  expect(byCard.members.map(({ id }) => id)).toEqual([member.publicId])
  expect(byCard.transactions.map(({ id }) => id)).toEqual([transaction.id])
  for (const text of [transaction.id, transaction.networkId])
    expect([text, (await search(text)).transactions]).toMatchObject([
      text,
      [{ id: transaction.id, cents: 4800, lastFour: member.lastFour }],
    ])
  for (const text of ['quixotic', 'QUIXOTIC OV', restaurant.id])
    expect([text, (await search(text)).restaurants.map(({ id }) => id)]).toEqual([text, [restaurant.id]])
  for (const text of ['quince', 'Quail', 'quentin zzy', claim])
    expect([text, (await search(text)).claims.map(({ id }) => id)]).toEqual([text, [claim]])
  await asOwner(app, 'update claims set decided_at = now() where public_id = $1', [claim])
  // A decided claim is found by its id alone.
  expect((await search('quince')).claims).toEqual([])
  expect((await search(claim)).claims).toMatchObject([{ id: claim, isDecided: true }])
  for (const text of ['%%', '__', 'xoven', 'no such text'])
    expect([text, await search(text)]).toEqual([
      text,
      { program: 'skyharbor', members: [], transactions: [], restaurants: [], claims: [] },
    ])
  expect((await admin.call('GET', '/api/programs/skyharbor/search?q=z')).status).toBe(400)
})

test('CON-600 an operator finds only what the own permissions and programs allow', async () => {
  const [finance, marketer, elsewhere] = [
    await open('fay', 'finance', ['skyharbor']),
    await open('max', 'marketer', ['skyharbor']),
    await open('olga', 'administrator', ['orchard']),
  ]
  const kindsOf = async (session: ConsoleSession) => {
    const texts = ['zzyzx', transaction.id, 'quixotic', claim]
    const found = await Promise.all(texts.map((text) => search(text, session)))
    return found.flatMap(({ program: _program, ...kinds }) =>
      Object.entries(kinds).flatMap(([kind, entries]) => (entries.length > 0 ? [kind] : [])),
    )
  }
  expect(await kindsOf(admin)).toEqual(['members', 'transactions', 'restaurants', 'claims'])
  expect(await kindsOf(finance)).toEqual(['transactions', 'restaurants'])
  expect(await kindsOf(marketer)).toEqual(['restaurants'])
  expect((await elsewhere.call('GET', '/api/programs/skyharbor/search?q=zzyzx')).status).toBe(404)
  const everywhere = async (session: ConsoleSession) =>
    (await session.call('GET', '/api/search?q=zzyzx'))
      .json<Found[]>()
      .map(({ program, members }) => [program, members.length])
  expect(await everywhere(elsewhere)).toEqual([['orchard', 0]])
  expect(await everywhere(finance)).toEqual([['skyharbor', 0]])
  const all = [...app.programs.keys()].toSorted().map((program) => [program, program === 'skyharbor' ? 1 : 0])
  expect((await everywhere(admin)).toSorted()).toEqual(all)
})

test('CON-715 restaurants are found by words of name and city in any order, without accents, signs and capitals', async () => {
  const { db } = createTestContext(app.database, 'skyharbor')
  const add = async (name: string, city: string) => {
    const { id } = await addMerchant(db)
    await asOwner(app, 'update merchants set name = $2, city = $3 where id = $1', [id, name, city])
  }
  await add('Café Zoë’s  Ember & Oak', 'San José')
  await add('Zoete Dingen', 'Tampa')
  const found = async (text: string) =>
    (await admin.call('GET', `/api/programs/skyharbor/search?q=${encodeURIComponent(text)}`))
      .json<Found>()
      .restaurants.map(({ name }) => name)
  const typed = ['cafe zoe', 'ZOES EMBER', "zoe's   ember", 'zoe‘s', 'oak ember', 'ember, san jose', 'ember&oak', 'emb']
  for (const text of typed) expect([text, await found(text)]).toEqual([text, ['Café Zoë’s  Ember & Oak']])
  // Those whose name begins so come first.
  expect(await found('zoe')).toEqual(['Zoete Dingen', 'Café Zoë’s  Ember & Oak'])
  for (const text of ['mber', 'ember tampa', "''", '&|!', '🍕🍕', 'zoe:*b', '\\\\'])
    expect([text, await found(text)]).toEqual([text, []])
})
