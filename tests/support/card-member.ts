import { sql } from 'kysely'
import { expect } from 'vitest'
import type { TestApp } from './app.ts'
import { linkCard, newMember, type TestMember } from './members.ts'
import { addMerchant } from './rewards-harness.ts'

export interface CardMember extends TestMember {
  memberId: number
  lastFour: string
  /** The card number. */
  number: string
  /** A participating restaurant; `dine` uses it. */
  merchant: { id: number; slug: string }
  /** Sends a signed event of the card network; returns the network's id of the transaction. */
  sendTransaction(
    event: 'auth' | 'clearing' | 'refund',
    amount: string,
    transactionId?: string,
    lastFour?: string,
  ): Promise<string>
  /** Returns the member's transactions as the account shows them, newest first. */
  // biome-ignore lint/suspicious/noExplicitAny: tests look into entries of every shape
  listTransactions(): Promise<any[]>
}

/** Creates a member with a card that earns already, and a restaurant. */
export async function createCardMember(
  app: TestApp,
  partner = 'skyharbor',
  over: Record<string, unknown> = {},
  cardToLink?: string,
): Promise<CardMember> {
  const holder = await newMember(app, partner, over)
  const { number } = await linkCard(app, holder, cardToLink)
  const db = app.database.pools.forPartner(partner)
  const { visitor, publicId } = holder
  await sql`update cards set linked_at = linked_at - interval '400 days'
    where member_id = (select id from members where public_id = ${publicId})`.execute(db)
  const { id } = await addMerchant(db)
  const { rows } = await sql<{ slug: string; memberId: number }>`
    select public_id as slug, (select id from members where public_id = ${publicId}) as "memberId"
    from merchants where id = ${id}`.execute(db)
  const { slug, memberId } = rows[0] as { slug: string; memberId: number }
  const credit = partner === 'beacon'
  const member: CardMember = {
    ...holder,
    memberId,
    lastFour: number.slice(-4),
    number,
    merchant: { id, slug },
    async sendTransaction(event, amount, transactionId, lastFour = number.slice(-4)) {
      const { cards } = (await visitor.get('/api/staging/cards')).json()
      const card = cards.find((each: { lastFour: string }) => each.lastFour === lastFour)
      const body = {
        cardId: card.id,
        merchantId: member.merchant.slug,
        amount,
        event,
        ...(transactionId && { transactionId }),
      }
      const sent = await visitor.change('POST', '/api/staging/dine', body)
      expect(sent.status).toBe(200)
      return sent.json().transactionId
    },
    async listTransactions() {
      const path = credit ? 'TransactionsStatementCredits' : 'Transactions'
      return (await visitor.get(`/api/Member/${path}`)).json().data
    },
  }
  return member
}
