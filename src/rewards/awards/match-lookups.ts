import { type RawBuilder, sql } from 'kysely'
import type { MemberEligibility } from '../../identity/members/service.ts'
import type { Db, Tx } from '../../platform/database/db.ts'
import type { TierLevel } from '../../programs/partners/contract.ts'
import type { MerchantTerms, Offer } from '../earning/terms.ts'

export interface LinkedCard {
  id: number
  memberId: number
  linkedAt: Date
  removedAt: Date | null
}

/** Returns every link of the cards with these tokens, including removed ones: a card may be linked again. */
export async function findCardsByToken(tx: Tx, tokens: readonly string[]): Promise<Map<string, LinkedCard[]>> {
  const rows = await tx
    .selectFrom('cards')
    .select(['id', 'token', 'member_id as memberId', 'linked_at as linkedAt', 'removed_at as removedAt'])
    .where('partner_id', '=', sql<string>`current_partner()`)
    .where('token', '=', sql<string>`any(${tokens})`)
    .execute()
  return Map.groupBy(rows, ({ token }) => token)
}

/** Returns an SQL array of the members who have these cards or these transactions. */
export function matchedMemberIds(tokens: readonly string[], networkIds: readonly string[]): RawBuilder<number[]> {
  return sql<number[]>`array(
    select member_id from cards where partner_id = current_partner() and token = any(${tokens})
    union
    select member_id from transactions where partner_id = current_partner() and network_id = any(${networkIds})
  )`
}

/**
 * Returns the link that a transaction belongs to: the one active at the time of payment, else the first later one
 * (which earns nothing, and the member is notified why). A card removed before the transaction has no member.
 */
export function cardAt(cards: readonly LinkedCard[], dinedAt: Date): LinkedCard | undefined {
  const inOrder = cards.toSorted((a, b) => a.linkedAt.getTime() - b.linkedAt.getTime() || a.id - b.id)
  const active = inOrder.findLast((card) => card.linkedAt <= dinedAt && (!card.removedAt || dinedAt < card.removedAt))
  return active ?? inOrder.find((card) => card.linkedAt > dinedAt)
}

/** A member's former tier and its end. */
export interface FormerTier {
  tier: TierLevel
  until: Date
}

/** Returns former tiers of members, the oldest first. */
export async function findFormerTiers(
  tx: Db | Tx,
  memberIds: readonly number[] | RawBuilder<number[]>,
): Promise<Map<number, FormerTier[]>> {
  const rows = await tx
    .selectFrom('member_tiers')
    .select(['member_id', 'tier_level', 'until'])
    .where('member_id', '=', sql<number>`any(${memberIds})`)
    .orderBy('until')
    .orderBy('id')
    .execute()
  return new Map(
    [...Map.groupBy(rows, (row) => row.member_id)].map(([memberId, tiers]) => [
      memberId,
      tiers.map(({ tier_level, until }) => ({ tier: tier_level as TierLevel, until })),
    ]),
  )
}

/** Returns a member's tier at a moment: former, current, or scheduled by the VIP dates. */
export function tierAt(member: MemberEligibility, former: readonly FormerTier[], at: Date): TierLevel {
  const past = former.find(({ until }) => at < until)
  if (past) return past.tier
  const { vip_from: from, vip_until: until } = member
  const current = member.tier_level as TierLevel
  const day = at.toISOString().slice(0, 10)
  const isBelow = current === 'OptedIn' || current === 'OptedOut'
  if (isBelow && from !== null && until !== null && from <= day && day <= until) return 'VIP'
  if (current !== 'VIP' || until === null || until >= day) return current
  return member.email_opt_in ? 'OptedIn' : 'OptedOut'
}

/** A restaurant under one of its network ids, and the days on which the id is valid. */
export interface NetworkMerchant {
  id: number
  name: string
  since: string
  until: string | null
  terms: MerchantTerms
}

interface MerchantRow {
  id: number
  name: string
  timeZone: string
  participating: boolean
  joinedOn: string
  leftOn: string | null
  acclaimedLevel: number
  offers: OfferRow[]
}

interface OfferRow {
  id: number
  type: Offer['type']
  days: number[]
  starts_on: string
  ends_on: string | null
  from_time: string | null
  until_time: string | null
  min_spend_cents: number
  max_spend_cents: number | null
  max_monthly_spend_cents: number | null
  max_visits_per_month: number | null
  rate_percent: number
}

const merchantColumns = sql`m.id, m.name, m.time_zone as "timeZone", m.participating, m.joined_on as "joinedOn",
  m.left_on as "leftOn", m.acclaimed_level as "acclaimedLevel",
  coalesce((select json_agg(o order by o.id) from merchant_offers o where o.merchant_id = m.id), '[]') as offers`

/** Returns the restaurants behind network ids; an id may pass from one restaurant to another. */
export async function findMerchantsByNetworkId(
  tx: Tx,
  networkIds: readonly string[],
): Promise<Map<string, NetworkMerchant[]>> {
  const { rows } = await sql<MerchantRow & { networkId: string; since: string; until: string | null }>`
    select n.network_id as "networkId", n.since, n.until, ${merchantColumns}
    from merchant_network_ids n join merchants m on m.id = n.merchant_id
    where n.network_id = any(${networkIds}) order by n.since, m.id`.execute(tx)
  return new Map(
    [...Map.groupBy(rows, ({ networkId }) => networkId)].map(([networkId, found]) => [
      networkId,
      found.map(({ since, until, ...row }) => ({
        id: row.id,
        name: row.name,
        since,
        until,
        terms: toMerchantTerms(row),
      })),
    ]),
  )
}

/**
 * Returns the restaurant of an id on a day, else the last one before it (its transaction then used an expired id).
 * Undefined when the id had no restaurant by that day.
 */
export function merchantOnDay(found: readonly NetworkMerchant[], date: string): NetworkMerchant | undefined {
  const known = found.filter(({ since }) => since <= date)
  const active = known.findLast(({ until }) => until === null || date < until)
  if (active) return active
  const last = known.at(-1)
  return last?.until == null ? undefined : { ...last, terms: { ...last.terms, idUntil: last.until } }
}

/** Returns the terms of one restaurant by public id. */
export async function getMerchantTerms(
  db: Db | Tx,
  publicId: string,
): Promise<{ id: number; name: string; terms: MerchantTerms } | undefined> {
  const { rows } = await sql<MerchantRow>`
    select ${merchantColumns} from merchants m where m.public_id = ${publicId}`.execute(db)
  const [row] = rows
  return row && { id: row.id, name: row.name, terms: toMerchantTerms(row) }
}

/** Returns the current terms of restaurants. */
export async function listMerchantTerms(tx: Tx, ids: readonly number[]): Promise<Map<number, MerchantTerms>> {
  const { rows } = await sql<MerchantRow>`
    select ${merchantColumns} from merchants m where m.id = any(${ids})`.execute(tx)
  return new Map(rows.map((row) => [row.id, toMerchantTerms(row)]))
}

function toMerchantTerms({
  timeZone,
  participating,
  joinedOn,
  leftOn,
  acclaimedLevel,
  offers,
}: MerchantRow): MerchantTerms {
  return { timeZone, participating, joinedOn, leftOn, acclaimedLevel, offers: offers.map(toOffer) }
}

// Unset limits are left out: these terms are stored with every transaction.
function toOffer(row: OfferRow): Offer {
  const { from_time: from, until_time: until } = row
  return {
    id: row.id,
    type: row.type,
    days: row.days,
    ...(from !== null && until !== null && { hours: { from, until } }),
    startsOn: row.starts_on,
    endsOn: row.ends_on,
    ...(row.min_spend_cents > 0 && { minSpendCents: row.min_spend_cents }),
    maxSpendCents: row.max_spend_cents,
    maxVisitsPerMonth: row.max_visits_per_month,
    ...(row.max_monthly_spend_cents !== null && { maxMonthlySpendCents: row.max_monthly_spend_cents }),
    ratePercent: row.rate_percent,
  }
}

/** Returns which of these names, in lower case, belong to participating restaurants. */
export async function findParticipatingNames(tx: Tx, names: readonly string[]): Promise<Set<string>> {
  if (names.length === 0) return new Set()
  const { rows } = await sql<{ name: string }>`
    select distinct lower(name) as name from merchants
    where participating and lower(name) = any(${names})`.execute(tx)
  return new Set(rows.map(({ name }) => name))
}
