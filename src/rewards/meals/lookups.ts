import { type RawBuilder, sql } from 'kysely'
import type { Db, Tx } from '../../kit/server/db.ts'
import type { Standing } from '../../members/service.ts'
import type { TierLevel } from '../../partners/contract.ts'
import type { MerchantTerms, Offer } from '../terms.ts'

export interface LinkedCard {
  id: number
  memberId: number
  linkedAt: Date
  removedAt: Date | null
}

/** Every linking of the cards with these tokens, removed ones too: the same card may be linked again. */
export async function cardsByToken(tx: Tx, tokens: readonly string[]): Promise<Map<string, LinkedCard[]>> {
  const rows = await tx
    .selectFrom('cards')
    .select(['id', 'token', 'member_id as memberId', 'linked_at as linkedAt', 'removed_at as removedAt'])
    .where('partner_id', '=', sql<string>`current_partner()`)
    .where('token', '=', sql<string>`any(${tokens})`)
    .execute()
  return Map.groupBy(rows, ({ token }) => token)
}

/** The members to whom these cards belong or these meals have been given, as an array in SQL. */
export function holdersOf(tokens: readonly string[], networkIds: readonly string[]): RawBuilder<number[]> {
  return sql<number[]>`array(
    select member_id from cards where partner_id = current_partner() and token = any(${tokens})
    union
    select member_id from transactions where partner_id = current_partner() and network_id = any(${networkIds})
  )`
}

/**
 * The linking that a meal belongs to: the one in force when it was paid, else the first one made after it (which
 * earns nothing, and the member is told why). A card that was removed before the meal belongs to nobody.
 */
export function cardOfMeal(cards: readonly LinkedCard[], dinedAt: Date): LinkedCard | undefined {
  const inOrder = cards.toSorted((a, b) => a.linkedAt.getTime() - b.linkedAt.getTime() || a.id - b.id)
  const inForce = inOrder.findLast((card) => card.linkedAt <= dinedAt && (!card.removedAt || dinedAt < card.removedAt))
  return inForce ?? inOrder.find((card) => card.linkedAt > dinedAt)
}

/** What a member was before, and until when. */
export interface FormerTier {
  tier: TierLevel
  until: Date
}

/** Former tiers of members, the oldest first. */
export async function formerTiers(
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

/** The tier of a member at a moment: what it was then, what it is, or what it is known to become. */
export function tierOf(member: Standing, former: readonly FormerTier[], at: Date): TierLevel {
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

/** A restaurant as a network knows it by one of its ids, and on which days. */
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

/** The restaurants behind ids of the network; an id may have passed from one to another. */
export async function merchantsByNetworkId(
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
      found.map(({ since, until, ...row }) => ({ id: row.id, name: row.name, since, until, terms: termsOf(row) })),
    ]),
  )
}

/**
 * The restaurant that an id meant on a day, else the last one that it meant before (whose meal then came through an
 * id that no longer holds). Undefined where it never meant any by then.
 */
export function merchantOfDay(found: readonly NetworkMerchant[], date: string): NetworkMerchant | undefined {
  const known = found.filter(({ since }) => since <= date)
  const inForce = known.findLast(({ until }) => until === null || date < until)
  if (inForce) return inForce
  const last = known.at(-1)
  return last?.until == null ? undefined : { ...last, terms: { ...last.terms, idUntil: last.until } }
}

/** The terms of one restaurant by its page. */
export async function readTerms(
  db: Db | Tx,
  publicId: string,
): Promise<{ id: number; name: string; terms: MerchantTerms } | undefined> {
  const { rows } = await sql<MerchantRow>`
    select ${merchantColumns} from merchants m where m.public_id = ${publicId}`.execute(db)
  const [row] = rows
  return row && { id: row.id, name: row.name, terms: termsOf(row) }
}

/** The terms of restaurants as they are kept now. */
export async function readTermsOf(tx: Tx, ids: readonly number[]): Promise<Map<number, MerchantTerms>> {
  const { rows } = await sql<MerchantRow>`
    select ${merchantColumns} from merchants m where m.id = any(${ids})`.execute(tx)
  return new Map(rows.map((row) => [row.id, termsOf(row)]))
}

function termsOf({ timeZone, participating, joinedOn, leftOn, acclaimedLevel, offers }: MerchantRow): MerchantTerms {
  return { timeZone, participating, joinedOn, leftOn, acclaimedLevel, offers: offers.map(offerOf) }
}

// What an offer does not limit is left out: these terms are kept with every meal.
function offerOf(row: OfferRow): Offer {
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

/** Which of these names, in lower case, are names of restaurants that take part. */
export async function knownNames(tx: Tx, names: readonly string[]): Promise<Set<string>> {
  if (names.length === 0) return new Set()
  const { rows } = await sql<{ name: string }>`
    select distinct lower(name) as name from merchants
    where participating and lower(name) = any(${names})`.execute(tx)
  return new Set(rows.map(({ name }) => name))
}
