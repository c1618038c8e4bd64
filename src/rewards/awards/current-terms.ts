import { sql } from 'kysely'
import type { Db, Tx } from '../../platform/database/db.ts'
import { dayIn } from '../../platform/time.ts'
import type { ProgramConfig } from '../../programs/partners/contract.ts'
import { reviewDays } from '../earning/explain.ts'
import type { MerchantTerms, Offer, ProgramTerms } from '../earning/terms.ts'

/** Returns the terms of a program's configuration for a transaction on a local day, `YYYY-MM-DD`. */
export function programTerms(config: ProgramConfig, date: string): ProgramTerms {
  const { currencyType, linkActivationHours, acclaimed2Enabled } = config
  const leavesOut = [...(config.countsTip ? [] : ['tip' as const]), ...(config.countsTax ? [] : ['tax' as const])]
  return {
    currencyType,
    ...ratesOf(config, date),
    linkActivationHours,
    gatesAccess: acclaimed2Enabled,
    ...(config.awardsNeedReview && { reviewWithinDays: reviewDays }),
    ...(config.minimumSpendCents > 0 && { minimumCents: config.minimumSpendCents }),
    ...(leavesOut.length > 0 && { leavesOut }),
    ...(config.excludesPinDebit && { excludesPinDebit: true }),
    ...(config.deferDays > 0 && { deferDays: config.deferDays }),
    ...(config.maxRewardPerMeal !== undefined && { maxRewardPerMeal: config.maxRewardPerMeal }),
    ...(config.settlement && { settlement: config.settlement }),
  }
}

/** Returns the rates of a day: the current ones, or former ones that were valid then. */
function ratesOf(config: ProgramConfig, date: string): Pick<ProgramTerms, 'earnRates' | 'earnStepCents'> {
  const { earnRates, earnStepCents } = config
  const former = config.formerRates.toSorted((a, b) => (a.until < b.until ? -1 : 1)).find(({ until }) => date <= until)
  return former
    ? { earnRates: former.earnRates, earnStepCents: former.earnStepCents ?? earnStepCents }
    : { earnRates, earnStepCents }
}

/** A restaurant under one of its network ids, and its local days on which the id is valid. */
export interface NetworkMerchant {
  id: number
  name: string
  since: string
  /** The moment of that day from which it has the id; null where the day counts whole. */
  sinceAt: Date | null
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
  leftAt: string | null
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
  m.left_on as "leftOn", to_char(m.left_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') as "leftAt", m.acclaimed_level as "acclaimedLevel",
  coalesce((select json_agg(o order by o.id) from merchant_offers o where o.merchant_id = m.id), '[]') as offers`

/** Returns the restaurants behind network ids; an id may pass from one restaurant to another. */
export async function findMerchantsByNetworkId(
  tx: Db | Tx,
  networkIds: readonly string[],
): Promise<Map<string, NetworkMerchant[]>> {
  const { rows } = await sql<
    MerchantRow & Pick<NetworkMerchant, 'since' | 'sinceAt' | 'until'> & { networkId: string }
  >`
    select n.network_id as "networkId", n.since, n.since_at as "sinceAt", n.until, ${merchantColumns}
    from merchant_network_ids n join merchants m on m.id = n.merchant_id
    where n.network_id = any(${networkIds}) order by n.since, n.since_at nulls first, m.id`.execute(tx)
  return new Map(
    [...Map.groupBy(rows, ({ networkId }) => networkId)].map(([networkId, found]) => [
      networkId,
      found.map(({ since, sinceAt, until, ...row }) => ({
        id: row.id,
        name: row.name,
        since,
        sinceAt,
        until,
        terms: toMerchantTerms(row),
      })),
    ]),
  )
}

/**
 * Returns the restaurant that had an id at a moment, else the last one before it (its transaction then used an expired
 * id). Undefined when the id had no restaurant by that day. `instantIn` returns the moment for a time zone, because some
 * networks report the local time. On the day on which a restaurant changes its id, transactions with either id count;
 * on the day on which an id passes to another restaurant, the moment of the change decides.
 */
export function merchantAt(
  found: readonly NetworkMerchant[],
  instantIn: (timeZone: string) => Date,
): NetworkMerchant | undefined {
  const known = found
    .map((merchant) => ({ merchant, at: instantIn(merchant.terms.timeZone) }))
    .map(({ merchant, at }) => ({ merchant, at, date: dayIn(at, merchant.terms.timeZone) }))
    .filter(({ merchant, date }) => merchant.since <= date)
  const active = known.filter(({ merchant: { until }, date }) => until === null || date < until)
  const holder = active.findLast(({ merchant: { sinceAt }, at }) => sinceAt === null || sinceAt <= at) ?? active[0]
  if (holder) return holder.merchant
  const last = known.at(-1)?.merchant
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
  leftAt,
  acclaimedLevel,
  offers,
}: MerchantRow): MerchantTerms {
  return {
    timeZone,
    participating,
    joinedOn,
    leftOn,
    ...(leftAt !== null && { leftAt }),
    acclaimedLevel,
    offers: offers.map(toOffer),
  }
}

// Unset limits are left out: these terms are stored with every transaction.
function toOffer(row: OfferRow): Offer {
  const { from_time: from, until_time: until } = row
  return {
    id: row.id,
    type: row.type,
    days: row.days,
    ...(from !== null && until !== null && { hours: { from, until }, ...(from > until && { isNight: true }) }),
    startsOn: row.starts_on,
    endsOn: row.ends_on,
    ...(row.min_spend_cents > 0 && { minSpendCents: row.min_spend_cents }),
    maxSpendCents: row.max_spend_cents,
    maxVisitsPerMonth: row.max_visits_per_month,
    ...(row.max_monthly_spend_cents !== null && { maxMonthlySpendCents: row.max_monthly_spend_cents }),
    ratePercent: row.rate_percent,
  }
}
