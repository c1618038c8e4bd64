import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import { deleteAccount } from '../../src/account/privacy/service.ts'
import { joinProgram } from '../../src/identity/enrollment/service.ts'
import { findOrCreateMemberByIdentity } from '../../src/identity/members/service.ts'
import { openSession } from '../../src/identity/session/service.ts'
import { inTransaction } from '../../src/platform/database/db.ts'
import type { Ctx, MemberCtx } from '../../src/platform/http/context.ts'
import { carryOpenDebts, settleMember } from '../../src/rewards/awards/carry-debts.ts'
import { linkCards, removeCard } from '../../src/rewards/cards/service.ts'
import type { CardVault } from '../../src/rewards/cards/vault.ts'
import { completeLink } from '../../src/rewards/feed/complete-link.ts'
import { ownProcessor } from '../../src/rewards/payouts/own-processor.ts'
import type { CreditProcessor } from '../../src/rewards/payouts/processor.ts'
import { executeCredit } from '../../src/rewards/payouts/statement-credits.ts'
import { joinForm } from './app.ts'
import { plainTheme } from './reservation-harness.ts'
import { feedEvent } from './reward-fixtures.ts'
import { addMerchant, createTestContext, receiveEvent, type TestHarness } from './rewards-harness.ts'
import { runJobs } from './run-jobs.ts'

/**
 * Returns the acts of persons who join a program with statement credits from 20 dollars, link cards, dine and delete
 * their accounts. Addresses and cards have names; an address has one open account. A dine of 100 dollars earns 3.
 */
export async function createDebtWorld(harness: TestHarness) {
  const id = randomUUID()
  const base = createTestContext(harness, 'beacon')
  const config = { ...base.program.config, linkActivationHours: 0, enrollmentType: 'sso' as const, maximumCards: 5 }
  // An address of its own, because joins are limited for each.
  const address = `10.${[0, 2, 4].map((at) => Number.parseInt(id.slice(at, at + 2), 16)).join('.')}`
  const ctx: Ctx = { ...base, address, program: { ...base.program, config, theme: plainTheme }, now: () => new Date() }
  const { db } = ctx
  const merchant = await addMerchant(db)
  const tokens = new Map<string, string>()
  const vault = {
    exchange: async ({ encryptedCardNumber: name }) => {
      const token = tokens.get(name) ?? `${name}-${randomUUID()}`
      tokens.set(name, token)
      const key = `${id}-${name}`
      const shown = { cardType: 'VISA' as const, lastFour: '4242', expires: '2035-12' }
      return { card: { token, fingerprint: key, homeKey: key, ...shown } }
    },
    deleteCards: async ({ tokens: deleted }) => {
      for (const [name, token] of tokens) if (deleted.includes(token)) tokens.delete(name)
    },
  } as Partial<CardVault> as CardVault
  let links = 0
  let moment = Date.now()
  const nextMoment = () => {
    moment = Math.max(Date.now(), moment + 1)
    return new Date(moment).toISOString()
  }

  async function as(memberId: number): Promise<MemberCtx> {
    const { idHash: sessionId } = await openSession(db)
    // As after a sign-in at the partner.
    await sql`update sessions set member_id = ${memberId}, id_token = 'token', authenticated_at = now()
      where id_hash = ${sessionId}`.execute(db)
    return { ...ctx, actor: { memberId, sessionId, csrfToken: null, operator: null } }
  }

  const emailOf = (name: string) => `${name}-${id}@example.com`

  /** Joins by single sign-on, with an address that the bank has verified or not, and returns the member. */
  async function join(
    name: string,
    partnerNumber = randomUUID().replaceAll('-', '').slice(0, 20),
    emailVerified = true,
  ): Promise<number> {
    const identity = {
      issuer: 'bank',
      subject: randomUUID(),
      email: emailOf(name),
      emailVerified,
      firstName: 'Ada',
      lastName: 'Lovelace',
    }
    const { memberId } = await inTransaction(db, (tx) => findOrCreateMemberByIdentity(tx, identity))
    const lockKey = ctx.returningKey
    const joining = { zipIsKnown: () => true, device: '', origin: 'http://localhost', lockKey, onJoined: settleMember }
    await joinProgram(await as(memberId), joinForm({ email: emailOf(name), partnerNumber }) as never, joining)
    return memberId
  }

  /** Links a card and returns the error code; undefined when it is linked. */
  async function link(memberId: number, card: string): Promise<string | undefined> {
    links++
    const deps = { vault, lockKey: Buffer.alloc(32, links % 250), returningKey: ctx.returningKey }
    const form = {
      creditCards: [{ encryptedCardNumber: card, lastFour: '4242', cardType: 'VISA' as const }],
      directFileFeedOptIn: true as const,
      moveHere: false,
      gRecaptchaResponse: '',
    }
    const member = await as(memberId)
    const { cardRegistration, tokens: linked } = await linkCards(member, deps, { form, idempotencyKey: randomUUID() })
    for (const token of linked) await completeLink(ctx, token)
    return cardRegistration[0]?.error?.code
  }

  async function unlink(memberId: number, card: string): Promise<void> {
    const row = await db
      .selectFrom('cards')
      .select('public_id')
      .where('member_id', '=', memberId)
      .where('fingerprint', '=', `${id}-${card}`)
      .where('removed_at', 'is', null)
      .executeTakeFirst()
    if (row) await removeCard(await as(memberId), { id: row.public_id })
  }

  const remove = async (memberId: number) =>
    deleteAccount(await as(memberId), { vault, reservations: {} as never }, 'privacy.delete_word')

  const send = (event: 'auth' | 'clearing' | 'refund', transaction: object) => {
    const location = { id: merchant.locationId }
    return receiveEvent(ctx, feedEvent(`transaction.${event}`, { programId: 'beacon', location, ...transaction }))
  }

  /** Pays a meal with a card, and returns its id; `over` overrides what the network reports of it. */
  async function dine(
    card: string,
    cents: number,
    over: { id?: string; originalTransactionId?: string; location?: { id: string } } = {},
  ) {
    const [network, at] = [over.id ?? randomUUID(), nextMoment()]
    const token = tokens.get(card) ?? 'no such card'
    const paid = { amount: (cents / 100).toFixed(2), datetime: at, updated: at }
    await send('clearing', { id: network, card: { id: token, lastNumbers: '4242' }, ...paid, ...over })
    return network
  }

  /** Authorizes a meal that clears later. */
  async function authorize(card: string, cents: number) {
    const at = nextMoment()
    const token = tokens.get(card) ?? 'no such card'
    const meal = {
      id: randomUUID(),
      amount: (cents / 100).toFixed(2),
      datetime: at,
      card: { id: token, lastNumbers: '4242' },
    }
    await send('auth', { ...meal, updated: at })
    return meal
  }

  const clear = (meal: Awaited<ReturnType<typeof authorize>>) => send('clearing', { ...meal, updated: nextMoment() })

  /** Refunds part of a meal; 0 corrects the refund. */
  const refund = (meal: string, cents: number) => {
    const at = nextMoment()
    const paid = { amount: (-cents / 100).toFixed(2), datetime: at, updated: at }
    const card = { id: 'any', lastNumbers: '4242' }
    return send('refund', { id: `${meal}-refund`, originalTransactionId: meal, card, ...paid })
  }

  /** Executes open credits: `completed` pays them, `rejected` returns them to the balance. */
  async function execute(status: 'completed' | 'rejected'): Promise<void> {
    const answer = status === 'completed' ? ({ outcome: status } as const) : { outcome: status, reason: 'a test' }
    const processor: CreditProcessor = { ...ownProcessor, submit: async () => answer, check: async () => answer }
    const errors = await runJobs(harness.url, 'statement-credits', (job) => executeCredit(ctx, processor, job))
    if (errors.length > 0) throw errors[0]
  }

  const mine = sql`select id from members where email like ${`%${id}@example.com`} or id in (
    select member_id from transactions where merchant_id = ${merchant.id})`

  /** Returns sums over all accounts of this world, in cents. */
  async function totals() {
    const { rows } = await sql<{ earned: number; paid: number; balances: number; owed: number; openDebt: number }>`
      select
        (select coalesce(sum(benefit), 0)::bigint from transactions
          where merchant_id = ${merchant.id} and member_id is not null and award_status in ('Awarded', 'Paid')) as earned,
        (select coalesce(sum(amount_cents), 0)::bigint from statement_credits
          where member_id in (${mine}) and status not in ('rejected', 'error')) as paid,
        (select coalesce(sum(amount), 0)::bigint from postings where member_id in (${mine})) as balances,
        (select coalesce(-sum(balance), 0)::bigint from (
          select sum(amount) as balance from postings where member_id in (${mine}) group by member_id) b
          where balance < 0) as owed,
        (select coalesce(sum(open_amount), 0)::bigint from debts where member_id in (${mine})) as "openDebt"`.execute(
      db,
    )
    return rows[0] as { earned: number; paid: number; balances: number; owed: number; openDebt: number }
  }

  /** Returns the credits that were ordered, the newest last. */
  async function listOrders() {
    const { rows } = await sql<{ id: number; memberId: number; cents: number }>`
      select id, member_id as "memberId", amount_cents as cents from statement_credits where member_id in (${mine}) order by id`.execute(
      db,
    )
    return rows
  }

  /** Returns whether a card is linked in an account. */
  async function hasCard(memberId: number, card: string): Promise<boolean> {
    const linked = db.selectFrom('cards').select('id').where('fingerprint', '=', `${id}-${card}`)
    const row = await linked.where('member_id', '=', memberId).where('removed_at', 'is', null).executeTakeFirst()
    return row !== undefined
  }

  const balance = async (memberId: number) => {
    const { rows } = await sql<{ sum: number }>`
      select coalesce(sum(amount), 0)::bigint as sum from postings where member_id = ${memberId}`.execute(db)
    return rows[0]?.sum ?? 0
  }

  return {
    ctx,
    merchantId: merchant.id,
    locationId: merchant.locationId,
    tokenOf: (card: string) => tokens.get(card) ?? 'no such card',
    emailOf,
    as,
    join,
    link,
    unlink,
    remove,
    dine,
    authorize,
    clear,
    refund,
    execute,
    totals,
    listOrders,
    hasCard,
    balance,
    carry: () => carryOpenDebts(ctx),
  }
}
