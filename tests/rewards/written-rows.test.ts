import { randomBytes } from 'node:crypto'
import { expect, test } from 'vitest'
import { lockMember } from '../../src/identity/members/service.ts'
import { type Db, inTransaction } from '../../src/platform/database/db.ts'
import { UnavailableError } from '../../src/platform/errors.ts'
import { publicId } from '../../src/platform/security/ids.ts'
import { insertBonus, setQualified } from '../../src/rewards/bonuses/store.ts'
import { deleteReplacedCard } from '../../src/rewards/cards/service.ts'
import {
  findOwnerlessTokens,
  listCardFingerprints,
  listVaultTokens,
  markRemoved,
  savePartnerCard,
} from '../../src/rewards/cards/store.ts'
import type { CardVault } from '../../src/rewards/cards/vault.ts'
import {
  getUsage,
  insertClaim,
  markExecuted,
  purgeReceipts,
  redactAndCloseClaims,
  updateDecision,
} from '../../src/rewards/claims/store.ts'
import { findOrCreateFile, finishFile, recordProgress } from '../../src/rewards/feed/files/store.ts'
import { postEntries, rewardPostings } from '../../src/rewards/ledger/entries.ts'
import { ownProcessor } from '../../src/rewards/payouts/own-processor.ts'
import { executeCredit, payOutBalances } from '../../src/rewards/payouts/statement-credits.ts'
import { changeCredit, findCredit, insertOrder, markSubmitted, setReturned } from '../../src/rewards/payouts/store.ts'
import { setUpTestHarness } from '../support/file-setup.ts'
import { queryAsOwner } from '../support/owner.ts'
import { addCard, addMember, createTestContext } from '../support/rewards-harness.ts'
import { changesOf as changesIn } from '../support/row-changes.ts'
import { runJobs } from '../support/run-jobs.ts'
import { whileLocked } from '../support/while-locked.ts'

const harness = setUpTestHarness()
const now = new Date('2026-03-12T12:00:00Z')
const context = () => createTestContext(harness, 'beacon', now)

const changesOf = (act: () => Promise<unknown>) => changesIn(harness, act)

test('a member’s tokens are those of own cards, linked or removed, unless another member has linked the card', async () => {
  const { db } = context()
  const [ada, bob] = [await addMember(db), await addMember(db)]
  const add = async (memberId: number, isRemoved: boolean, token?: string) => {
    const card = await addCard(db, memberId, token ? { token } : {})
    if (isRemoved) await inTransaction(db, (tx) => markRemoved(tx, card.id))
    return card.token
  }
  const [linked, removed, moved] = [await add(ada, false), await add(ada, true), await add(ada, true)]
  const ofBob = [await add(bob, false, moved), await add(bob, true)]
  expect((await listVaultTokens(db, ada)).toSorted()).toEqual([linked, removed].toSorted())
  expect((await listVaultTokens(db, bob)).toSorted()).toEqual(ofBob.toSorted())
  // The fingerprints are those of all own cards: by each of them the member is recognized after a deletion.
  const rows = await db.selectFrom('cards').select('fingerprint').where('member_id', '=', ada).execute()
  const fingerprints = (await inTransaction(db, (tx) => listCardFingerprints(tx, ada))).map((card) => card.fingerprint)
  expect(fingerprints.toSorted()).toEqual(rows.map(({ fingerprint }) => fingerprint).toSorted())
  expect(fingerprints).toHaveLength(3)
})

/** Stores a loaded card with a new token, which it returns. */
async function loadCard(db: Db, partnerCardId: string): Promise<string> {
  const faceless = { holder: 'subject', description: 'Visa', card_type: 'VISA', last_four: '4242', expires: '2031-12' }
  const token = publicId()
  const keys = { public_id: publicId(), partner_card_id: partnerCardId, fingerprint: token, home_key: token }
  await savePartnerCard(db, { ...faceless, ...keys, token })
  return token
}

test('a token has an owner when a card of this program has it, linked, removed or loaded', async () => {
  const { db } = context()
  const memberId = await addMember(db)
  const [linked, removed] = [await addCard(db, memberId), await addCard(db, memberId)]
  await inTransaction(db, (tx) => markRemoved(tx, removed.id))
  const loaded = await loadCard(db, publicId())
  const tokens = [linked.token, 'unknown', removed.token, loaded]
  expect(await findOwnerlessTokens(db, tokens)).toEqual(['unknown'])
  const elsewhere = createTestContext(harness, 'skyharbor').db
  expect((await findOwnerlessTokens(elsewhere, tokens)).toSorted()).toEqual(tokens.toSorted())
})

test('a replaced card that the vault did not delete is deleted by a later attempt, once', async () => {
  const { db } = context()
  await loadCard(db, 'other')
  const [first, second] = [await loadCard(db, 'renewed'), await loadCard(db, 'renewed')]
  const replaced = async () => {
    const rows = await db.selectFrom('replaced_cards').select('token').orderBy('id').execute()
    return rows.map(({ token }) => token)
  }
  const runWith = (deleteCards: CardVault['deleteCards']) =>
    runJobs(harness.url, 'replaced-cards', ({ id }) => deleteReplacedCard(context(), { deleteCards }, Number(id)), {
      early: true,
    })
  const failure = new UnavailableError('vaultUnavailable')
  expect(await runWith(() => Promise.reject(failure))).toEqual([failure])
  expect(await replaced()).toEqual([first])
  const deleted: unknown[] = []
  const works = async (request: unknown) => void deleted.push(request)
  expect(await runWith(works)).toEqual([])
  expect([deleted, await replaced()]).toEqual([[{ tenant: 'beacon', tokens: [first] }], []])
  // The token of a card that is linked, or was, is deleted with its account.
  await addCard(db, await addMember(db), { token: second })
  await loadCard(db, 'renewed')
  expect(await replaced()).toEqual([second])
  expect(await runWith(works)).toEqual([])
  expect([deleted.length, await replaced()]).toEqual([1, []])
})

test('a claim is decided, settled, redacted and cleared of its receipt without others', async () => {
  const { db } = context()
  const members = [await addMember(db), await addMember(db)] as const
  const add = (memberId: number, cents: number) =>
    inTransaction(db, (tx) =>
      insertClaim(tx, {
        publicId: publicId(),
        memberId,
        date: '2026-03-01',
        merchantId: null,
        merchantName: 'Corner Bistro',
        cents,
        cardId: null,
        note: 'Window seat.',
        receipt: { name: 'r.png', type: 'image/png', bytes: randomBytes(8) },
        findings: {},
        respondBy: now,
      }),
    )
  const claims: number[] = []
  for (const memberId of members)
    for (const cents of [10_00, 20_00, 30_00]) claims.push((await add(memberId, cents)).id)
  const [first = 0, second = 0] = claims
  const decision = { code: 'declined', words: '', benefit: 0 }
  const decide = (id: number) => inTransaction(db, (tx) => updateDecision(tx, id, decision))
  const settle = (id: number) => inTransaction(db, (tx) => markExecuted(tx, id))
  await queryAsOwner(
    harness.ownerUrl,
    `update claims set decided_at = now(), decision = '{}', decided_by = 'Sam' where id = any($1)`,
    [claims.filter((_, index) => index !== 2)],
  )
  // Decided claims are no longer open, whether or not they are settled.
  const usage = () => inTransaction(db, (tx) => getUsage(tx, members[0]))
  expect(await usage()).toEqual({ open: 1, receiptBytes: 24 })
  expect(await changesOf(() => decide(first))).toEqual({ claims: 1 })
  expect(await changesOf(() => settle(first))).toEqual({ claims: 1 })
  await settle(second)
  const age = (id: number, interval: string) =>
    queryAsOwner(harness.ownerUrl, `update claims set settled_at = now() - interval '${interval}' where id = $1`, [id])
  await age(first, '90 days 1 minute')
  await age(second, '90 days -1 minute')
  expect(await changesOf(() => purgeReceipts(db))).toEqual({ claims: 1 })
  expect(await changesOf(() => purgeReceipts(db))).toEqual({})
  expect(await usage()).toEqual({ open: 1, receiptBytes: 16 })
  const [settled] = await queryAsOwner(harness.ownerUrl, 'select settled_at from claims where id = $1', [second])
  expect(await changesOf(() => inTransaction(db, (tx) => redactAndCloseClaims(tx, members[0])))).toEqual({ claims: 3 })
  expect(await queryAsOwner(harness.ownerUrl, 'select settled_at from claims where id = $1', [second])).toEqual([
    settled,
  ])
  // Those without a decision are withdrawn, and a decision stays.
  const decisions = await queryAsOwner<{ code: string | null }>(
    harness.ownerUrl,
    "select decision ->> 'code' as code from claims where member_id = $1 order by id",
    [members[0]],
  )
  expect(decisions.map(({ code }) => code)).toEqual(['declined', null, 'withdrawn'])
})

test('a bonus is activated once and qualifies alone', async () => {
  const { db } = context()
  const memberId = await addMember(db)
  const bonus = { memberId, terms: {} as never, offeredAt: now, enrolledAt: now }
  const add = (code: string) => inTransaction(db, (tx) => insertBonus(tx, { ...bonus, code, publicId: publicId() }))
  await add('one')
  await add('two')
  expect(await changesOf(() => add('one'))).toEqual({})
  const rows = await queryAsOwner<{ id: string }>(harness.ownerUrl, 'select id from member_bonuses')
  expect(rows).toHaveLength(2)
  const qualify = () => inTransaction(db, (tx) => setQualified(tx, Number(rows[0]?.id), now))
  expect(await changesOf(qualify)).toEqual({ member_bonuses: 1 })
})

test('the progress of a file is recorded for this file', async () => {
  const { db } = context()
  const start = (hash: string) => findOrCreateFile(db, { name: 'feed.csv', hash })
  const { id } = await start('a'.repeat(64))
  await start('b'.repeat(64))
  expect(await changesOf(() => start('a'.repeat(64)))).toEqual({})
  const tally = { applied: 1, unmatched: 0, ignored: 0, repeated: 0, rejected: 0 }
  expect(await changesOf(() => recordProgress(db, id, { line: 5, tally, faults: [] }))).toEqual({
    feed_files: 1,
  })
  expect(await changesOf(() => finishFile(db, id))).toEqual({ feed_files: 1 })
})

test('a statement credit is ordered, paid, changed and returned alone, behind the lock of its member', async () => {
  const ctx = context()
  const { db } = ctx
  const members = [await addMember(db), await addMember(db)] as const
  await inTransaction(db, async (tx) => {
    for (const memberId of members) {
      const postings = rewardPostings({ memberId, unit: 'cent', amount: 25_00 })
      const entry = { source: 'adjustment', sourceId: publicId(), version: 1, kind: 'adjustment', reason: {} } as const
      await postEntries(tx, [{ ...entry, postings }])
    }
    await payOutBalances(tx, ctx, new Map(members.map((memberId) => [memberId, null])))
  })
  const credits = await db.selectFrom('statement_credits').selectAll().orderBy('id').execute()
  const [credit, other] = credits
  if (!credit || !other) throw new Error('no credits')
  for (const each of credits) await insertOrder(db, each.public_id, 25_00, now)
  expect(await changesOf(() => insertOrder(db, credit.public_id, 1, now))).toEqual({})
  expect(await changesOf(() => markSubmitted(db, credit.id, now))).toEqual({ statement_credits: 1 })
  const change = { status: 'pending_received', processor: 'test', wait: 60_000 } as const
  const changed = () =>
    inTransaction(db, async (tx) => {
      const before = await findCredit(tx, credit.id)
      if (before) await changeCredit(tx, before, change, now)
    })
  expect(await changesOf(changed)).toEqual({ statement_credits: 1 })
  const returned = () => inTransaction(db, (tx) => setReturned(tx, credit.id, credit.journal_entry_id))
  expect(await changesOf(returned)).toEqual({ statement_credits: 1 })
  await whileLocked(db, {
    hold: (tx) => lockMember(tx, other.member_id),
    acts: [() => executeCredit(ctx, ownProcessor, { id: String(other.id) })],
    // An award of this member may change what the credit covers.
    meanwhile: async (tx) => {
      const free = tx
        .selectFrom('statement_credits')
        .select('status')
        .where('id', '=', other.id)
        .forUpdate()
        .skipLocked()
      expect(await free.execute()).toEqual([{ status: 'pending' }])
    },
  })
})
