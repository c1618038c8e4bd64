import { queryAsOwner } from './owner.ts'

// Rows of members that would otherwise take weeks, for tests with and without a browser. `url` is the connection string
// of the owner.

/** Inserts a card that earns already into a member's account. */
export async function insertCardRow(url: string, email: string): Promise<void> {
  await queryAsOwner(
    url,
    `with member as (
       update members set member_type = 'EnrolledCardMember', active = true where email = $1 returning id, partner_id)
     insert into cards (partner_id, public_id, member_id, token, fingerprint, card_type, description, last_four, linked_at)
     select partner_id, gen_random_uuid(), id, gen_random_uuid(), gen_random_uuid(), 'VISA', 'Visa', '4242',
       now() - interval '400 days' from member`,
    [email],
  )
}

export interface TransactionSeed {
  merchantName: string
  /** Days ago. */
  ago?: number
  type?: string
  status?: string
  cleared?: boolean
  cents?: number
  /** Refunded amount. */
  refunded?: number
  benefit?: number
  /** The reason code. */
  code?: string
  unit?: string
  paid?: boolean
  /** A restaurant of the database, by its page. */
  merchantId?: string
}

/** Inserts transactions into a member's activity, in states that would otherwise take weeks. */
export async function insertTransactionRows(
  url: string,
  email: string,
  transactions: readonly TransactionSeed[],
): Promise<void> {
  for (const transaction of transactions) {
    await queryAsOwner(
      url,
      `insert into transactions (partner_id, public_id, network_id, member_id, merchant_id, merchant_name,
         network_location_id, card_last_four, type_code, stage, award_status, ticket_cents, cleared_cents, refunded_cents, benefit,
         unit, reason, occurred_at, cleared_at, paid_at)
       select partner_id, gen_random_uuid(), gen_random_uuid(), id, (select id from merchants where public_id = $11), $2,
         '', '4242', $3, case when $4 then 'cleared' else 'authorized' end, $5, $6::bigint, case when $4 then $6::bigint else 0 end, $13, $7, $8,
         jsonb_build_object('code', $12::text, 'rule', 1), now() - make_interval(hours => $9), case when $4 then now() end,
         case when $10 then now() end
       from members where email = $1`,
      [
        email,
        transaction.merchantName,
        transaction.type ?? 'S',
        transaction.cleared ?? true,
        transaction.status ?? 'Awarded',
        transaction.cents ?? 42_10,
        transaction.benefit ?? 126,
        transaction.unit ?? 'mile',
        Math.round((transaction.ago ?? 1) * 24),
        transaction.paid ?? false,
        transaction.merchantId ?? null,
        transaction.code ?? 'sample',
        transaction.refunded ?? 0,
      ],
    )
  }
}
