import { sql } from 'kysely'
import { expect, test, vi } from 'vitest'
import type { MemberCtx } from '../../src/platform/http/context.ts'
import { linkCards, purgeMoves } from '../../src/rewards/cards/service.ts'
import type { CardVault } from '../../src/rewards/cards/vault.ts'
import { asOwner } from '../support/app.ts'
import { cardMovesOf } from '../support/card-moves.ts'
import { setUpTestApp } from '../support/file-setup.ts'
import { cardForm, linkCard, newMember, seal, type TestMember } from '../support/members.ts'
import { feedEvent } from '../support/reward-fixtures.ts'
import {
  addCard,
  addMember,
  addMerchant,
  createTestContext,
  receiveEvent,
  type TestPartner,
} from '../support/rewards-harness.ts'

// A test waits for the second attempt of a job.
const app = setUpTestApp({ JOB_POLL_MS: '500' })
const {
  resultOf,
  codeOf,
  getCards,
  getMoves,
  getMemberType,
  decide,
  twoPrograms,
  requestMove,
  listEmails,
  getMoveCodes,
  requests,
  leaveAndJoin,
  move,
  age,
} = cardMovesOf(app)

test('a card that earns in another program stays there, and no response names that program', async () => {
  const { sky, gal, number } = await twoPrograms()
  const rejected = await linkCard(app, gal, number)
  expect(resultOf(rejected).error).toEqual({
    code: 'LINKED_ELSEWHERE',
    message: 'This card earns in another dining program. It moves only if its holder there agrees.',
  })
  const requested = await requestMove(gal, number)
  for (const { response: each } of [rejected, requested]) expect(each.text).not.toMatch(/skyharbor/i)
  expect(await getMoves(gal)).toEqual([])
  expect([await getCards(gal), (await getCards(sky)).length, await getMemberType(sky)]).toEqual([
    [],
    1,
    'EnrolledCardMember',
  ])
})

test('a card moves when its owner agrees with the code of the email, and both accounts stay open', async () => {
  const { sky, gal, number } = await twoPrograms()
  const sealed = await seal(app, gal, number)
  await gal.visitor.change('POST', '/api/Member/Cards', cardForm(number, sealed))
  const form = cardForm(number, sealed, { moveHere: true })
  const requested = await gal.visitor.change('POST', '/api/Member/Cards', form)
  expect(requested.json().cardRegistration[0].error.code).toBe('MOVE_REQUESTED')
  const [code = ''] = await getMoveCodes(sky)
  const [email] = await listEmails('card.moveRequested', sky)
  expect(email?.subject).toBe(`May your card ending in ${number.slice(-4)} move to Gallonaire Fuel Dining?`)
  expect(email?.body_text).toContain('If you do nothing, the card stays here.')
  // The email has the code for as long as it is valid.
  const validity = await asOwner(
    app,
    `select round(extract(epoch from secret_until - created_at) / 86400)::int as days from emails
     where topic = 'card.moveRequested' and member_id = (select id from members where public_id = $1)`,
    [sky.publicId],
  )
  expect(validity).toEqual([{ days: 7 }])
  // The request alone moves nothing.
  expect([(await getCards(gal)).length, (await getCards(sky)).length]).toEqual([0, 1])
  expect((await decide(code, true)).json()).toEqual({ allowed: true })
  await vi.waitFor(async () => expect(await getCards(gal)).toHaveLength(1), 20_000)
  expect([await getMemberType(gal), await getCards(sky), await getMemberType(sky)]).toEqual([
    'EnrolledCardMember',
    [],
    'NonCardMember',
  ])
  const [here] = await getMoves(gal)
  expect(here).toMatchObject({ direction: 'here', program: 'Skyharbor Miles Dining' })
  const [stored] = await asOwner<{ movedAt: Date }>(app, 'select moved_at as "movedAt" from card_moves where id = $1', [
    here.id,
  ])
  expect(Date.parse(here.undoUntil) - (stored?.movedAt.getTime() ?? 0)).toBe(24 * 3_600_000)
  expect(await getMoves(sky)).toMatchObject([{ direction: 'away', program: 'Gallonaire Fuel Dining' }])
  expect(await listEmails('card.movedHere', gal)).toHaveLength(1)
  await vi.waitFor(async () => expect(await listEmails('card.movedAway', sky)).toHaveLength(1), 20_000)
  const consents = await asOwner(
    app,
    "select 1 from consents where channel = 'card' and member_id = (select id from members where public_id = $1)",
    [gal.publicId],
  )
  expect(consents).toHaveLength(1)
})

test('the previous owner is notified when the moved card was the only one, and not otherwise', async () => {
  const [only, oneOfTwo] = [await twoPrograms(), await twoPrograms()]
  await linkCard(app, oneOfTwo.sky)
  const texts: boolean[] = []
  for (const { sky, gal, number } of [only, oneOfTwo]) {
    await move(sky, gal, number)
    await vi.waitFor(async () => expect(await listEmails('card.movedAway', sky)).toHaveLength(1), 20_000)
    const [email] = await listEmails('card.movedAway', sky)
    texts.push(email?.body_text.includes('It was your only card here.') === true)
  }
  expect(texts).toEqual([true, false])
})

test('a wrong expiry date gets the same response, and the owner gets no email', async () => {
  const { sky, gal, number } = await twoPrograms()
  const wrong = await requestMove(gal, number, { expires: '2030-01' })
  expect(await requests(number)).toEqual([])
  const right = await requestMove(gal, number)
  expect(resultOf(wrong)).toEqual(resultOf(right))
  expect(await requests(number)).toHaveLength(1)
  await getMoveCodes(sky)
})

test('LINK-043 a request for a card is listed for a week whether or not it matched, until the card arrives or the request is withdrawn', async () => {
  const { sky, gal, number } = await twoPrograms()
  const guesser = await newMember(app, 'gallonaire')
  const listOf = async ({ visitor }: TestMember) => {
    const listed: { askedAt: string; until: string }[] = (await visitor.get('/api/Member/Cards/Requests')).json()
    return listed.map(({ askedAt, until }) => [
      Date.now() - Date.parse(askedAt) < 60_000,
      Date.parse(until) - Date.parse(askedAt),
    ])
  }
  expect(await listOf(gal)).toEqual([])
  await requestMove(guesser, number, { expires: '2030-01' })
  await requestMove(gal, number)
  const week = [true, 7 * 24 * 3_600_000]
  expect([await listOf(guesser), await listOf(gal), await listOf(sky)]).toEqual([[week], [week], []])
  // Signing out everywhere else withdraws it.
  expect((await guesser.visitor.change('DELETE', '/api/Member/Sessions')).status).toBe(200)
  expect([await listOf(guesser), await listOf(gal)]).toEqual([[], [week]])
  await requestMove(guesser, number, { expires: '2030-01' })
  expect(await listOf(guesser)).toEqual([week])
  const [code = ''] = await getMoveCodes(sky)
  await decide(code, true)
  await vi.waitFor(async () => expect(await getCards(gal)).toHaveLength(1), 20_000)
  expect(await listOf(gal)).toEqual([])
})

test('the data export does not tell whether a requester guessed the expiry date', async () => {
  const { gal, number } = await twoPrograms()
  const guesser = await newMember(app, 'gallonaire')
  await requestMove(guesser, number, { expires: '2030-01' })
  await requestMove(gal, number)
  const actionsOf = async ({ visitor }: TestMember) => {
    const { data } = (await visitor.get('/api/Member/Export', { 'x-xsrf-token': await visitor.token() })).json()
    return data.audit_entries.map(({ action }: { action: string }) => action)
  }
  const actions = await actionsOf(guesser)
  expect(actions).toContain('card.requested')
  expect(actions).toEqual(await actionsOf(gal))
})

test('entries of others change neither the expiry date that the owner stored nor the comparison', async () => {
  const { sky, gal, number } = await twoPrograms()
  // Three members each try a date: one in the owner's program, one in a third program, and the thief in the requesting
  // program.
  const stranger = await newMember(app)
  expect(codeOf(await linkCard(app, stranger, number, { claims: { expires: '2030-01' } }))).toBe('ALREADY_LINKED')
  const third = await newMember(app, 'orchard')
  await linkCard(app, third, number, { claims: { expires: '2030-01' } })
  await requestMove(gal, number, { expires: '2030-01' })
  expect(await requests(number)).toEqual([])
  await requestMove(gal, number)
  expect(await requests(number)).toHaveLength(1)
  const stored = await asOwner(
    app,
    `select h.expires from vault.card_holders h join vault.cards c using (token)
     where c.tenant = 'skyharbor' and h.holder = $1`,
    [sky.publicId],
  )
  expect(stored).toEqual([{ expires: '2031-12' }])
})

test('a member can make five requests a day, right or wrong, for any number of cards', async () => {
  const { gal, number } = await twoPrograms()
  const codes: (string | number)[] = []
  for (let month = 1; month <= 6; month++) {
    const tried = await requestMove(gal, number, { expires: `2030-0${month}` })
    codes.push(tried.response.status === 200 ? codeOf(tried) : tried.response.status)
  }
  expect(codes).toEqual([...Array(5).fill('MOVE_REQUESTED'), 429])
})

test('Case 99 members of one address can make ten requests a day in a program, and one member five, also many at once', async () => {
  const { number } = await twoPrograms()
  const [card] = await asOwner<{ homeKey: string }>(
    app,
    `select home_key as "homeKey" from cards where partner_id = 'skyharbor' and last_four = $1`,
    [number.slice(-4)],
  )
  const typed = { lastFour: number.slice(-4), cardType: 'VISA' as const }
  const vault = {
    exchange: async () => ({ card: { ...card, ...typed, token: 'typed', fingerprint: 'typed', expires: '2039-01' } }),
    sameExpiry: async () => false,
  } as unknown as CardVault
  const deps = { vault, lockKey: Buffer.alloc(32, 7), returningKey: Buffer.alloc(32) }
  const form = {
    creditCards: [{ ...typed, encryptedCardNumber: 'sealed' }],
    directFileFeedOptIn: true as const,
    gRecaptchaResponse: '',
  }
  const requestFrom = async (
    address: string,
    partner: TestPartner = 'gallonaire',
    { moveHere = true, member }: { moveHere?: boolean; member?: number } = {},
  ) => {
    const ctx = createTestContext(app.database, partner)
    const actor = { ...ctx.actor, memberId: member ?? (await addMember(ctx.db)) }
    return linkCards({ ...ctx, address, actor } as MemberCtx, deps, { form: { ...form, moveHere } }).then(
      ({ cardRegistration }) => cardRegistration[0]?.error?.code,
      ({ code }) => code,
    )
  }
  // Linking such a card without a request does not count.
  expect(await requestFrom('203.0.113.7', 'gallonaire', { moveHere: false })).toBe('LINKED_ELSEWHERE')
  const codes: string[] = []
  for (let tried = 1; tried <= 11; tried++) codes.push(await requestFrom('203.0.113.7'))
  expect(codes).toEqual([...Array(10).fill('MOVE_REQUESTED'), 'tooManyCards'])
  // Also when all of them arrive at once.
  const atOnce = await Promise.all(Array.from({ length: 14 }, () => requestFrom('203.0.113.9')))
  expect(atOnce.toSorted()).toEqual([...Array(10).fill('MOVE_REQUESTED'), ...Array(4).fill('tooManyCards')])
  // One member, from eight addresses at once.
  const member = await addMember(createTestContext(app.database, 'gallonaire').db)
  const ofMember = await Promise.all(
    Array.from({ length: 8 }, (_, index) => requestFrom(`203.0.113.${20 + index}`, 'gallonaire', { member })),
  )
  expect(ofMember.toSorted()).toEqual([...Array(5).fill('MOVE_REQUESTED'), ...Array(3).fill('tooManyCards')])
  const others = [await requestFrom('203.0.113.8'), await requestFrom('203.0.113.7', 'beacon')]
  expect(others).toEqual(['MOVE_REQUESTED', 'MOVE_REQUESTED'])
})

test('after an owner rejects a move, no one can request it for 30 days', async () => {
  const { sky, gal, number } = await twoPrograms()
  await requestMove(gal, number)
  const [code = ''] = await getMoveCodes(sky)
  expect((await decide(code, false)).json()).toEqual({ allowed: false })
  const other = await newMember(app, 'orchard')
  for (const holder of [gal, other]) expect(codeOf(await requestMove(holder, number))).toBe('MOVE_TOO_SOON')
  // A wrong date gets the same response.
  expect(codeOf(await requestMove(other, number, { expires: '2030-01' }))).toBe('MOVE_TOO_SOON')
  expect(await listEmails('card.moveRequested', sky)).toHaveLength(1)
  await asOwner(
    app,
    "update card_move_requests set responded_at = now() - interval '31 days' where from_partner = 'skyharbor'",
  )
  expect(codeOf(await requestMove(other, number))).toBe('MOVE_REQUESTED')
  expect(await getMoveCodes(sky, 2)).toHaveLength(2)
})

test('a requester who deletes the account withdraws the request, and a rejection stays in effect', async () => {
  const { sky, gal, number } = await twoPrograms()
  await requestMove(gal, number)
  const [open = ''] = await getMoveCodes(sky)
  const rejoined = await leaveAndJoin(gal)
  expect((await decide(open, true)).json().code).toBe('moveRequestOver')
  await requestMove(rejoined, number)
  const [, code = ''] = await getMoveCodes(sky, 2)
  await decide(code, false)
  const again = await leaveAndJoin(rejoined)
  expect(codeOf(await requestMove(again, number))).toBe('MOVE_TOO_SOON')
  expect(await listEmails('card.moveRequested', sky)).toHaveLength(2)
  // The card and the member are forgotten.
  const kept = await asOwner(
    app,
    "select to_member, card from card_move_requests where from_partner = 'skyharbor' and from_member = (select id from members where public_id = $1)",
    [sky.publicId],
  )
  expect(kept).toEqual(Array(2).fill({ to_member: null, card: null }))
})

test('the owner of a card gets at most three requests a week from members who delete their accounts', async () => {
  const { sky, gal, number } = await twoPrograms()
  let requester: TestMember = gal
  for (let requestNumber = 1; requestNumber <= 4; requestNumber++) {
    await requestMove(requester, number)
    await getMoveCodes(sky, Math.min(requestNumber, 3))
    requester = await leaveAndJoin(requester)
  }
  expect(await getMoveCodes(sky, 3)).toHaveLength(3)
})

test('the owner decides once, in time, in the own program, while the card is linked there', async () => {
  const { sky, gal, number } = await twoPrograms()
  await requestMove(gal, number)
  const [code = ''] = await getMoveCodes(sky)
  const over = async (given: string, partner?: string) => {
    const response = await decide(given, true, partner)
    expect([response.status, response.json().code]).toEqual([410, 'moveRequestOver'])
  }
  await over('x'.repeat(43))
  await over(code, 'gallonaire')
  await asOwner(app, "update card_move_requests set expires_at = now() - interval '1 second'")
  await over(code)
  await asOwner(app, "update card_move_requests set expires_at = now() + interval '1 day'")
  const responses = await Promise.all([true, false, true, false].map((allow) => decide(code, allow)))
  expect(responses.filter(({ status }) => status === 200)).toHaveLength(1)
  await over(code)
})

test('the owner of a card gets at most three requests a week, and one from each member', async () => {
  const { sky, gal, number } = await twoPrograms()
  await requestMove(gal, number)
  await requestMove(gal, number)
  expect(await requests(number)).toHaveLength(1)
  for (let requestNumber = 0; requestNumber < 4; requestNumber++) {
    expect(codeOf(await requestMove(await newMember(app, 'gallonaire'), number))).toBe('MOVE_REQUESTED')
  }
  expect(await requests(number)).toHaveLength(3)
  expect(await getMoveCodes(sky, 3)).toHaveLength(3)
})

test('transactions of a moved card are matched, also when no owner can be notified', async () => {
  const { sky, gal, number } = await twoPrograms()
  await requestMove(gal, number)
  const [code = ''] = await getMoveCodes(sky)
  const [stored] = await asOwner<{ token: string }>(
    app,
    "select card->>'token' as token from card_move_requests where card->>'lastFour' = $1",
    [number.slice(-4)],
  )
  const token = stored?.token ?? ''
  const ctx = createTestContext(app.database, 'gallonaire')
  const { locationId } = await addMerchant(app.database.pools.shared)
  const event = feedEvent('transaction.auth', {
    id: `waiting-${token}`,
    programId: 'gallonaire',
    card: { id: token, scheme: 'visa', lastNumbers: number.slice(-4) },
    location: { id: locationId },
  })
  expect(await receiveEvent(ctx, event)).toBe('unmatched')
  await asOwner(app, 'alter table card_moves rename column undo_notified_at to undo_notified_away')
  try {
    await decide(code, true)
    const matched = 'select 1 from transactions where network_id = $1 and member_id is not null'
    await vi.waitFor(async () => expect(await asOwner(app, matched, [event.transaction.id])).toHaveLength(1), 20_000)
  } finally {
    await asOwner(app, 'alter table card_moves rename column undo_notified_away to undo_notified_at')
  }
})

test('transactions of a moved card are matched when the first attempt fails after the card was linked', async () => {
  const { sky, gal, number } = await twoPrograms()
  await requestMove(gal, number)
  const [code = ''] = await getMoveCodes(sky)
  const [stored] = await asOwner<{ id: string; token: string }>(
    app,
    "select id, card->>'token' as token from card_move_requests where card->>'lastFour' = $1",
    [number.slice(-4)],
  )
  const { id = '', token = '' } = stored ?? {}
  const { locationId } = await addMerchant(app.database.pools.shared)
  const event = feedEvent('transaction.auth', {
    id: `retried-${token}`,
    programId: 'gallonaire',
    card: { id: token, scheme: 'visa', lastNumbers: number.slice(-4) },
    location: { id: locationId },
  })
  expect(await receiveEvent(createTestContext(app.database, 'gallonaire'), event)).toBe('unmatched')
  await asOwner(app, 'alter table feed_messages rename to feed_messages_away')
  try {
    await decide(code, true)
    const failed = "select 1 from jobs.job where data ->> 'id' = $1 and state = 'retry'"
    await vi.waitFor(async () => expect(await asOwner(app, failed, [`request:${id}`])).toHaveLength(1), 20_000)
    expect(await getCards(gal)).toHaveLength(1)
  } finally {
    await asOwner(app, 'alter table feed_messages_away rename to feed_messages')
  }
  const matched = 'select 1 from transactions where network_id = $1 and member_id is not null'
  await vi.waitFor(async () => expect(await asOwner(app, matched, [event.transaction.id])).toHaveLength(1), 20_000)
})

test('a move that is no longer possible leaves the card where it is, and the requesting member is notified', async () => {
  const { sky, gal, number } = await twoPrograms()
  await requestMove(gal, number)
  const [code = ''] = await getMoveCodes(sky)
  await asOwner(
    app,
    `insert into cards (partner_id, public_id, member_id, token, fingerprint, card_type, description, last_four)
     select 'gallonaire', gen_random_uuid(), id, gen_random_uuid(), gen_random_uuid(), 'VISA', 'Visa', '0000'
     from members, generate_series(1, 12) where public_id = $1`,
    [gal.publicId],
  )
  await decide(code, true)
  await vi.waitFor(async () => expect(await listEmails('card.moveFailed', gal)).toHaveLength(1), 20_000)
  expect([(await getCards(sky)).length, await getMemberType(sky)]).toEqual([1, 'EnrolledCardMember'])
})

test('the cleanup deletes moves and requests after 60 days, when no late decision blocks the card any more', async () => {
  const { sky, gal, number } = await twoPrograms()
  await move(sky, gal, number)
  const { sky: owner, gal: requester, number: declined } = await twoPrograms()
  await requestMove(requester, declined)
  const [code = ''] = await getMoveCodes(owner)
  expect((await decide(code, false)).json()).toEqual({ allowed: false })
  const homeKeys = await asOwner<{ homeKey: string }>(
    app,
    `select home_key as "homeKey" from cards where partner_id = 'skyharbor' and last_four = any($1) order by id`,
    [[number, declined].map((each) => each.slice(-4))],
  )
  const [moved, declinedKey] = homeKeys.map(({ homeKey }) => homeKey)
  const left = async () => {
    await purgeMoves(app.database.pools.forPartner('skyharbor'))
    const count = 'select (select count(*)::int from card_moves where home_key = $1) as moves'
    const [row] = await asOwner<{ moves: number; requests: number }>(
      app,
      `${count}, (select count(*)::int from card_move_requests where home_key = $2) as requests`,
      [moved, declinedKey],
    )
    return row
  }
  await age('card_moves', ['moved_at'], '59 days 23 hours', number)
  // Decided on the last day of the request.
  await age('card_move_requests', ['created_at'], '36 days', declined)
  await age('card_move_requests', ['responded_at'], '29 days 23 hours', declined)
  expect(await left()).toEqual({ moves: 1, requests: 1 })
  expect(codeOf(await requestMove(requester, declined))).toBe('MOVE_TOO_SOON')
  await age('card_move_requests', ['created_at'], '23 days 23 hours', declined)
  expect(await left()).toEqual({ moves: 1, requests: 1 })
  await age('card_moves', ['moved_at'], '2 hours', number)
  await age('card_move_requests', ['created_at'], '2 hours', declined)
  expect(await left()).toEqual({ moves: 0, requests: 0 })
})

test('an unanswered request ends after a week: its member can send another, and the owner’s three a week start again', async () => {
  const { sky, gal, number } = await twoPrograms()
  for (const holder of [gal, await newMember(app, 'gallonaire'), await newMember(app, 'gallonaire')])
    await requestMove(holder, number)
  const first = await getMoveCodes(sky, 3)
  await age('card_move_requests', ['created_at'], '6 days 23 hours', number)
  await requestMove(await newMember(app, 'gallonaire'), number)
  expect(await requests(number)).toHaveLength(3)
  await age('card_move_requests', ['created_at', 'expires_at'], '7 days', number)
  await requestMove(gal, number)
  expect(await requests(number)).toHaveLength(4)
  const codes = await getMoveCodes(sky, 4)
  expect((await decide(first[0] as string, true)).status).toBe(410)
  expect((await decide(codes[3] as string, true)).json()).toEqual({ allowed: true })
  await vi.waitFor(async () => expect(await getCards(gal)).toHaveLength(1), 20_000)
})

test('row-level security holds: nothing of another program can be read or moved except through the functions', async () => {
  const { sky, gal, number } = await twoPrograms()
  await requestMove(gal, number)
  // No owner can agree before: the email contains the code, and the job that writes it locks the request.
  await getMoveCodes(sky)
  const [request] = await requests(number)
  const [stranger, requester] = ['beacon', 'gallonaire'].map((id) => app.database.pools.forPartner(id))
  if (!stranger || !requester || !request) throw new Error('unreachable')
  for (const table of ['card_moves', 'card_move_requests'] as const) {
    expect(await stranger.selectFrom(table).selectAll().execute()).toEqual([])
  }
  await expect(sql`select * from card_homes`.execute(stranger)).rejects.toThrow(/permission denied/)
  await expect(sql`select unlink_card(1)`.execute(stranger)).rejects.toThrow(/permission denied/)
  // The requesting program can neither approve for the owner nor take the card without approval.
  const { rows } =
    await sql`update card_move_requests set allowed = true where id = ${request.id} returning id`.execute(requester)
  expect(rows).toEqual([])
  const released = await sql<{ move: string | null }>`select release_card(${request.id}) as move`.execute(requester)
  expect(released.rows).toEqual([{ move: null }])
  expect((await getCards(sky)).length).toBe(1)
  // The partner of the connection is restored, also after a move within the same transaction.
  await asOwner(app, 'update card_move_requests set allowed = true, responded_at = now() where id = $1', [request.id])
  await vi.waitFor(async () => expect(await getCards(gal)).toHaveLength(1), 20_000)
  await requester.transaction().execute(async (tx) => {
    await sql`select * from find_card_in_other_program('nothing')`.execute(tx)
    await sql`select release_card(${request.id})`.execute(tx)
    const { rows: here } = await sql<{ here: string }>`select current_partner() as here`.execute(tx)
    expect(here[0]?.here).toBe('gallonaire')
  })
})

test('Case 88 a bank customer is asked about a card only at an address that the bank has verified', async () => {
  const db = app.database.pools.forPartner('beacon')
  const [asked, silent] = [await addMember(db), await addMember(db)]
  await asOwner(app, 'update members set email_verified_at = now() where id = $1', [asked])
  const { publicId } = await newMember(app, 'gallonaire')
  for (const memberId of [silent, asked]) {
    const { id } = await addCard(db, memberId)
    await asOwner(
      app,
      `insert into card_move_requests (home_key, from_partner, from_card, from_member, to_partner, to_member, card)
       select 'asked-' || $1::bigint, 'beacon', $1, $2, 'gallonaire', id, '{}' from members where public_id = $3`,
      [id, memberId, publicId],
    )
  }
  const results = () =>
    asOwner(
      app,
      `select r.from_member::int as id, e.id is not null as emailed
       from card_move_requests r left join emails e on e.about = r.id::text and e.topic = 'card.moveRequested'
       where r.from_member = any($1) and r.notified_at is not null order by r.from_member`,
      [[asked, silent]],
    )
  await vi.waitFor(
    async () =>
      expect(await results()).toEqual([
        { id: asked, emailed: true },
        { id: silent, emailed: false },
      ]),
    20_000,
  )
})
