import fc from 'fast-check'
import { sql } from 'kysely'
import { describe, expect, test } from 'vitest'
import { changeMember, eraseMember, lockMember, storeFormerMember } from '../../src/identity/members/service.ts'
import { acquireAdvisoryLock, inTransaction } from '../../src/platform/database/db.ts'
import { ApiError, UnavailableError } from '../../src/platform/errors.ts'
import type { MemberCtx } from '../../src/platform/http/context.ts'
import { publicId } from '../../src/platform/security/ids.ts'
import {
  deleteMemberRequests,
  findLinkedToken,
  insertRequest,
  takeUnnotified,
} from '../../src/rewards/cards/move-store.ts'
import {
  completeMoves,
  decideMoveRequest,
  deleteReplacedCard,
  linkCards,
  listMoves,
  notifyMoves,
  notifyOwners,
  removeCard,
  undoMove,
} from '../../src/rewards/cards/service.ts'
import { insertCard, listCards, lockHome, markRemoved } from '../../src/rewards/cards/store.ts'
import type { CardVault } from '../../src/rewards/cards/vault.ts'
import { setUpTestHarness } from '../support/file-setup.ts'
import { createMemberContext } from '../support/reservation-harness.ts'
import { addCard, addMember, createTestContext, programConfig } from '../support/rewards-harness.ts'
import { changesOf } from '../support/row-changes.ts'
import { runJobs } from '../support/run-jobs.ts'
import { scaled } from '../support/scale.ts'
import { whileLocked } from '../support/while-locked.ts'

const harness = setUpTestHarness()

const maxCards = 3

/** Creates a member in two browsers: the same account with two contexts. */
async function memberWith(cards: readonly string[]): Promise<{ ctx: MemberCtx; ids: Map<string, string> }> {
  const base = createTestContext(harness, 'skyharbor')
  const memberId = await addMember(base.db)
  const config = { ...base.program.config, maximumCards: maxCards }
  const ctx = { ...base, actor: { ...base.actor, memberId }, program: { ...base.program, config } } as MemberCtx
  const ids = new Map<string, string>()
  for (const name of cards) ids.set(name, await link(ctx, name))
  return { ctx, ids }
}

// Other tests use the real vault; this one responds at once, so that only the app's tables are raced.
const vault = {
  exchange: async ({ encryptedCardNumber: name, holder }: { encryptedCardNumber: string; holder: string }) => ({
    card: {
      token: `${holder}-${name}`,
      fingerprint: `${holder}-${name}`,
      homeKey: `${holder}-${name}`,
      cardType: 'VISA',
      lastFour: '4242',
      expires: '2039-01',
    },
  }),
} as unknown as CardVault

let requests = 0

/** Links a card and returns its id, or the error code. */
async function link(ctx: MemberCtx, name: string): Promise<string> {
  requests++
  const deps = { vault, lockKey: Buffer.alloc(32, requests % 250), returningKey: Buffer.alloc(32) }
  const form = {
    creditCards: [{ encryptedCardNumber: name, lastFour: '4242', cardType: 'VISA' as const }],
    directFileFeedOptIn: true as const,
    moveHere: false,
    gRecaptchaResponse: '',
  }
  const { cardRegistration } = await linkCards(ctx, deps, { form, idempotencyKey: `request-${requests}` })
  const [result] = cardRegistration
  return result?.error?.code ?? (result?.memberCard.id as string)
}

async function remove(ctx: MemberCtx, id: string): Promise<string> {
  try {
    return (await removeCard(ctx, { id })).closed ? 'closed' : 'removed'
  } catch (error) {
    if (error instanceof ApiError) return error.code
    throw error
  }
}

async function readState(ctx: MemberCtx): Promise<{ cards: number; isOpen: boolean }> {
  const { rows } = await sql<{ cards: number; isOpen: boolean }>`
    select (select count(*) from cards where member_id = members.id and removed_at is null) as cards,
      active and member_type = 'EnrolledCardMember' as "isOpen"
    from members where id = ${ctx.actor.memberId}`.execute(ctx.db)
  return rows[0] as { cards: number; isOpen: boolean }
}

describe('Case 10', () => {
  test('Case 10 LINK-017 two tabs that delete the last two cards: 0 open accounts without a card', async () => {
    let cardless = 0
    const rounds = scaled({ full: 300, short: 20 })
    for (let round = 0; round < rounds; round++) {
      const { ctx, ids } = await memberWith(['A', 'B'])
      const outcomes = await Promise.all([...ids.values()].map((id) => remove(ctx, id)))
      expect(outcomes.toSorted()).toEqual(['closed', 'removed'])
      const { cards, isOpen } = await readState(ctx)
      if (cards === 0 && isOpen) cardless++
    }
    expect(cardless).toBe(0)
  })

  test('Case 10 counterpart: without the lock on the member some open accounts have no card', async () => {
    let cardless = 0
    for (let round = 0; round < 100; round++) {
      const { ctx, ids } = await memberWith(['A', 'B'])
      await Promise.all(
        [...ids.values()].map((id) =>
          inTransaction(ctx.db, async (tx) => {
            const [card] = (await listCards(tx, ctx.actor.memberId as number)).filter((own) => own.public_id === id)
            await markRemoved(tx, card?.id as number)
            const left = await listCards(tx, ctx.actor.memberId as number)
            const closed = { member_type: 'ClosedAccountMember', active: false }
            if (left.length === 0) await changeMember(tx, ctx.actor.memberId as number, closed)
          }),
        ),
      )
      const { cards, isOpen } = await readState(ctx)
      if (cards === 0 && isOpen) cardless++
    }
    expect(cardless).toBeGreaterThan(0)
  })
})

describe('Case 11', () => {
  test('Case 11 concurrent additions beyond the maximum: never one too many', async () => {
    const rounds = scaled({ full: 300, short: 20 })
    for (let round = 0; round < rounds; round++) {
      const { ctx } = await memberWith([])
      await Promise.all(['A', 'B', 'C', 'D', 'E', 'F'].map((name) => link(ctx, name)))
      expect(await readState(ctx)).toEqual({ cards: maxCards, isOpen: true })
    }
  })

  test('Case 11 counterpart: when counted without the lock, there are too many', async () => {
    let tooMany = 0
    for (let round = 0; round < 50; round++) {
      const { ctx } = await memberWith([])
      const memberId = ctx.actor.memberId as number
      await Promise.all(
        ['A', 'B', 'C', 'D', 'E', 'F'].map((name) =>
          inTransaction(ctx.db, async (tx) => {
            if ((await listCards(tx, memberId)).length >= maxCards) return
            await insertCard(tx, {
              public_id: publicId(),
              member_id: memberId,
              token: name,
              fingerprint: `${memberId}-${name}`,
              card_type: 'VISA',
              description: 'Visa',
              last_four: '4242',
              partner_card_id: null,
              expires: null,
              home_key: null,
            })
          }),
        ),
      )
      if ((await readState(ctx)).cards > maxCards) tooMany++
    }
    expect(tooMany).toBeGreaterThan(0)
  })
})

const newCard = (memberId: number, fingerprint: string, homeKey: string | null) => ({
  public_id: publicId(),
  member_id: memberId,
  token: fingerprint,
  fingerprint,
  card_type: 'VISA',
  description: 'Visa',
  last_four: '4242',
  partner_card_id: null,
  expires: null,
  home_key: homeKey,
})

describe('a card that is linked again', () => {
  test.each([
    { key: 'of the same key', homeKey: (name: string) => name },
    { key: 'that was stored without a key', homeKey: () => null },
  ])('by its former member waits for another who links it just then, $key', async ({ homeKey }) => {
    const { ctx, ids } = await memberWith(['A', 'B'])
    expect(await remove(ctx, ids.get('A') as string)).toBe('removed')
    const other = await addMember(ctx.db)
    const member = await ctx.db
      .selectFrom('members')
      .select('public_id')
      .where('id', '=', ctx.actor.memberId)
      .executeTakeFirstOrThrow()
    const name = `${member.public_id}-A`
    const [code] = await whileLocked(ctx.db, {
      hold: async (tx) => {
        const key = homeKey(name)
        if (key !== null) await lockHome(tx, key)
        await insertCard(tx, newCard(other, name, key))
      },
      acts: [() => link(ctx, 'A')],
      meanwhile: async () => expect((await readState(ctx)).cards).toBe(1),
    })
    expect(code).toBe('ALREADY_LINKED')
    expect((await readState(ctx)).cards).toBe(1)
  })
})

test('a closed account is open again when its member links the card again, which no other account had before', async () => {
  const { ctx, ids } = await memberWith(['A'])
  expect(await remove(ctx, ids.get('A') as string)).toBe('closed')
  const id = await link(ctx, 'A')
  expect(await readState(ctx)).toEqual({ cards: 1, isOpen: true })
  const find = (card: string) => ctx.db.selectFrom('cards').selectAll().where('public_id', '=', card)
  const { fingerprint, linked_before } = await find(id).executeTakeFirstOrThrow()
  expect(linked_before).toBe(false)
  // The card of a deleted account has earned elsewhere.
  const fingerprints = [fingerprint.replace(/A$/, 'B')]
  const memberId = await addMember(ctx.db)
  const cards = [{ id: (await addCard(ctx.db, memberId)).id, fingerprint: fingerprints[0] as string }]
  await inTransaction(ctx.db, (tx) => storeFormerMember(tx, Buffer.alloc(32), { memberId, cards }))
  expect(await find(await link(ctx, 'B')).execute()).toMatchObject([
    { fingerprint: fingerprints[0], linked_before: true },
  ])
})

test('a card that another program links at the same moment earns there, and the request says so', async () => {
  const { ctx } = await memberWith(['B'])
  const elsewhere = await createMemberContext(harness, 'gallonaire', { now: new Date() })
  const member = await ctx.db
    .selectFrom('members')
    .select('public_id')
    .where('id', '=', ctx.actor.memberId)
    .executeTakeFirstOrThrow()
  const key = `${member.public_id}-A`
  const [code] = await whileLocked(elsewhere.db, {
    hold: async (tx) => {
      await lockHome(tx, key)
      await insertCard(tx, newCard(elsewhere.actor.memberId, publicId(), key))
    },
    acts: [() => link(ctx, 'A')],
  })
  expect(code).toBe('LINKED_ELSEWHERE')
  expect((await readState(ctx)).cards).toBe(1)
})

describe('a requested card', () => {
  const clock = { now: new Date() }
  const deps = {
    programs: new Map((['skyharbor', 'gallonaire'] as const).map((id) => [id, { config: programConfig(id) }])),
    origin: (partnerId: string) => `http://${partnerId}.localhost:3000`,
    returningKey: Buffer.alloc(32),
  }

  /** Creates a card of Skyharbor that a member of Gallonaire has requested. */
  async function requestedCard() {
    const owner = await createMemberContext(harness, 'skyharbor', clock)
    const requester = await createMemberContext(harness, 'gallonaire', clock)
    const key = publicId()
    const card = {
      token: publicId(),
      fingerprint: publicId(),
      homeKey: key,
      cardType: 'VISA',
      description: 'Fleet Visa',
      lastFour: '4242',
      partnerCardId: 'own-7',
      expires: '2039-01',
    }
    const row = await inTransaction(owner.db, (tx) =>
      insertCard(tx, {
        public_id: publicId(),
        member_id: owner.actor.memberId,
        token: publicId(),
        fingerprint: publicId(),
        card_type: 'VISA',
        description: 'Visa',
        last_four: '4242',
        partner_card_id: null,
        expires: null,
        home_key: key,
      }),
    )
    const request = {
      expected: row?.id as number,
      memberId: requester.actor.memberId,
      card: { ...card, publicId: publicId(), wording: 'consent' },
    }
    expect(await inTransaction(requester.db, (tx) => insertRequest(tx, request))).toBe(true)
    return { owner, requester, cardId: row?.id as number }
  }

  const erase = ({ db, actor }: MemberCtx) => inTransaction(db, (tx) => eraseMember(tx, actor.memberId))
  const approve = ({ db, actor }: MemberCtx) =>
    sql`update card_move_requests set allowed = true, responded_at = now() where from_member = ${actor.memberId}`.execute(
      db,
    )
  /** Returns what a member was told, and what the audit log says about it. */
  async function traces({ db, actor }: MemberCtx): Promise<string[]> {
    const { rows } = await sql<{ text: string }>`
      select topic as text from emails where member_id = ${actor.memberId}
      union all select action from audit_entries where member_id = ${actor.memberId}`.execute(db)
    return rows.map(({ text }) => text)
  }

  test('is not asked for when its owner has deleted the account meanwhile', async () => {
    const { owner } = await requestedCard()
    await erase(owner)
    await notifyOwners(owner, deps)
    expect(await traces(owner)).toEqual([])
    const waiting = await owner.db
      .selectFrom('card_move_requests')
      .select('id')
      .where('notified_at', 'is', null)
      .execute()
    expect(waiting).toEqual([])
  })

  test('stays with its owner when the requester has deleted the account meanwhile', async () => {
    const { owner, requester, cardId } = await requestedCard()
    await approve(owner)
    await erase(requester)
    expect(await completeMoves(requester, deps)).toEqual([])
    expect((await listCards(owner.db, owner.actor.memberId)).map(({ id }) => id)).toEqual([cardId])
    expect(await listCards(requester.db, requester.actor.memberId)).toEqual([])
    expect(await traces(requester)).toEqual([])
  })

  test('stays with its owner when another member of the requesting program has linked the same number meanwhile', async () => {
    const { owner, requester, cardId } = await requestedCard()
    const { card } = await owner.db
      .selectFrom('card_move_requests')
      .select('card')
      .where('from_card', '=', cardId)
      .executeTakeFirstOrThrow()
    // Stored without a key, as before keys existed.
    const another = newCard(await addMember(requester.db), (card as { fingerprint: string }).fingerprint, null)
    await inTransaction(requester.db, (tx) => insertCard(tx, another))
    await approve(owner)
    expect(await completeMoves(requester, deps)).toEqual([])
    expect((await listCards(owner.db, owner.actor.memberId)).map(({ id }) => id)).toEqual([cardId])
    expect((await traces(requester)).toSorted()).toEqual(['card.moveFailed', 'card.moveFailed'])
  })

  test('is no longer requested when the account of its owner or of the requester is deleted, and others are', async () => {
    const [received, sent] = [await requestedCard(), await requestedCard()]
    await requestedCard()
    for (const { db, actor } of [received.owner, sent.requester]) {
      const forget = () => inTransaction(db, (tx) => deleteMemberRequests(tx, actor.memberId))
      expect(await changesOf(harness, forget)).toEqual({ card_move_requests: 1 })
      expect(await changesOf(harness, forget)).toEqual({})
    }
  })

  test('has a token for its job once it is linked or has come back, in its program only, while it is linked', async () => {
    const { owner, requester, cardId } = await requestedCard()
    const requests = owner.db.selectFrom('card_move_requests').selectAll().where('from_card', '=', cardId)
    const { id, card } = await requests.executeTakeFirstOrThrow()
    const tokensOf = (job: string) => Promise.all([owner, requester].map(({ db }) => findLinkedToken(db, job)))
    expect(await tokensOf(`request:${id}`)).toEqual([undefined, undefined])
    await approve(owner)
    await completeMoves(requester, deps)
    expect(await tokensOf(`request:${id}`)).toEqual([undefined, (card as { token: string }).token])
    const [move] = await listMoves(owner, deps)
    const job = `move:${move?.id}`
    expect(await tokensOf(job)).toEqual([undefined, undefined])
    await undoMove(owner, deps, move?.id ?? '')
    const back = await owner.db.selectFrom('cards').select('token').where('id', '=', cardId).executeTakeFirstOrThrow()
    expect(await tokensOf(job)).toEqual([back.token, undefined])
    expect(await tokensOf(`request:${id}`)).toEqual([undefined, undefined])
    await inTransaction(owner.db, (tx) => markRemoved(tx, cardId))
    expect(await tokensOf(job)).toEqual([undefined, undefined])
    await notifyMoves(owner, deps)
  })

  test('has left without a notification when its owner has deleted the account meanwhile', async () => {
    const { owner, requester } = await requestedCard()
    await approve(owner)
    expect(await completeMoves(requester, deps)).toHaveLength(1)
    expect(await traces(requester)).toEqual(['card.movedHere', 'card.movedHere'])
    // As it was requested, and with the words that the requester agreed to.
    const [arrived] = await listCards(requester.db, requester.actor.memberId)
    expect(arrived).toMatchObject({ description: 'Fleet Visa', partner_card_id: 'own-7', expires: '2039-01' })
    const consents = requester.db.selectFrom('consents').select(['topic', 'consent_text as words'])
    expect(await consents.where('member_id', '=', requester.actor.memberId).execute()).toEqual([
      { topic: arrived?.public_id, words: 'consent' },
    ])
    await erase(owner)
    const [move] = await listMoves(requester, deps)
    await expect(undoMove(requester, deps, move?.id ?? '')).rejects.toMatchObject({ code: 'moveBlocked' })
    expect(await listCards(requester.db, requester.actor.memberId)).toEqual([arrived])
    expect(await notifyMoves(owner, deps)).toEqual([])
    expect(await traces(owner)).toEqual([])
    const waiting = await owner.db.selectFrom('card_moves').select('id').where('notified_at', 'is', null).execute()
    expect(waiting).toEqual([])
  })

  test('is in the audit log with each step: asked for, declined or allowed, moved, and moved back', async () => {
    const decide = async ({ owner }: { owner: MemberCtx }, allow: boolean) => {
      await notifyOwners(owner, deps)
      const [email] = await owner.db
        .selectFrom('emails')
        .select('body_text')
        .where('member_id', '=', owner.actor.memberId)
        .execute()
      const code = /#code=([\w-]+)/.exec(email?.body_text ?? '')?.[1] ?? ''
      expect(await decideMoveRequest(owner, { code, allow })).toEqual({ allowed: allow })
    }
    const actions = async ({ db, actor }: MemberCtx) => {
      const of = db.selectFrom('audit_entries').select('action').where('member_id', '=', actor.memberId)
      return (await of.orderBy('id').execute()).map(({ action }) => action)
    }
    const declined = await requestedCard()
    await decide(declined, false)
    expect(await actions(declined.owner)).toEqual(['card.moveRequested', 'card.moveDeclined'])
    const { owner, requester } = await requestedCard()
    await decide({ owner }, true)
    await completeMoves(requester, deps)
    await notifyMoves(owner, deps)
    const [move] = await listMoves(owner, deps)
    await undoMove(owner, deps, move?.id ?? '')
    await notifyMoves(owner, deps)
    const [asked, away] = [['card.moveRequested', 'card.moveAllowed'], ['card.movedAway']]
    expect(await actions(owner)).toEqual([...asked, ...away, 'card.moveUndone', 'card.movedBack'])
  })

  test('is notified before one that moved later', async () => {
    const moved = [await requestedCard(), await requestedCard()]
    await notifyMoves(moved[0]?.owner as MemberCtx, deps)
    for (const { owner, requester } of moved) {
      await approve(owner)
      await completeMoves(requester, deps)
    }
    const [owner] = moved.map((each) => each.owner) as [MemberCtx]
    const next = await inTransaction(owner.db, takeUnnotified)
    expect(next?.memberId).toBe(owner.actor.memberId)
    await notifyMoves(owner, deps)
  })

  test('notifies its owner once that it has left, from two processes at the same time', async () => {
    const { owner, requester } = await requestedCard()
    await approve(owner)
    expect(await completeMoves(requester, deps)).toHaveLength(1)
    await whileLocked(owner.db, {
      hold: (tx) => acquireAdvisoryLock(tx, `audit:${owner.partnerId}`),
      acts: [() => notifyMoves(owner, deps), () => notifyMoves(owner, deps)],
    })
    const { rows } = await sql<{ entries: number; emails: number }>`
      select (select count(*)::int from audit_entries where member_id = ${owner.actor.memberId}
          and action = 'card.movedAway') as entries,
        (select count(*)::int from emails where member_id = ${owner.actor.memberId}
          and topic like 'card.moved%') as emails`.execute(owner.db)
    expect(rows).toEqual([{ entries: 1, emails: 1 }])
  })

  test('emails its owner one code, which works, from two processes at the same time', async () => {
    const { owner } = await requestedCard()
    await whileLocked(owner.db, {
      hold: (tx) => lockMember(tx, owner.actor.memberId),
      acts: [() => notifyOwners(owner, deps), () => notifyOwners(owner, deps)],
    })
    const emails = await owner.db
      .selectFrom('emails')
      .select('body_text')
      .where('member_id', '=', owner.actor.memberId)
      .execute()
    const codes = emails.map(({ body_text }) => /#code=([\w-]+)/.exec(body_text)?.[1] ?? '')
    expect(codes).toHaveLength(1)
    expect(await decideMoveRequest(owner, { code: codes[0] as string, allow: true })).toEqual({ allowed: true })
  })
})

type Act = { kind: 'link'; name: string } | { kind: 'remove'; name: string }

/** Computes the sequential outcome: the state, and the result of each act. */
function serially(acts: readonly Act[], initial: readonly string[]) {
  const linked = new Map(initial.map((name) => [name, true]))
  let isOpen = true
  const results = acts.map((act) => {
    if (act.kind === 'link') {
      if (linked.has(act.name)) return 'DUPLICATE'
      if (linked.size >= maxCards) return 'LIMIT'
      // A card that is linked again gets a new id, which the other browser does not have.
      linked.set(act.name, false)
      isOpen = true
      return 'linked'
    }
    if (linked.get(act.name) !== true) return 'removed'
    linked.delete(act.name)
    if (linked.size > 0) return 'removed'
    isOpen = false
    return 'closed'
  })
  return { results, cards: linked.size, isOpen }
}

/** Returns every interleaving of two lists; each entry is tagged with its list. */
function mixtures(a: readonly Act[], b: readonly Act[]): { act: Act; of: 0 | 1 }[][] {
  const [first, second] = [a[0], b[0]]
  return [
    ...(first ? mixtures(a.slice(1), b).map((rest) => [{ act: first, of: 0 as const }, ...rest]) : []),
    ...(second ? mixtures(a, b.slice(1)).map((rest) => [{ act: second, of: 1 as const }, ...rest]) : []),
    ...(first || second ? [] : [[]]),
  ]
}

test('two browsers on one account have the result of some order of their requests, in 150 random interleavings', async () => {
  const initial = ['A', 'B']
  const act = fc.oneof(
    fc.record({ kind: fc.constant('link' as const), name: fc.constantFrom('A', 'B', 'C', 'D') }),
    fc.record({ kind: fc.constant('remove' as const), name: fc.constantFrom('A', 'B') }),
  )
  const acts = fc.array(act, { minLength: 1, maxLength: 3 })
  await fc.assert(
    fc.asyncProperty(acts, acts, async (one, two) => {
      const { ctx, ids } = await memberWith(initial)
      const perform = async ({ kind, name }: Act) => {
        if (kind === 'remove') return remove(ctx, ids.get(name) as string)
        const result = await link(ctx, name)
        return ['DUPLICATE', 'LIMIT'].includes(result) ? result : 'linked'
      }
      const run = async (list: readonly Act[]) => {
        const results: string[] = []
        for (const each of list) results.push(await perform(each))
        return results
      }
      const results = await Promise.all([run(one), run(two)])
      const { cards, isOpen } = await readState(ctx)
      const explained = mixtures(one, two).some((order) => {
        const model = serially(
          order.map((entry) => entry.act),
          initial,
        )
        const of = (list: 0 | 1) => model.results.filter((_, index) => order[index]?.of === list)
        return (
          model.cards === cards && model.isOpen === isOpen && JSON.stringify([of(0), of(1)]) === JSON.stringify(results)
        )
      })
      expect({ one, two, results, cards, isOpen, explained }).toMatchObject({ explained: true })
    }),
    { numRuns: scaled({ full: 150, short: 15 }) },
  )
})

test('a card whose account is deleted while it is linked is deleted at the vault, also when the vault does not answer at first', async () => {
  const { ctx } = await memberWith([])
  const deleted: string[] = []
  let isAway = true
  const busy: CardVault = {
    ...vault,
    async exchange(request) {
      await sql`update members set deleted_at = now() where id = ${ctx.actor.memberId}`.execute(ctx.db)
      return vault.exchange(request)
    },
    async deleteCards({ tokens }) {
      if (isAway) throw new UnavailableError('vaultUnavailable')
      deleted.push(...tokens)
    },
  }
  const form = {
    creditCards: [{ encryptedCardNumber: 'late', lastFour: '4242', cardType: 'VISA' as const }],
    directFileFeedOptIn: true as const,
    moveHere: false,
    gRecaptchaResponse: '',
  }
  const deps = { vault: busy, lockKey: Buffer.alloc(32, 251), returningKey: Buffer.alloc(32) }
  await expect(linkCards(ctx, deps, { form, idempotencyKey: 'late' })).rejects.toMatchObject({ code: 'unauthorized' })
  const runDeletions = () =>
    runJobs(harness.url, 'replaced-cards', ({ id }) => deleteReplacedCard(ctx, busy, Number(id)), { early: true })
  expect(await runDeletions()).toHaveLength(1)
  isAway = false
  expect(await runDeletions()).toEqual([])
  expect(deleted).toHaveLength(1)
  expect(deleted[0]).toMatch(/-late$/)
})
