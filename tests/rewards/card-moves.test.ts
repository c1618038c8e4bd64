import { sql } from 'kysely'
import { expect, test, vi } from 'vitest'
import type { MemberCtx } from '../../src/platform/http/context.ts'
import { linkCards, purgeMoves, undoMove } from '../../src/rewards/cards/service.ts'
import type { CardVault } from '../../src/rewards/cards/vault.ts'
import { asOwner, visit } from '../support/app.ts'
import { setUpTestApp } from '../support/file-setup.ts'
import { cardForm, linkCard, newMember, seal, type TestMember } from '../support/members.ts'
import { feedEvent } from '../support/reward-fixtures.ts'
import {
  addMember,
  addMerchant,
  createTestContext,
  receiveEvent,
  type TestPartner,
} from '../support/rewards-harness.ts'
import { scaled } from '../support/scale.ts'
import { cardNumber } from '../support/sealed-card.ts'

const app = setUpTestApp()

const resultOf = (linked: Awaited<ReturnType<typeof linkCard>>) => linked.response.json().cardRegistration[0]
const codeOf = (linked: Awaited<ReturnType<typeof linkCard>>) => resultOf(linked).error?.code ?? 'linked'
const getCards = async ({ visitor }: TestMember) =>
  (await visitor.get('/api/Member/Cards')).json<{ lastFour: string }[]>()
const getMoves = async ({ visitor }: TestMember) => (await visitor.get('/api/Member/Cards/Moves')).json()
const undo = ({ visitor }: TestMember, id: string) => visitor.change('POST', '/api/Member/Cards/Moves/Undo', { id })
const getMemberType = async ({ visitor }: TestMember) => (await visitor.get('/api/Member')).json().memberType
const decide = (code: string, allow: boolean, partner = 'skyharbor') =>
  visit(app, partner).change('POST', '/api/Cards/MoveAnswer', { code, allow })
const waitOptions = { timeout: 20_000, interval: 200 }

/** Creates a card that earns in Skyharbor, and a Gallonaire member who holds the same card. */
async function twoPrograms() {
  const [sky, gal] = [await newMember(app), await newMember(app, 'gallonaire')]
  const { number } = await linkCard(app, sky)
  return { sky, gal, number }
}

const requestMove = (holder: TestMember, number: string, claims = {}) =>
  linkCard(app, holder, number, { claims, form: { moveHere: true } })

const listEmails = (topic: string, { publicId }: TestMember) =>
  asOwner<{ body_text: string; subject: string }>(
    app,
    'select body_text, subject from emails where topic = $1 and member_id = (select id from members where public_id = $2) order by id',
    [topic, publicId],
  )

/** Returns the codes of the emails sent to a card's owner. */
async function getMoveCodes(owner: TestMember, count = 1): Promise<string[]> {
  await vi.waitFor(
    async () => expect(await listEmails('card.moveRequested', owner)).toHaveLength(count),
    waitOptions.timeout,
  )
  const emails = await listEmails('card.moveRequested', owner)
  return emails.map(({ body_text }) => /\/card_move#code=([\w-]+)/.exec(body_text)?.[1] ?? '')
}

const requests = (number: string) =>
  asOwner<{ id: string }>(app, 'select id from card_move_requests where card->>$1 = $2', ['lastFour', number.slice(-4)])

/** Deletes the account of a member and joins again. */
async function leaveAndJoin({ visitor }: TestMember): Promise<TestMember> {
  const left = await visitor.change('POST', '/api/Member/Delete', { confirmation: 'DELETE' })
  expect(left.status).toBe(200)
  return newMember(app, 'gallonaire')
}

/** Moves a card: the member requests it, the owner agrees. */
async function move(owner: TestMember, requester: TestMember, number: string, partner = 'skyharbor') {
  const requestsBefore = (await listEmails('card.moveRequested', owner)).length
  expect(codeOf(await requestMove(requester, number))).toBe('MOVE_REQUESTED')
  const codes = await getMoveCodes(owner, requestsBefore + 1)
  expect((await decide(codes.at(-1) as string, true, partner)).json()).toEqual({ allowed: true })
  const has = async () =>
    expect((await getCards(requester)).map(({ lastFour }) => lastFour)).toContain(number.slice(-4))
  await vi.waitFor(has, waitOptions.timeout)
}

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
  await vi.waitFor(async () => expect(await getCards(gal)).toHaveLength(1), waitOptions.timeout)
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
  await vi.waitFor(async () => expect(await listEmails('card.movedAway', sky)).toHaveLength(1), waitOptions.timeout)
  const consents = await asOwner(
    app,
    "select 1 from consents where channel = 'card' and member_id = (select id from members where public_id = $1)",
    [gal.publicId],
  )
  expect(consents).toHaveLength(1)
})

test('the previous owner is told when the moved card was the only one, and not otherwise', async () => {
  const [only, oneOfTwo] = [await twoPrograms(), await twoPrograms()]
  await linkCard(app, oneOfTwo.sky)
  const texts: boolean[] = []
  for (const { sky, gal, number } of [only, oneOfTwo]) {
    await move(sky, gal, number)
    await vi.waitFor(async () => expect(await listEmails('card.movedAway', sky)).toHaveLength(1), waitOptions.timeout)
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

test('members of one address can make ten requests a day in a program', async () => {
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
  const requestFrom = async (address: string, partner: TestPartner = 'gallonaire', moveHere = true) => {
    const ctx = createTestContext(app.database, partner)
    const actor = { ...ctx.actor, memberId: await addMember(ctx.db) }
    return linkCards({ ...ctx, address, actor } as MemberCtx, deps, { form: { ...form, moveHere } }).then(
      ({ cardRegistration }) => cardRegistration[0]?.error?.code,
      ({ code }) => code,
    )
  }
  // Linking such a card without a request does not count.
  expect(await requestFrom('203.0.113.7', 'gallonaire', false)).toBe('LINKED_ELSEWHERE')
  const codes: string[] = []
  for (let tried = 1; tried <= 11; tried++) codes.push(await requestFrom('203.0.113.7'))
  expect(codes).toEqual([...Array(10).fill('MOVE_REQUESTED'), 'tooManyCards'])
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
    await vi.waitFor(
      async () => expect(await asOwner(app, matched, [event.transaction.id])).toHaveLength(1),
      waitOptions.timeout,
    )
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
    await vi.waitFor(
      async () => expect(await asOwner(app, failed, [`request:${id}`])).toHaveLength(1),
      waitOptions.timeout,
    )
    expect(await getCards(gal)).toHaveLength(1)
  } finally {
    await asOwner(app, 'alter table feed_messages_away rename to feed_messages')
  }
  const matched = 'select 1 from transactions where network_id = $1 and member_id is not null'
  await vi.waitFor(
    async () => expect(await asOwner(app, matched, [event.transaction.id])).toHaveLength(1),
    waitOptions.timeout,
  )
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
  await vi.waitFor(async () => expect(await listEmails('card.moveFailed', gal)).toHaveLength(1), waitOptions.timeout)
  expect([(await getCards(sky)).length, await getMemberType(sky)]).toEqual([1, 'EnrolledCardMember'])
})

test('either member can undo a move within a day; the card then stays for 30 days', async () => {
  for (const who of ['sky', 'gal'] as const) {
    const both = await twoPrograms()
    await move(both.sky, both.gal, both.number)
    const [open] = await getMoves(both[who])
    expect((await undo(both[who], open.id)).json()).toEqual({ undone: true })
    expect([(await getCards(both.sky)).length, await getMemberType(both.sky)]).toEqual([1, 'EnrolledCardMember'])
    expect([await getCards(both.gal), await getMemberType(both.gal)]).toEqual([[], 'NonCardMember'])
    expect((await undo(both[who], open.id)).json().code).toBe('moveOver')
    await vi.waitFor(
      async () => expect(await listEmails('card.movedBack', both.sky)).toHaveLength(1),
      waitOptions.timeout,
    )
    expect(codeOf(await requestMove(both.gal, both.number))).toBe('MOVE_TOO_SOON')
  }
})

/** Ages what is stored about moves and requests of a card. */
const age = (table: 'card_moves' | 'card_move_requests', columns: string[], interval: string, number: string) =>
  asOwner(
    app,
    `update ${table} set ${columns.map((column) => `${column} = ${column} - interval '${interval}'`).join(', ')}
     where home_key = (select home_key from cards where last_four = $1 limit 1)`,
    [number.slice(-4)],
  )

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
  await vi.waitFor(async () => expect(await getCards(gal)).toHaveLength(1), waitOptions.timeout)
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
    waitOptions.timeout,
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

test('Case 11 two programs that link one card at once end with one program for it', async () => {
  const rounds = scaled({ full: 20, short: 2 })
  for (let round = 0; round < rounds; round++) {
    const pair = [await newMember(app), await newMember(app, 'gallonaire')] as const
    const number = cardNumber()
    const results = await Promise.all(pair.map((holder) => linkCard(app, holder, number)))
    expect(results.map(codeOf).sort()).toEqual(['LINKED_ELSEWHERE', 'linked'])
  }
})

test('two programs that each take the other’s card at once both end with one card', async () => {
  const pairs = []
  const rounds = scaled({ full: 10, short: 2 })
  for (let round = 0; round < rounds; round++) {
    const holders = [await newMember(app), await newMember(app, 'gallonaire')] as const
    const numbers = await Promise.all(holders.map(async (holder) => (await linkCard(app, holder)).number))
    await Promise.all(holders.map((holder, index) => requestMove(holder, numbers[1 - index] as string)))
    pairs.push({ holders, numbers })
  }
  await Promise.all(
    pairs.flatMap(({ holders }) =>
      holders.map(async (holder) => {
        const [code = ''] = await getMoveCodes(holder)
        expect((await decide(code, true, holder.visitor.host.split('.')[0])).status).toBe(200)
      }),
    ),
  )
  for (const { holders, numbers } of pairs) {
    for (const [index, holder] of holders.entries()) {
      const other = numbers[1 - index] as string
      const swapped = async () =>
        expect((await getCards(holder)).map(({ lastFour }) => lastFour)).toEqual([other.slice(-4)])
      await vi.waitFor(swapped, waitOptions.timeout)
      expect(await getMemberType(holder)).toBe('EnrolledCardMember')
    }
  }
})

test('Case 11 three programs that were all allowed one card at once end with one program for it', async () => {
  const rounds = scaled({ full: 5, short: 2 })
  for (let round = 0; round < rounds; round++) {
    const sky = await newMember(app)
    const { number } = await linkCard(app, sky)
    const requesters = [
      await newMember(app, 'gallonaire'),
      await newMember(app, 'orchard'),
      await newMember(app, 'gallonaire'),
    ]
    await Promise.all(requesters.map((holder) => requestMove(holder, number)))
    const codes = await getMoveCodes(sky, 3)
    await Promise.all(codes.map((code) => decide(code, true)))
    const open = () =>
      asOwner(app, "select 1 from card_move_requests where card->>'lastFour' = $1 and allowed and done_at is null", [
        number.slice(-4),
      ])
    await vi.waitFor(async () => expect(await open()).toEqual([]), waitOptions.timeout)
    const homes = await Promise.all([sky, ...requesters].map(async (holder) => (await getCards(holder)).length))
    expect([homes[0], homes.reduce((sum, count) => sum + count, 0)]).toEqual([0, 1])
  }
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
  await vi.waitFor(async () => expect(await getCards(gal)).toHaveLength(1), waitOptions.timeout)
  await requester.transaction().execute(async (tx) => {
    await sql`select * from find_card_in_other_program('nothing')`.execute(tx)
    await sql`select release_card(${request.id})`.execute(tx)
    const { rows: here } = await sql<{ here: string }>`select current_partner() as here`.execute(tx)
    expect(here[0]?.here).toBe('gallonaire')
  })
})
