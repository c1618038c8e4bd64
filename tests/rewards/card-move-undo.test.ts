import { expect, test, vi } from 'vitest'
import { purgeMoves, undoMove } from '../../src/rewards/cards/service.ts'
import { asOwner, visit } from '../support/app.ts'
import { cardMovesOf } from '../support/card-moves.ts'
import { setUpTestApp } from '../support/file-setup.ts'
import { linkCard, newMember } from '../support/members.ts'
import { feedEvent } from '../support/reward-fixtures.ts'
import { addMerchant, createTestContext, receiveEvent } from '../support/rewards-harness.ts'

const app = setUpTestApp()
const { codeOf, getCards, getMoves, undo, getMemberType, twoPrograms, requestMove, listEmails, move, age } =
  cardMovesOf(app)

test('either member can undo a move within a day; the card then stays for 30 days', async () => {
  for (const who of ['sky', 'gal'] as const) {
    const both = await twoPrograms()
    await move(both.sky, both.gal, both.number)
    const [open] = await getMoves(both[who])
    expect((await undo(both[who], open.id)).json()).toEqual({ undone: true })
    expect([(await getCards(both.sky)).length, await getMemberType(both.sky)]).toEqual([1, 'EnrolledCardMember'])
    expect([await getCards(both.gal), await getMemberType(both.gal)]).toEqual([[], 'NonCardMember'])
    expect((await undo(both[who], open.id)).json().code).toBe('moveOver')
    await vi.waitFor(async () => expect(await listEmails('card.movedBack', both.sky)).toHaveLength(1), 20_000)
    expect(codeOf(await requestMove(both.gal, both.number))).toBe('MOVE_TOO_SOON')
  }
})

test('30 days after a move was undone, the card can be requested and moved again; the cleanup does not shorten them', async () => {
  const { sky, gal, number } = await twoPrograms()
  await move(sky, gal, number)
  const [open] = await getMoves(gal)
  await undo(gal, open.id)
  const purge = () => purgeMoves(app.database.pools.forPartner('skyharbor'))
  await age('card_moves', ['moved_at', 'undone_at'], '29 days 23 hours', number)
  await age('card_move_requests', ['created_at'], '29 days 23 hours', number)
  await purge()
  expect(codeOf(await requestMove(gal, number))).toBe('MOVE_TOO_SOON')
  await age('card_moves', ['moved_at', 'undone_at'], '2 hours', number)
  await purge()
  await move(sky, gal, number)
  expect((await getMoves(gal)).map(({ direction }: { direction: string }) => direction)).toEqual(['here'])
})

test('a card that returns has its former fields, reopens the account, and is matched with the transactions that wait for it', async () => {
  const { sky, gal, number } = await twoPrograms()
  const { response } = await linkCard(app, sky)
  const stored = () =>
    asOwner(
      app,
      `select public_id, token, fingerprint, card_type, description, last_four, partner_card_id, expires, linked_at,
         linked_before, removed_at
       from cards where partner_id = 'skyharbor' and last_four = $1`,
      [number.slice(-4)],
    )
  const [before] = await stored()
  await move(sky, gal, number)
  const ctx = createTestContext(app.database, 'skyharbor')
  const { locationId } = await addMerchant(app.database.pools.shared)
  const event = feedEvent('transaction.auth', {
    id: `returned-${before?.token}`,
    programId: 'skyharbor',
    datetime: new Date().toISOString(),
    card: { id: before?.token, scheme: 'visa', lastNumbers: number.slice(-4) },
    location: { id: locationId },
  })
  expect(await receiveEvent(ctx, event)).toBe('unmatched')
  // The owner removes the other card, which was the last one: the account closes.
  const other = response.json().cardRegistration[0].memberCard.id
  expect((await sky.visitor.change('DELETE', `/api/Member/Cards?id=${other}`)).status).toBe(200)
  const account = () =>
    asOwner(app, 'select member_type, active, tier_level from members where public_id = $1', [sky.publicId])
  expect(await account()).toMatchObject([{ member_type: 'ClosedAccountMember', active: false }])
  const [open] = await getMoves(gal)
  expect((await undo(gal, open.id)).json()).toEqual({ undone: true })
  expect(await stored()).toEqual([before])
  expect(await account()).toMatchObject([{ member_type: 'EnrolledCardMember', active: true, tier_level: 'OptedIn' }])
  await vi.waitFor(
    async () =>
      expect(
        await asOwner(
          app,
          `select card_id is not null as known from transactions
           where network_id = $1 and member_id = (select id from members where public_id = $2)`,
          [event.transaction.id, sky.publicId],
        ),
      ).toEqual([{ known: true }]),
    20_000,
  )
})

test('an undone move counts the cards of the program that the card returns to, by that program’s own maximum', async () => {
  const { sky, gal, number } = await twoPrograms()
  await linkCard(app, sky)
  await move(sky, gal, number)
  const [open] = await getMoves(gal)
  const [row] = await asOwner<{ id: number }>(app, 'select id from members where public_id = $1', [gal.publicId])
  const undoWith = (skyharbor: number, gallonaire: number) => {
    const ctx = createTestContext(app.database, 'gallonaire')
    const programs = new Map(
      Object.entries({ skyharbor, gallonaire }).map(([id, maximumCards]) => [
        id,
        { config: { programName: id, maximumCards } },
      ]),
    )
    const actor = { ...ctx.actor, memberId: Number(row?.id) }
    return undoMove({ ...ctx, actor }, { programs, origin: () => '' }, open.id)
  }
  await expect(undoWith(1, 12)).rejects.toMatchObject({ code: 'moveFull' })
  expect(await getCards(gal)).toHaveLength(1)
  expect(await undoWith(2, 1)).toEqual({ undone: true })
  expect([(await getCards(sky)).length, (await getCards(gal)).length]).toEqual([2, 0])
})

test('moves are listed with the latest first, and a moved card keeps whether another account had it', async () => {
  const { sky, gal, number } = await twoPrograms()
  // Another account of the requesting program once had the second card.
  const former = await newMember(app, 'gallonaire')
  const { number: second, response } = await linkCard(app, former)
  const formerCard = response.json().cardRegistration[0].memberCard.id
  expect((await former.visitor.change('DELETE', `/api/Member/Cards?id=${formerCard}`)).status).toBe(200)
  expect(codeOf(await linkCard(app, sky, second))).toBe('linked')
  for (const each of [number, second]) await move(sky, gal, each)
  const lastFours = (moves: { lastFour: string }[]) => moves.map(({ lastFour }) => lastFour)
  const wanted = [second, number].map((each) => each.slice(-4))
  for (const member of [gal, sky]) expect(lastFours(await getMoves(member))).toEqual(wanted)
  const arrived = await asOwner(
    app,
    `select last_four, linked_before, expires from cards
     where removed_at is null and member_id = (select id from members where public_id = $1) order by id`,
    [gal.publicId],
  )
  expect(arrived).toEqual([
    { last_four: number.slice(-4), linked_before: false, expires: '2031-12' },
    { last_four: second.slice(-4), linked_before: true, expires: '2031-12' },
  ])
})

test('a move cannot be undone by strangers, after a day, or when the account there is full', async () => {
  const { sky, gal, number } = await twoPrograms()
  await move(sky, gal, number)
  const [open] = await getMoves(gal)
  const stranger = await newMember(app)
  expect((await undo(stranger, open.id)).status).toBe(409)
  expect(await getMoves(stranger)).toEqual([])
  const otherProgram = visit(app, 'orchard')
  expect((await otherProgram.change('POST', '/api/Member/Cards/Moves/Undo', { id: open.id })).status).toBe(401)
  for (let place = 0; place < 12; place++) await linkCard(app, sky)
  expect((await undo(gal, open.id)).json().code).toBe('moveFull')
  await asOwner(app, "update card_moves set moved_at = moved_at - interval '1 day' where id = $1", [open.id])
  expect((await undo(gal, open.id)).json().code).toBe('moveOver')
  expect(await getMoves(gal)).toEqual([])
})

test('a move whose card was deleted in the new program can be undone by the former owner only', async () => {
  const { sky, gal, number } = await twoPrograms()
  await linkCard(app, sky)
  await linkCard(app, gal)
  await move(sky, gal, number)
  const cards = (await gal.visitor.get('/api/Member/Cards')).json<{ id: string; lastFour: string }[]>()
  const arrived = cards.find(({ lastFour }) => lastFour === number.slice(-4))
  expect((await gal.visitor.change('DELETE', `/api/Member/Cards?id=${arrived?.id}`)).json()).toBe(true)
  expect(await getMoves(gal)).toEqual([])
  const [open] = await getMoves(sky)
  expect((await undo(gal, open.id)).json().code).toBe('moveOver')
  expect((await undo(sky, open.id)).json()).toEqual({ undone: true })
  expect([(await getCards(sky)).length, (await getCards(gal)).length]).toEqual([2, 1])
  expect(await getMoves(sky)).toEqual([])
})

test('a card that moved on to a third program cannot be moved back from there', async () => {
  const { sky, gal, number } = await twoPrograms()
  await move(sky, gal, number)
  const orc = await newMember(app, 'orchard')
  await move(gal, orc, number, 'gallonaire')
  const [first] = await getMoves(sky)
  expect((await undo(sky, first.id)).json().code).toBe('moveBlocked')
  expect((await getCards(orc)).length).toBe(1)
})
