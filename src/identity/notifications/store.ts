import { sql } from 'kysely'
import type { Db, Tx } from '../../platform/database/db.ts'
import { fromNow } from '../../platform/database/from-now.ts'
import { rowSource } from '../../platform/database/rows.ts'
import { HOUR } from '../../platform/time.ts'
import type { Merge } from '../members/service.ts'
import type { Channel, Topic } from './rules.ts'

export interface Preference {
  memberId: number
  topic: string
  channel: string
  wanted: boolean
}

export async function listPreferences(db: Db | Tx, memberIds: readonly number[]): Promise<Preference[]> {
  return db
    .selectFrom('notification_preferences')
    .select(['member_id as memberId', 'topic', 'channel', 'wanted'])
    .where('partner_id', '=', sql<string>`current_partner()`)
    .where('member_id', '=', sql<number>`any(${memberIds})`)
    .execute()
}

export async function upsertPreference(
  tx: Db | Tx,
  choice: { memberId: number; topic: Topic; channel: Channel; wanted: boolean },
): Promise<void> {
  const { memberId, topic, channel, wanted } = choice
  await tx
    .insertInto('notification_preferences')
    .values({ member_id: memberId, topic, channel, wanted })
    .onConflict((conflict) => conflict.columns(['partner_id', 'member_id', 'topic', 'channel']).doUpdateSet({ wanted }))
    .execute()
}

export interface Subscription {
  endpoint: string
  p256dh: string
  auth: string
  timeZone: string
}

export async function listSubscriptions(db: Db | Tx, memberId: number): Promise<Subscription[]> {
  return db
    .selectFrom('push_subscriptions')
    .select(['endpoint', 'p256dh', 'auth', 'time_zone as timeZone'])
    .where('member_id', '=', memberId)
    .orderBy('id')
    .execute()
}

export interface MemberPreferences {
  choices: Preference[]
  /** Members with at least one push subscription. */
  withDevice: Set<number>
}

/** Returns the notification choices of members, and which of them have push subscriptions. */
export async function loadMemberPreferences(tx: Tx, memberIds: readonly number[]): Promise<MemberPreferences> {
  const { rows } = await sql<Preference & { isDevice: boolean }>`
    select member_id as "memberId", topic, channel, wanted, false as "isDevice" from notification_preferences
    where partner_id = current_partner() and member_id = any(${memberIds})
    union all
    select distinct member_id, '', '', true, true from push_subscriptions where member_id = any(${memberIds})
    `.execute(tx)
  return {
    choices: rows.filter(({ isDevice }) => !isDevice),
    withDevice: new Set(rows.filter(({ isDevice }) => isDevice).map(({ memberId }) => memberId)),
  }
}

/** A push subscription belongs to the member who used the browser last, and to the session of that member there. */
export async function upsertSubscription(
  tx: Tx,
  { memberId, sessionId }: { memberId: number; sessionId: Buffer | null },
  subscription: Subscription,
): Promise<void> {
  const { endpoint, p256dh, auth, timeZone } = subscription
  const session = sessionId ? await findDeviceSession(tx, sessionId) : undefined
  const of = { session_id: session?.publicId ?? null, device: session?.device ?? '' }
  const keys = { member_id: memberId, p256dh, auth, time_zone: timeZone, ...of }
  // Inserted again, so that it is the newest one of its member.
  await tx.deleteFrom('push_subscriptions').where('endpoint', '=', endpoint).execute()
  await tx
    .insertInto('push_subscriptions')
    .values({ endpoint, ...keys })
    .onConflict((conflict) => conflict.columns(['partner_id', 'endpoint']).doUpdateSet(keys))
    .execute()
}

/** Deletes all but the newest `maxCount` subscriptions of a member. */
export async function deleteOldSubscriptions(tx: Tx, memberId: number, maxCount: number): Promise<void> {
  await sql`delete from push_subscriptions where member_id = ${memberId} and id not in (
    select id from push_subscriptions where member_id = ${memberId} order by id desc limit ${maxCount})`.execute(tx)
}

const hasId = (sessionId: Buffer) => sql<boolean>`(id_hash = ${sessionId} or previous_hash = ${sessionId})`

const findDeviceSession = (tx: Tx, sessionId: Buffer) =>
  tx.selectFrom('sessions').select(['public_id as publicId', 'device']).where(hasId(sessionId)).executeTakeFirst()

/**
 * Deletes the push subscriptions of a member, or all but those of the session `except`. Those of a session that ends
 * while it is valid end with it in the database.
 */
export async function deleteSubscriptionsOf(tx: Tx, memberId: number, except?: Buffer): Promise<number> {
  const session = except && (await findDeviceSession(tx, except))
  const gone = await tx
    .deleteFrom('push_subscriptions')
    .where('member_id', '=', memberId)
    .$if(session !== undefined, (query) => query.where('session_id', 'is distinct from', session?.publicId as string))
    .returning('id')
    .execute()
  return gone.length
}

/** Gives the push subscriptions of a session to the one that replaces it, if both are of the same member. */
export async function moveSubscriptions(tx: Tx, memberId: number, { from, to }: { from: Buffer; to: Buffer }) {
  await sql`update push_subscriptions p set session_id = successor.public_id from sessions former, sessions successor
    where (former.id_hash = ${from} or former.previous_hash = ${from}) and former.member_id = ${memberId}
      and p.session_id = former.public_id and p.member_id = ${memberId} and successor.id_hash = ${to}`.execute(tx)
}

export interface PushDevice {
  publicId: string
  /** The public id of its session, which may have ended by its time. */
  sessionId: string | null
  device: string
  addedAt: Date
}

/** Returns the browsers of a member that get push messages, newest first. */
export async function listPushDevices(db: Db | Tx, memberId: number): Promise<PushDevice[]> {
  return db
    .selectFrom('push_subscriptions')
    .select(['public_id as publicId', 'session_id as sessionId', 'device', 'created_at as addedAt'])
    .where('member_id', '=', memberId)
    .orderBy('id', 'desc')
    .execute()
}

/** Deletes a push subscription of a member by its public id. Returns false when there is none. */
export async function deletePushDevice(tx: Tx, memberId: number, publicId: string): Promise<boolean> {
  const gone = await tx
    .deleteFrom('push_subscriptions')
    .where('member_id', '=', memberId)
    .where('public_id', '=', publicId)
    .returning('id')
    .executeTakeFirst()
  return gone !== undefined
}

export async function deleteSubscription(db: Db | Tx, endpoint: string, memberId?: number): Promise<void> {
  await db
    .deleteFrom('push_subscriptions')
    .where('endpoint', '=', endpoint)
    .$if(memberId !== undefined, (query) => query.where('member_id', '=', memberId as number))
    .execute()
}

export interface NotificationRow {
  memberId: number
  topic: Topic
  /** Key of the cause: notified once per channel. */
  about: string
  channel: Channel
  params: Record<string, string>
  /** Target path within the program. */
  path: string
  status: 'waiting' | 'unwanted'
}

const notificationColumns = {
  member_id: 'bigint',
  topic: 'text',
  about: 'text',
  channel: 'text',
  params: 'jsonb',
  path: 'text',
  status: 'text',
}

/** Queues notifications; existing ones stay unchanged. Deleted accounts are skipped. */
export async function insertNotifications(tx: Tx, notifications: readonly NotificationRow[]): Promise<void> {
  if (notifications.length === 0) return
  const rows = notifications.map(({ memberId, params, topic, about, channel, path, status }) => ({
    member_id: memberId,
    topic,
    about,
    channel,
    params,
    path,
    status,
  }))
  await sql`
    insert into notifications (member_id, topic, about, channel, params, path, status)
    select fresh.member_id, fresh.topic, fresh.about, fresh.channel, fresh.params, fresh.path, fresh.status
    from ${rowSource(rows, notificationColumns)} join members m on m.id = fresh.member_id
    where m.deleted_at is null
    for key share of m
    on conflict do nothing`.execute(tx)
}

export interface QueuedNotification {
  id: number
  memberId: number
  topic: Topic
  about: string
  channel: Channel
  params: Record<string, string>
  path: string
}

/** Returns a notification that is to be sent: it waits, or has failed and is retried. */
export async function findUnsent(db: Db, id: number): Promise<QueuedNotification | undefined> {
  const { rows } = await sql<QueuedNotification>`
    select id, member_id as "memberId", topic, about, channel, params, path from notifications
    where id = ${id} and status in ('waiting', 'failed')`.execute(db)
  return rows[0]
}

/**
 * Returns the notification with this id and the member's others on these topics that wait for the same channel; the
 * earliest first. The caller holds the member's lock.
 */
export async function listUnsentWith(
  tx: Tx,
  { id, memberId, channel }: QueuedNotification,
  topics: readonly Topic[],
): Promise<QueuedNotification[]> {
  const { rows } = await sql<QueuedNotification>`
    select id, member_id as "memberId", topic, about, channel, params, path from notifications
    where partner_id = current_partner() and member_id = ${memberId} and channel = ${channel}
      and (id = ${id} and status in ('waiting', 'failed') or topic = any(${topics}) and status = 'waiting')
    order by id`.execute(tx)
  return rows
}

/** How often a push message that waits for its member's day to begin is looked at, in milliseconds. */
const postponedFor = HOUR / 4

export type DeliveryOutcome =
  | { status: 'sent' | 'failed' | 'waiting' | 'unwanted' }
  /** It waits, for this many milliseconds. */
  | { status: 'postponed'; forMs?: number }

/** Records the outcome of a notification. A new due time enqueues another job. */
export async function recordOutcome(tx: Tx, id: number, outcome: DeliveryOutcome): Promise<void> {
  if (outcome.status === 'postponed') {
    // A failed one that is retried waits again.
    await sql`update notifications set status = 'waiting',
      due_at = ${fromNow(outcome.forMs ?? postponedFor)} where id = ${id}`.execute(tx)
  } else await sql`update notifications set status = ${outcome.status} where id = ${id}`.execute(tx)
}

/**
 * Gives the notifications of an account to the one that it is merged into, which keeps its own choices and browsers. What
 * both were told of is told once.
 */
export async function mergeNotifications(tx: Tx, { from, to }: Merge): Promise<void> {
  await sql`update notifications own set member_id = ${to} where own.partner_id = current_partner() and own.member_id = ${from}
    and not exists (select from notifications kept where kept.partner_id = own.partner_id and kept.member_id = ${to}
      and kept.topic = own.topic and kept.about = own.about and kept.channel = own.channel)`.execute(tx)
  await deleteMemberNotifications(tx, from)
}

/** Deletes a member's notifications, subscriptions and choices. */
export async function deleteMemberNotifications(tx: Tx, memberId: number): Promise<void> {
  for (const table of ['notifications', 'push_subscriptions', 'notification_preferences'] as const) {
    await tx.deleteFrom(table).where('member_id', '=', memberId).execute()
  }
}

/** Deletes notifications older than 60 days. Those of expiring cards, which are due for two months, stay twice as long. */
export async function purgeNotifications(db: Db): Promise<void> {
  await sql`delete from notifications where status <> 'waiting'
    and created_at < now() - case topic when 'cardExpires' then interval '120 days' else interval '60 days' end`.execute(
    db,
  )
}
