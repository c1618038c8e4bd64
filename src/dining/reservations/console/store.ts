import { type RawBuilder, sql } from 'kysely'
import { isNamed } from '../../../identity/members/service.ts'
import type { Db, Tx } from '../../../platform/database/db.ts'
import { listPage, type Order, type PageRequest } from '../../../platform/database/keyset.ts'
import { isRestaurantMeant } from '../../merchants/service.ts'

const byTime: Order = { by: sql`v.starts_at`, type: 'timestamptz', id: sql`v.id`, direction: 'desc' }

export interface ListedRow {
  rowId: number
  id: string
  memberRowId: number
  merchantRowId: number
  startsAt: Date
  date: string
  time: string
  partySize: number
  merchantName: string
  merchantId: string
  /** With the state: `Chicago, IL`. */
  city: string
  memberName: string
  memberId: string
  status: string
  noShowAt: Date | null
  confirmation: string | null
  bonus: { amount: number } | null
  bonusEarned: boolean
  provider: string
  createdAt: Date
  agreedAt: Date
}

export interface ReservationFilter {
  from?: string | undefined
  to?: string | undefined
  restaurant?: string | undefined
  member?: string | undefined
  state: string
}

const columns = sql`v.id as "rowId", v.public_id as id, v.member_id as "memberRowId", v.merchant_id as "merchantRowId",
  v.starts_at as "startsAt", v.local_date as date, v.local_time as time, v.party_size as "partySize",
  r.name as "merchantName", r.public_id as "merchantId",
  concat_ws(', ', nullif(r.city, ''), nullif(r.state, '')) as city, trim(m.first_name || ' ' || m.last_name) as "memberName", m.public_id as "memberId",
  v.status, v.no_show_at as "noShowAt", v.confirmation, v.bonus, v.provider, v.created_at as "createdAt",
  v.agreed_at as "agreedAt",
  exists (select from transactions t where t.partner_id = v.partner_id
    and t.network_id = 'reservation:' || v.public_id and t.benefit > 0) as "bonusEarned"`
const joins = sql`join merchants r on r.id = v.merchant_id join members m on m.id = v.member_id`

/** Returns the condition of a filter; days are those of the program. */
function conditionsOf({ from, to, restaurant, member, state }: ReservationFilter, timeZone: string) {
  const parts: RawBuilder<unknown>[] = [sql`v.partner_id = current_partner()`]
  if (from !== undefined) parts.push(sql`v.starts_at >= ${from}::date::timestamp at time zone ${timeZone}`)
  if (to !== undefined) parts.push(sql`v.starts_at < (${to}::date + 1)::timestamp at time zone ${timeZone}`)
  if (restaurant !== undefined) parts.push(isRestaurantMeant(sql`v.merchant_id`, restaurant))
  if (member !== undefined) parts.push(isNamed(sql`v.member_id`, member))
  if (state === 'noShow') parts.push(sql`v.no_show_at is not null`)
  else if (state === 'booked') parts.push(sql`v.status = 'booked' and v.no_show_at is null`)
  else if (state !== 'any') parts.push(sql`v.status = ${state}`)
  return sql.join(parts, sql` and `)
}

/** Returns one page of reservations, and how many there are. */
export const listReservations = (
  db: Db,
  { cursor, limit, ...filter }: ReservationFilter & PageRequest,
  timeZone: string,
) =>
  listPage<ListedRow>(
    db,
    { columns, from: sql`reservations v`, joins, where: conditionsOf(filter, timeZone), order: byTime },
    { cursor, limit },
  )

export async function findReservation(db: Db | Tx, id: string): Promise<ListedRow | undefined> {
  const { rows } = await sql<ListedRow>`
    select ${columns} from reservations v ${joins} where v.public_id = ${id}`.execute(db)
  return rows[0]
}

/** Returns what happened to a reservation: business events of the program, and acts of operators. */
export async function listHistory(
  db: Db,
  { id, memberRowId }: ListedRow,
): Promise<{ at: Date; action: string; by: string | null; reason: string }[]> {
  const { rows } = await sql<{ at: Date; action: string; by: string | null; reason: string }>`
    select at, action, case when actor like 'operator:%' then substr(actor, strpos(actor, ' ') + 1) end as by, '' as reason
    from audit_entries where member_id = ${memberRowId} and action like 'reservation.%' and detail ->> 'reservation' = ${id}
    union all
    select at, action, operator_name, reason from console.acts
    where object_type = 'reservation' and object_id = ${id} and partner_id = current_partner() and status < 400
      and action <> 'getReservation'
    order by at limit 200`.execute(db)
  return rows
}

export interface MessageRow {
  at: Date
  request: 'book' | 'cancel'
  outcome: string
  confirmation: string | null
}

export async function listMessages(db: Db, reservationId: number): Promise<MessageRow[]> {
  const { rows } = await sql<MessageRow>`
    select sent_at as at, request, outcome, confirmation from reservation_messages
    where reservation_id = ${reservationId} order by id limit 200`.execute(db)
  return rows
}

/** Marks a booked reservation as a no-show, or no longer; returns false when it was so already. */
export async function setNoShow(tx: Tx, reservationId: number, at: Date | null): Promise<boolean> {
  const { numAffectedRows } = await sql`
    update reservations set no_show_at = ${at}
    where id = ${reservationId} and status = 'booked' and (no_show_at is null) = ${at !== null}`.execute(tx)
  return numAffectedRows === 1n
}
