import { randomUUID } from 'node:crypto'
import { expect, test } from 'vitest'
import { deriveKey } from '../../src/platform/config/settings.ts'
import { maxLoadedPerDay } from '../../src/rewards/cards/rules.ts'
import { loadPartnerCard, type PartnerCardLoad } from '../../src/rewards/cards/service.ts'
import { createHttpVault } from '../../src/rewards/cards/vault.ts'
import { deriveVaultKeys } from '../../vault/keys.ts'
import { asOwner } from '../support/app.ts'
import { setUpTestApp } from '../support/file-setup.ts'
import { jobsDone } from '../support/jobs-done.ts'
import { cardForm, linkCard, newMember, seal, type TestMember } from '../support/members.ts'
import { feedEvent } from '../support/reward-fixtures.ts'
import { addMerchant, createTestContext, receiveEvent } from '../support/rewards-harness.ts'
import { cardNumber, declinedNumber, sealCard } from '../support/sealed-card.ts'

const app = setUpTestApp()

const loadable = (number: string, over: Record<string, unknown> = {}) =>
  sealCard(deriveVaultKeys(app.settings.VAULT_SECRET).publicJwk, {
    number,
    expires: '2031-05',
    tenant: 'gallonaire',
    purpose: 'load',
    exp: Math.floor(Date.now() / 1000) + 300,
    ...over,
  })

let loads = 0
async function load(
  holder: string,
  number = cardNumber(),
  over: Record<string, unknown> = {},
  card: Partial<PartnerCardLoad> = {},
) {
  const apiKey = deriveKey(app.settings.VAULT_SECRET, 'vault-api').toString('base64url')
  const vault = createHttpVault({ apiUrl: `http://vault.localhost:${app.port}`, apiKey })
  const ctx = { partnerId: 'gallonaire', db: app.database.pools.forPartner('gallonaire') }
  return loadPartnerCard(ctx, vault, {
    holder,
    partnerCardId: `own-${++loads}`,
    description: 'Fleet Visa',
    encryptedCardNumber: await loadable(number, over),
    ...card,
  })
}

test('the vault deletes only cards of the program that asks for it', async () => {
  const member = await newMember(app, 'gallonaire')
  await linkCard(app, member)
  const [card] = await asOwner<{ token: string }>(
    app,
    'select token from cards where member_id = (select id from members where public_id = $1)',
    [member.publicId],
  )
  const token = card?.token ?? ''
  const rows = async () => {
    const counts = `select (select count(*) from vault.cards where token = $1) as cards,
      (select count(*) from vault.card_holders where token = $1) as holders,
      (select count(*) from vault.intents where token = $1) as intents`
    return Object.values((await asOwner<Record<string, string>>(app, counts, [token]))[0] ?? {}).map(Number)
  }
  const apiKey = deriveKey(app.settings.VAULT_SECRET, 'vault-api').toString('base64url')
  const vault = createHttpVault({ apiUrl: `http://vault.localhost:${app.port}`, apiKey })
  await vault.deleteCards({ tenant: 'skyharbor', tokens: [token], holder: member.publicId })
  expect(await rows()).toEqual([1, 1, 1])
  await vault.deleteCards({ tenant: 'gallonaire', tokens: [token], holder: member.publicId })
  expect(await rows()).toEqual([0, 0, 0])
})

test('the vault compares expiry dates only for a card of the program that asks', async () => {
  const [owner, requester] = [await newMember(app, 'gallonaire'), await newMember(app, 'orchard')]
  const { number } = await linkCard(app, owner)
  await linkCard(app, requester, number)
  const [card] = await asOwner<{ token: string }>(
    app,
    "select token from vault.card_holders where holder = $1 and expires = '2031-12'",
    [requester.publicId],
  )
  const apiKey = deriveKey(app.settings.VAULT_SECRET, 'vault-api').toString('base64url')
  const vault = createHttpVault({ apiUrl: `http://vault.localhost:${app.port}`, apiKey })
  const isSame = (tenant: string) =>
    vault.sameExpiry({
      tenant,
      token: card?.token ?? '',
      holder: requester.publicId,
      home: { tenant: 'gallonaire', holder: owner.publicId },
    })
  expect([await isSame('orchard'), await isSame('beacon')]).toEqual([true, false])
})

const offered = async ({ visitor }: TestMember) => (await visitor.get('/api/Cards/AllPartnerCards')).json()
const choose = ({ cardId, lastFour, cardType }: { cardId: string; lastFour: string; cardType: string }) => ({
  cardId,
  lastFour,
  cardType,
})
/** Links a loaded card by its id; returns the error. */
async function errorOf({ visitor }: TestMember, card: Parameters<typeof choose>[0], moveHere = false): Promise<string> {
  // Each is a request of its own.
  const headers = { 'idempotency-key': randomUUID() }
  const body = { creditCards: [choose(card)], directFileFeedOptIn: true, moveHere }
  const response = await visitor.change('POST', '/api/Member/Cards', body, headers)
  return response.json().cardRegistration[0].error?.code ?? 'linked'
}

test('API-028 LINK-007 DATA-032 cards that the partner loaded are offered to that member only', async () => {
  const [holder, other] = [await newMember(app, 'gallonaire'), await newMember(app, 'gallonaire')]
  const number = cardNumber()
  expect(await load(holder.publicId, number)).toBeNull()
  expect(await offered(holder)).toEqual([
    {
      cardId: expect.any(String),
      cardType: 'VISA',
      description: 'Fleet Visa',
      lastFour: number.slice(-4),
      partnerCardId: `own-${loads}`,
    },
  ])
  expect(await offered(other)).toEqual([])
  const sky = await newMember(app)
  expect((await sky.visitor.get('/api/Cards/AllPartnerCards')).status).toBe(404)
})

test('a loaded card that was deleted is linked again by the same request, and a stored response ends after a day', async () => {
  const member = await newMember(app, 'gallonaire')
  await linkCard(app, member)
  await load(member.publicId)
  const [card] = await offered(member)
  const body = { creditCards: [choose(card)], directFileFeedOptIn: true, moveHere: false }
  const link = async () => {
    const { cardRegistration } = (await member.visitor.change('POST', '/api/Member/Cards', body)).json()
    const cards = (await member.visitor.get('/api/Member/Cards')).json<{ id: string; lastFour: string }[]>()
    const linked = cards.find(({ lastFour }) => lastFour === card.lastFour)
    return { code: cardRegistration[0].error?.code ?? 'linked', id: linked?.id }
  }
  const first = await link()
  expect(first).toEqual({ code: 'linked', id: expect.any(String) })
  expect(await link()).toEqual(first)
  expect((await member.visitor.change('DELETE', `/api/Member/Cards?id=${first.id}`)).status).toBe(200)
  const again = await link()
  expect(again).toEqual({ code: 'linked', id: expect.any(String) })
  // Without its owner's doing, as when it moved to another program.
  await asOwner(app, 'update cards set removed_at = now() where public_id = $1', [again.id])
  const scope = "scope = 'link-cards:' || (select id from members where public_id = $1)"
  await asOwner(app, `update idempotency_keys set created_at = now() - interval '23 hours' where ${scope}`, [
    member.publicId,
  ])
  expect((await link()).id).toBeUndefined()
  await asOwner(app, `update idempotency_keys set created_at = now() - interval '25 hours' where ${scope}`, [
    member.publicId,
  ])
  expect((await link()).id).toEqual(expect.any(String))
})

test('a loaded card is offered through the last month in which it is valid', async () => {
  const member = await newMember(app, 'gallonaire')
  await load(member.publicId)
  const countThrough = async (month: string) => {
    await asOwner(app, 'update partner_cards set expires = $1 where partner_card_id = $2', [month, `own-${loads}`])
    return (await offered(member)).length
  }
  const now = new Date()
  const lastMonth = new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth(), 0))
  const months = [now, lastMonth].map((day) => day.toISOString().slice(0, 7))
  const [card] = await offered(member)
  expect([await countThrough(months[0] as string), await countThrough(months[1] as string)]).toEqual([1, 0])
  // Not by its id either, on a page that was opened before.
  expect(await errorOf(member, card)).toBe('EXPIRED_CARD')
  await countThrough(months[0] as string)
  expect(await errorOf(member, card)).toBe('linked')
})

test('a loaded card that the program accepts no longer is neither offered nor linked by its id', async () => {
  const member = await newMember(app, 'gallonaire')
  await load(member.publicId)
  const [card] = await offered(member)
  const config = app.programs.get('gallonaire')?.config
  if (!config) throw new Error('no program')
  const { cardTypesAccepted } = config
  config.cardTypesAccepted = ['AMEX', 'DISC', 'MAST']
  try {
    expect(await offered(member)).toEqual([])
    expect(await errorOf(member, card)).toBe('UNSUPPORTED_BRAND')
    config.cardTypesAccepted = cardTypesAccepted
    config.hasPartnerLoadedCards = false
    expect(await errorOf(member, card)).toBe('NOT_LOADED')
  } finally {
    config.cardTypesAccepted = cardTypesAccepted
    config.hasPartnerLoadedCards = true
  }
  expect(await errorOf(member, card)).toBe('linked')
})

test('a loaded card is not offered while another member has linked it', async () => {
  const [member, other] = [await newMember(app, 'gallonaire'), await newMember(app, 'gallonaire')]
  const number = cardNumber()
  await load(member.publicId, number)
  await linkCard(app, other)
  const { response } = await linkCard(app, other, number)
  expect(await offered(member)).toEqual([])
  const { id } = response.json().cardRegistration[0].memberCard
  expect((await other.visitor.change('DELETE', `/api/Member/Cards?id=${id}`)).json()).toBe(true)
  const [card] = await offered(member)
  expect(card).toMatchObject({ partnerCardId: `own-${loads}` })
  // The member's own card is offered as before.
  expect(await errorOf(member, card)).toBe('linked')
  expect(await offered(member)).toEqual([card])
})

test('a card that the partner loads again has its new details and holder, and the same id', async () => {
  const [member, other] = [await newMember(app, 'gallonaire'), await newMember(app, 'gallonaire')]
  await load(member.publicId)
  await load(member.publicId)
  const [first, second] = await offered(member)
  expect([first.partnerCardId, second.partnerCardId]).toEqual([`own-${loads - 1}`, `own-${loads}`])
  const number = cardNumber()
  const details = { partnerCardId: first.partnerCardId, description: 'Gold Visa' }
  await load(member.publicId, number, { expires: '2033-07' }, details)
  const renewed = { ...first, description: 'Gold Visa', lastFour: number.slice(-4) }
  expect(await offered(member)).toEqual([renewed, second])
  await load(other.publicId, number, { expires: '2033-07' }, details)
  expect([await offered(member), await offered(other)]).toEqual([[second], [renewed]])
  expect(await errorOf(other, renewed)).toBe('linked')
  expect((await other.visitor.get('/api/Member/Cards')).json()).toMatchObject([
    { description: 'Gold Visa', lastFour: number.slice(-4), expires: '2033-07' },
  ])
})

test('a transaction that waits for a loaded card is matched when the member links the card', async () => {
  const member = await newMember(app, 'gallonaire')
  await load(member.publicId)
  const [stored] = await asOwner<{ token: string }>(app, 'select token from partner_cards where partner_card_id = $1', [
    `own-${loads}`,
  ])
  const { locationId } = await addMerchant(app.database.pools.shared)
  const event = feedEvent('transaction.auth', {
    id: randomUUID(),
    programId: 'gallonaire',
    card: { id: stored?.token ?? '', lastNumbers: '0002' },
    location: { id: locationId },
  })
  expect(await receiveEvent(createTestContext(app.database, 'gallonaire'), event)).toBe('unmatched')
  expect(await errorOf(member, (await offered(member))[0])).toBe('linked')
  const found = 'select m.public_id from transactions t join members m on m.id = t.member_id where t.network_id = $1'
  expect(await asOwner(app, found, [event.transaction.id])).toEqual([{ public_id: member.publicId }])
})

async function deleteAccount({ visitor }: TestMember): Promise<void> {
  const deleted = await visitor.change('POST', '/api/Member/Delete', { confirmation: 'DELETE' })
  expect(deleted.json()).toEqual({ deleted: true })
}

/** Returns which of these cards the vault of this program has, by their last digits. */
async function atVault(...numbers: string[]): Promise<boolean[]> {
  const rows = await asOwner<{ last_four: string }>(
    app,
    "select last_four from vault.cards where tenant = 'gallonaire'",
  )
  return numbers.map((number) => rows.some(({ last_four }) => last_four === number.slice(-4)))
}

test('a deleted account leaves at the vault the cards that another member has linked or that are loaded for another one', async () => {
  const [member, linker, joint] = [
    await newMember(app, 'gallonaire'),
    await newMember(app, 'gallonaire'),
    await newMember(app, 'gallonaire'),
  ]
  const [shared, both, typed] = [cardNumber(), cardNumber(), cardNumber()]
  await load(member.publicId, shared)
  expect((await linkCard(app, linker, shared)).response.json().cardRegistration[0].error).toBeUndefined()
  for (const { publicId } of [member, joint]) await load(publicId, both)
  await linkCard(app, member, typed)
  await load(joint.publicId, typed)
  await deleteAccount(member)
  expect(await atVault(shared, both, typed)).toEqual([true, true, true])
  // The account that has a card last deletes it.
  await deleteAccount(linker)
  expect(await atVault(shared, both, typed)).toEqual([false, true, true])
  await deleteAccount(joint)
  expect(await atVault(shared, both, typed)).toEqual([false, false, false])
})

test('a card that another member waits for stays at the vault when a loaded one is deleted or replaced', async () => {
  const [holder, requester, owner] = [
    await newMember(app, 'gallonaire'),
    await newMember(app, 'gallonaire'),
    await newMember(app, 'skyharbor'),
  ]
  const [left, replaced] = [cardNumber(), cardNumber()]
  for (const number of [left, replaced]) {
    await linkCard(app, owner, number)
    const { response } = await linkCard(app, requester, number, { form: { moveHere: true } })
    expect(response.json().cardRegistration[0].error.code).toBe('MOVE_REQUESTED')
  }
  const partnerCardId = `own-${loads + 1}`
  await load(holder.publicId, replaced)
  await load(holder.publicId, cardNumber(), {}, { partnerCardId })
  await load(holder.publicId, left)
  await jobsDone(app.database)
  await deleteAccount(holder)
  expect(await atVault(left, replaced)).toEqual([true, true])
  await deleteAccount(requester)
  expect(await atVault(left, replaced)).toEqual([false, false])
})

test('a loaded card that the partner replaces is deleted at the vault, unless it is linked or loaded under another id', async () => {
  const [member, linker] = [await newMember(app, 'gallonaire'), await newMember(app, 'gallonaire')]
  const [alone, linked, twice] = [cardNumber(), cardNumber(), cardNumber()]
  const ids = [`own-${loads + 1}`, `own-${loads + 2}`, `own-${loads + 3}`]
  for (const number of [alone, linked, twice]) await load(member.publicId, number)
  await linkCard(app, linker, linked)
  await load(member.publicId, twice)
  // Loading the same number again replaces nothing.
  await load(member.publicId, alone, { expires: '2033-07' }, { partnerCardId: ids[0] as string })
  await jobsDone(app.database)
  expect(await atVault(alone, linked, twice)).toEqual([true, true, true])
  const renewed = [cardNumber(), cardNumber(), cardNumber()]
  for (const [index, number] of renewed.entries())
    await load(member.publicId, number, {}, { partnerCardId: ids[index] as string })
  await jobsDone(app.database)
  expect(await atVault(alone, linked, twice)).toEqual([false, true, true])
  await deleteAccount(linker)
  await deleteAccount(member)
  expect(await atVault(alone, linked, twice, ...renewed)).toEqual([false, false, false, false, false, false])
})

test('a deleted account leaves none of its loaded cards here or at the vault', async () => {
  const [member, other] = [await newMember(app, 'gallonaire'), await newMember(app, 'gallonaire')]
  await load(member.publicId)
  await load(other.publicId)
  const tokens = await asOwner<{ holder: string; token: string }>(
    app,
    'select holder, token from partner_cards where holder = any($1)',
    [[member.publicId, other.publicId]],
  )
  await deleteAccount(member)
  const left = async (table: 'partner_cards' | 'vault.cards') => {
    const rows = await asOwner<{ token: string }>(app, `select token from ${table} where token = any($1)`, [
      tokens.map(({ token }) => token),
    ])
    return rows.map(({ token }) => tokens.find((each) => each.token === token)?.holder)
  }
  expect([await left('partner_cards'), await left('vault.cards')]).toEqual([[other.publicId], [other.publicId]])
})

test('cards that are loaded for a subject of the partner’s identity provider are offered to its member', async () => {
  const member = await newMember(app, 'gallonaire')
  const subject = randomUUID()
  await load(subject)
  expect(await offered(member)).toEqual([])
  await asOwner(
    app,
    `insert into identities (partner_id, member_id, issuer, subject)
     select partner_id, id, 'https://id.example', $2 from members where public_id = $1`,
    [member.publicId, subject],
  )
  expect(await offered(member)).toMatchObject([{ partnerCardId: `own-${loads}` }])
})

test('the move of a loaded card is requested by the date that the partner loaded, also if the member has typed another one', async () => {
  const [owner, member] = [await newMember(app), await newMember(app, 'gallonaire')]
  const { number } = await linkCard(app, owner, cardNumber(), { claims: { expires: '2031-05' } })
  const requests = () =>
    asOwner(app, 'select 1 from card_move_requests where to_member = (select id from members where public_id = $1)', [
      member.publicId,
    ])
  await load(member.publicId, number)
  const typed = { claims: { expires: '2030-01' }, form: { moveHere: true } }
  const { response } = await linkCard(app, member, number, typed)
  expect(response.json().cardRegistration[0].error.code).toBe('MOVE_REQUESTED')
  expect(await requests()).toEqual([])
  expect(await errorOf(member, (await offered(member))[0], true)).toBe('MOVE_REQUESTED')
  expect(await requests()).toHaveLength(1)
})

test('joining with another person’s address offers none of that person’s cards', async () => {
  const victim = 'victim@example.com'
  await load(victim)
  expect(await offered(await newMember(app, 'gallonaire', { email: victim }))).toEqual([])
})

test('LINK-032 LINK-013 a selected and a typed card are linked in one request, the selected one under the partner’s name for it', async () => {
  const holder = await newMember(app, 'gallonaire')
  await load(holder.publicId)
  const [card] = await offered(holder)
  const number = cardNumber()
  const typed = cardForm(number, await seal(app, holder, number))
  const creditCards = [choose(card), ...typed.creditCards]
  const response = await holder.visitor.change('POST', '/api/Member/Cards', { ...typed, creditCards })
  expect(response.json().cardRegistration.map((item: { error?: unknown }) => item.error)).toEqual([
    undefined,
    undefined,
  ])
  const partnerCardIds = response
    .json()
    .cardRegistration.map((item: { memberCard: { partnerCardId: string | null } }) => item.memberCard.partnerCardId)
  expect(partnerCardIds).toEqual([card.partnerCardId, null])
  const cards = (await holder.visitor.get('/api/Member/Cards')).json()
  expect(cards.map((linked: { description: string }) => linked.description)).toEqual(['Fleet Visa', 'Visa'])
  expect(cards[0]).toMatchObject({ partnerCardId: card.partnerCardId, expires: '2031-05' })
})

test('LINK-014 LINK-015 when some are linked and some are not, each result says which and why', async () => {
  const holder = await newMember(app, 'gallonaire')
  await load(holder.publicId)
  const [card] = await offered(holder)
  const declined = declinedNumber()
  const typed = cardForm(declined, await seal(app, holder, declined))
  const creditCards = [choose(card), ...typed.creditCards, { ...choose(card), cardId: 'not-mine' }]
  const response = await holder.visitor.change('POST', '/api/Member/Cards', { ...typed, creditCards })
  const codes = response.json().cardRegistration.map((item: { error?: { code: string } }) => item.error?.code)
  expect(codes).toEqual([undefined, 'DECLINED', 'NOT_LOADED'])
})

test('LINK-040 a chosen card that cannot be linked has the name under which it was offered', async () => {
  const holder = await newMember(app, 'gallonaire')
  await load(holder.publicId)
  const [card] = await offered(holder)
  await asOwner(app, 'update partner_cards set expires = $2 where public_id = $1', [card.cardId, '2020-01'])
  const response = await holder.visitor.change('POST', '/api/Member/Cards', {
    creditCards: [choose(card)],
    directFileFeedOptIn: true,
  })
  const [result] = response.json().cardRegistration
  expect([result.error.code, result.memberCard.description]).toEqual(['EXPIRED_CARD', card.description])
})

test('another member’s loaded card cannot be linked by its id', async () => {
  const [holder, thief] = [await newMember(app, 'gallonaire'), await newMember(app, 'gallonaire')]
  await load(holder.publicId)
  const [card] = await offered(holder)
  const body = { creditCards: [choose(card)], directFileFeedOptIn: true }
  const response = await thief.visitor.change('POST', '/api/Member/Cards', body)
  expect(response.json().cardRegistration[0].error.code).toBe('NOT_LOADED')
})

test('a loaded card must be encrypted for this program and this purpose and be current, and errors name the card', async () => {
  const { publicId } = await newMember(app, 'gallonaire')
  expect(await load(publicId, cardNumber(), { tenant: 'beacon' })).toBe('WRONG_HOLDER')
  expect(await load(publicId, cardNumber(), { exp: 1 })).toBe('INTENT_EXPIRED')
  expect(await load(publicId, cardNumber(), { purpose: 'link' })).toBe('TAMPERED')
  expect(await load(publicId, '4000000000000001')).toBe('INVALID_CARD')
  expect(await load(publicId, cardNumber(), { expires: '2020-01' })).toBe('EXPIRED_CARD')
})

test('Case 15 a card encrypted for loading cannot be linked, and a card of the frame cannot be loaded', async () => {
  const holder = await newMember(app, 'gallonaire')
  const number = cardNumber()
  const body = cardForm(number, await loadable(number))
  const response = await holder.visitor.change('POST', '/api/Member/Cards', body)
  expect(response.json().cardRegistration[0].error.code).toBe('TAMPERED')
  expect(await load(holder.publicId, number, { intent: 'i', holder: holder.publicId })).toBe('TAMPERED')
})

test('Case 99 a member chooses loaded cards at most fifty times a day, also sixty at once', async () => {
  expect(maxLoadedPerDay).toBe(50)
  const member = await newMember(app, 'gallonaire')
  await load(member.publicId)
  const [card] = await offered(member)
  const statusOf = async () => {
    const body = { creditCards: Array(6).fill(choose(card)), directFileFeedOptIn: true, moveHere: false }
    const headers = { 'idempotency-key': randomUUID() }
    return (await member.visitor.change('POST', '/api/Member/Cards', body, headers)).status
  }
  const statuses = await Promise.all(Array.from({ length: 10 }, statusOf))
  // A request with some cards beyond the limit links none, so that fewer than eight may be left.
  const done = statuses.filter((status) => status === 200).length
  expect(done).toBeGreaterThan(0)
  expect(done).toBeLessThanOrEqual(8)
  // The bot check asks for a proof before the limit is reached again.
  expect([400, 429]).toContain(await statusOf())
  const [row] = await asOwner<{ count: number }>(
    app,
    `select count(*)::int as count from idempotency_keys where scope like '%' || (select id from members where public_id = $1)`,
    [member.publicId],
  )
  expect(row?.count).toBe(done)
})
