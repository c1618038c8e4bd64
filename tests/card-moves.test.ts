import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { asOwner, startTestApp, type TestApp, visit } from './support/app.ts'
import { cardForm, type Holder, linkCard, newMember, seal } from './support/members.ts'
import { cardNumber } from './support/sealed-card.ts'

let app: TestApp

beforeAll(async () => {
  app = await startTestApp()
})
afterAll(() => app?.stop())

const resultOf = (linked: Awaited<ReturnType<typeof linkCard>>) => linked.answer.json().cardRegistration[0]
const cardsOf = async ({ visitor }: Holder) => (await visitor.get('/api/Member/Cards')).json<{ lastFour: string }[]>()
const movesOf = async ({ visitor }: Holder) => (await visitor.get('/api/Member/Cards/Moves')).json()
const undo = ({ visitor }: Holder, id: string) => visitor.change('POST', '/api/Member/Cards/Moves/Undo', { id })
const typeOf = async ({ visitor }: Holder) => (await visitor.get('/api/Member')).json().memberType
const move = { form: { moveHere: true } }

/** A card that earns at the airline, and somebody at the fuel brand who has it in the hand. */
async function twoPrograms() {
  const [sky, gal] = [await newMember(app), await newMember(app, 'gallonaire')]
  const { number } = await linkCard(app, sky)
  return { sky, gal, number }
}

test('a card that earns in another program stays there until the member has agreed', async () => {
  const { sky, gal, number } = await twoPrograms()
  const asked = resultOf(await linkCard(app, gal, number))
  expect(asked.error).toEqual({
    code: 'LINKED_ELSEWHERE',
    message: 'This card earns in another dining program. It is moved only when you say so.',
    elsewhere: 'Skyharbor Miles Dining',
  })
  expect([await cardsOf(gal), (await cardsOf(sky)).length, await typeOf(sky)]).toEqual([[], 1, 'EnrolledCardMember'])
})

test('the same sealed card, sent again with the consent, moves: one account is open, the other closed', async () => {
  const { sky, gal, number } = await twoPrograms()
  const sealed = await seal(app, gal, number)
  await gal.visitor.change('POST', '/api/Member/Cards', cardForm(number, sealed))
  const moved = await gal.visitor.change('POST', '/api/Member/Cards', cardForm(number, sealed, { moveHere: true }))
  expect(moved.json().cardRegistration[0].error).toBeUndefined()
  expect([(await cardsOf(gal)).length, await typeOf(gal)]).toEqual([1, 'EnrolledCardMember'])
  expect([await cardsOf(sky), await typeOf(sky)]).toEqual([[], 'ClosedAccountMember'])
  expect(await movesOf(gal)).toMatchObject([{ direction: 'here', program: 'Skyharbor Miles Dining' }])
  expect(await movesOf(sky)).toMatchObject([{ direction: 'away', program: 'Gallonaire Fuel Dining' }])
})

test('whoever had the card is told by mail, once, and can have it back; so can whoever moved it', async () => {
  for (const who of ['sky', 'gal'] as const) {
    const both = await twoPrograms()
    await linkCard(app, both.gal, both.number, move)
    const lettersOf = async () => {
      const { mails } = (await both.sky.visitor.get('/api/staging/outbox')).json()
      return mails.filter((mail: { text: string }) => mail.text.includes(both.number.slice(-4)))
    }
    await vi.waitFor(async () => expect(await lettersOf()).toHaveLength(1), 15_000)
    expect((await lettersOf())[0].text).toContain('moved')
    const [open] = await movesOf(both[who])
    expect((await undo(both[who], open.id)).json()).toEqual({ undone: true, closed: who === 'gal' })
    expect([(await cardsOf(both.sky)).length, await typeOf(both.sky)]).toEqual([1, 'EnrolledCardMember'])
    expect([await cardsOf(both.gal), await typeOf(both.gal)]).toEqual([[], 'ClosedAccountMember'])
    expect((await undo(both[who], open.id)).json().code).toBe('moveOver')
    await vi.waitFor(async () => expect(await lettersOf()).toHaveLength(2), 15_000)
  }
})

test('a move cannot be undone by strangers, after a day, or when the places there are taken', async () => {
  const { sky, gal, number } = await twoPrograms()
  await linkCard(app, gal, number, move)
  const [open] = await movesOf(gal)
  const stranger = await newMember(app)
  expect((await undo(stranger, open.id)).status).toBe(409)
  expect(await movesOf(stranger)).toEqual([])
  const beside = visit(app, 'orchard')
  expect((await beside.change('POST', '/api/Member/Cards/Moves/Undo', { id: open.id })).status).toBe(401)
  for (let place = 0; place < 12; place++) await linkCard(app, sky)
  expect((await undo(gal, open.id)).json().code).toBe('moveFull')
  await asOwner(app, "update card_moves set moved_at = moved_at - interval '1 day' where id = $1", [open.id])
  expect((await undo(gal, open.id)).json().code).toBe('moveOver')
})

test('a card that has moved on to a third program does not come back from there', async () => {
  const { sky, gal, number } = await twoPrograms()
  await linkCard(app, gal, number, move)
  const orc = await newMember(app, 'orchard')
  await linkCard(app, orc, number, move)
  const [first] = await movesOf(sky)
  expect((await undo(sky, first.id)).json().code).toBe('moveBlocked')
  expect((await cardsOf(orc)).length).toBe(1)
})

test('Case 11 two programs that link one card at once end with one home for it, 20 rounds', async () => {
  for (let round = 0; round < 20; round++) {
    const pair = [await newMember(app), await newMember(app, 'gallonaire')] as const
    const number = cardNumber()
    const results = await Promise.all(pair.map((holder) => linkCard(app, holder, number)))
    const codes = results.map((linked) => resultOf(linked).error?.code ?? 'linked').sort()
    expect(codes).toEqual(['LINKED_ELSEWHERE', 'linked'])
  }
})

test('two programs that each take the other’s card at once both end with one card', async () => {
  for (let round = 0; round < 10; round++) {
    const pair = [await newMember(app), await newMember(app, 'gallonaire')] as const
    const numbers = await Promise.all(pair.map(async (holder) => (await linkCard(app, holder)).number))
    await Promise.all(pair.map((holder, index) => linkCard(app, holder, numbers[1 - index] as string, move)))
    for (const [index, holder] of pair.entries()) {
      const cards = await cardsOf(holder)
      expect([cards.map(({ lastFour }) => lastFour), await typeOf(holder)]).toEqual([
        [numbers[1 - index]?.slice(-4)],
        'EnrolledCardMember',
      ])
    }
  }
})

test('the walls hold: nothing of another program can be read or moved past the functions', async () => {
  const { sky, gal, number } = await twoPrograms()
  await linkCard(app, gal, number, move)
  const stranger = app.database.pools.forPartner('beacon')
  expect(await stranger.selectFrom('card_moves').selectAll().execute()).toEqual([])
  const { sql } = await import('kysely')
  await expect(sql`select * from card_homes`.execute(stranger)).rejects.toThrow(/permission denied/)
  await expect(sql`select unlink_card(1)`.execute(stranger)).rejects.toThrow(/permission denied/)
  // The partner of the connection is what it was, after a move within the same transaction as well.
  await app.database.pools
    .forPartner('gallonaire')
    .transaction()
    .execute(async (tx) => {
      await sql`select release_card('nothing')`.execute(tx)
      const { rows } = await sql<{ here: string }>`select current_partner() as here`.execute(tx)
      expect(rows[0]?.here).toBe('gallonaire')
    })
  expect((await cardsOf(sky)).length).toBe(0)
})
