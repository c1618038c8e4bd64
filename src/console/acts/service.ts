import { sql } from 'kysely'
import { acquireAdvisoryLock, type Tx } from '../../platform/database/db.ts'
import type { Act, Operator } from '../../platform/http/operator.ts'
import { firstHash, type HashedAct, hashAct } from './hash.ts'

export interface RecordedAct extends Act {
  operator: Operator
  /** The id of the call. */
  action: string
  /** Null: the installation. */
  partnerId: string | null
  status: number
  address: string
  requestId: string
}

/**
 * Adds an entry to the operators' audit log, in the transaction of its effect. Entries are chained by hash, so acts of
 * all operators take turns here.
 */
export async function recordAct(tx: Tx, act: RecordedAct): Promise<void> {
  await acquireAdvisoryLock(tx, 'console-acts')
  const { rows } = await sql<{ hash: Buffer | null; at: string }>`
    select (select hash from console.acts order by id desc limit 1) as hash, ${isoTime(sql`clock_timestamp()`)} as at`.execute(
    tx,
  )
  const previous = rows[0]?.hash ?? firstHash
  const hashed: HashedAct = {
    at: rows[0]?.at ?? '',
    operatorId: act.operator.id,
    operatorName: act.operator.name,
    action: act.action,
    partnerId: act.partnerId,
    objectType: act.object.type,
    objectId: act.object.id,
    objectLabel: act.object.label ?? '',
    memberId: act.memberId ?? null,
    reason: act.reason ?? '',
    // As the database will return them: without undefined fields, and dates as text.
    before: JSON.parse(JSON.stringify(act.before ?? {})),
    after: JSON.parse(JSON.stringify(act.after ?? {})),
    status: act.status,
    address: act.address,
    requestId: act.requestId,
  }
  await tx
    .insertInto('console.acts')
    .values({
      at: sql<Date>`${hashed.at}::timestamptz`,
      operator_id: hashed.operatorId,
      operator_name: hashed.operatorName,
      action: hashed.action,
      partner_id: hashed.partnerId,
      object_type: hashed.objectType,
      object_id: hashed.objectId,
      object_label: hashed.objectLabel,
      member_id: hashed.memberId,
      reason: hashed.reason,
      before: JSON.stringify(hashed.before),
      after: JSON.stringify(hashed.after),
      status: hashed.status,
      address: hashed.address,
      request_id: hashed.requestId,
      previous_hash: previous,
      hash: hashAct(previous, hashed),
    })
    .execute()
}

/** Returns a time of the database as text with microseconds, which a hash covers. */
export const isoTime = (time: ReturnType<typeof sql>) =>
  sql<string>`to_char(${time} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"')`
