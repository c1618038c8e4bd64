import { sql } from 'kysely'
import type { Tx } from '../../platform/database/db.ts'
import { DAY } from '../../platform/time.ts'
import { ruleVersion } from '../earning/rules.ts'
import { reconcilePostings } from '../ledger/entries.ts'
import type { TransactionDecision } from './decide.ts'
import type { TransactionFields } from './store.ts'

/** A manual credit for a claim. */
export interface ClaimCredit {
  id: number
  networkId: string
  memberId: number
  merchantId: number | null
  merchantName: string
  /** Noon UTC of the day that the member named. */
  dinedAt: Date
  cents: number
}

/** Returns the claim credits of these members that are still posted. */
export async function listClaimCredits(tx: Tx, memberIds: readonly number[]): Promise<ClaimCredit[]> {
  if (memberIds.length === 0) return []
  const { rows } = await sql<ClaimCredit>`
    select id, network_id as "networkId", member_id as "memberId", merchant_id as "merchantId",
      merchant_name as "merchantName", occurred_at as "dinedAt", ticket_cents as cents
    from transactions
    where member_id = any(${memberIds}) and type_code = 'M' and benefit > 0 and network_id like 'manual:claim:%'
    order by id`.execute(tx)
  return rows
}

type CreditableTransaction = Pick<
  TransactionFields,
  'member_id' | 'merchant_id' | 'merchant_name' | 'occurred_at' | 'ticket_cents' | 'cleared_cents'
>

/** Returns whether an amount is the one that a member named, within a tip: 70 % to 140 % of it. */
export function isSameWithinTip(cents: number, namedCents: number): boolean {
  // Whole numbers: 1.4 * 45 is less than 63.
  return 10 * cents >= 7 * namedCents && 10 * cents <= 14 * namedCents
}

/**
 * Returns whether a transaction is the one that was credited: the same restaurant, the same or the adjacent day in UTC,
 * and the same amount within a tip (the rule for matches shown to operators).
 */
export function isCredited(transaction: CreditableTransaction, credit: Omit<ClaimCredit, 'id' | 'networkId'>): boolean {
  const isSameMerchant =
    credit.merchantId === null
      ? transaction.merchant_name.toLowerCase() === credit.merchantName.toLowerCase()
      : transaction.merchant_id === credit.merchantId
  const cents = Math.max(transaction.ticket_cents, transaction.cleared_cents)
  return (
    transaction.member_id === credit.memberId &&
    isSameMerchant &&
    Math.abs(transaction.occurred_at.getTime() - credit.dinedAt.getTime()) <= 1.5 * DAY &&
    isSameWithinTip(cents, credit.cents)
  )
}

/**
 * Reverses the credits whose transactions have arrived: a transaction is rewarded once. A later refund does not restore
 * the credit. The caller holds the locks of the members.
 */
export async function replaceCredits(
  tx: Tx,
  posted: readonly TransactionDecision[],
  credits: readonly ClaimCredit[],
): Promise<void> {
  const open = [...credits]
  for (const { fields } of posted) {
    const at = open.findIndex((credit) => isCredited(fields, credit))
    const [credit] = at === -1 ? [] : open.splice(at, 1)
    if (!credit) continue
    const reason = { code: 'replacedByTransaction', rule: ruleVersion, transaction: fields.network_id }
    await reconcilePostings(tx, [{ sourceId: credit.networkId, postings: [], reason, isNew: false }])
    await sql`update transactions set benefit = 0, award_status = 'Forfeit', reason = ${JSON.stringify(reason)}::jsonb,
      updated_at = now() where id = ${credit.id}`.execute(tx)
  }
}

/** Returns whether the transaction of a claim was first posted after a moment. */
export async function hasArrivedSince(
  tx: Tx,
  credit: Omit<ClaimCredit, 'id' | 'networkId'>,
  since: Date,
): Promise<boolean> {
  const { rows } = await sql<CreditableTransaction>`
    select t.* from transactions t
    where t.member_id = ${credit.memberId} and t.type_code = 'S'
      and t.award_status in ('Awarded', 'Paid')
      and t.occurred_at between ${credit.dinedAt}::timestamptz - interval '2 days' and ${credit.dinedAt}::timestamptz + interval '2 days'
      and (select min(j.posted_at) from journal_entries j
        where j.partner_id = t.partner_id and j.source = 'transaction' and j.source_id = t.network_id) >= ${since}`.execute(
    tx,
  )
  return rows.some((transaction) => isCredited(transaction, credit))
}
