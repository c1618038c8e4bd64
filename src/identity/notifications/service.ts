import { createHash } from 'node:crypto'
import { inTransaction, type Tx } from '../../platform/database/db.ts'
import { ApiError } from '../../platform/errors.ts'
import type { Ctx, MemberCtx } from '../../platform/http/context.ts'
import type { ClaimedJob } from '../../platform/jobs/workers.ts'
import { lockOwnMember } from '../members/service.ts'
import type { NotificationPreferences } from './contract.ts'
import { messageTexts, sendByEmail } from './emails.ts'
import type { Push } from './push.ts'
import { type Channel, channels, isOffered, isPushService, mayPushNow, type Topic, topics, wantsFrom } from './rules.ts'
import * as store from './store.ts'

export { createPush, type Push } from './push.ts'
export {
  deleteMemberNotifications,
  deletePushDevice,
  deleteSubscriptionsOf as deletePushDevicesOf,
  listPushDevices,
  mergeNotifications,
  moveSubscriptions as movePushDevices,
  type PushDevice,
  purgeNotifications,
} from './store.ts'

/** Maximum number of push subscriptions per member. */
const maxDevices = 10

/** Returns the notification settings of the signed-in member. */
export async function getPreferences(ctx: MemberCtx, push: Push): Promise<NotificationPreferences> {
  const memberId = ctx.actor.memberId
  const wants = wantsFrom(await store.listPreferences(ctx.db, [memberId]))
  const subscriptions = await store.listSubscriptions(ctx.db, memberId)
  const offered = topics.filter((topic) => isOffered(topic, ctx.program.config))
  return {
    choices: offered.map((topic) => ({ topic, email: wants(topic, 'email'), push: wants(topic, 'push') })),
    devices: subscriptions.length,
    endpointHashes: subscriptions.map(({ endpoint }) => hashEndpoint(endpoint)),
    publicKey: push.publicKey,
  }
}

const hashEndpoint = (endpoint: string) => createHash('sha256').update(endpoint).digest('hex')

export async function setPreference(
  ctx: MemberCtx,
  choice: { topic: Topic; channel: Channel; wanted: boolean },
): Promise<void> {
  const memberId = ctx.actor.memberId
  await inTransaction(ctx.db, async (tx) => {
    await lockOwnMember(tx, ctx)
    await store.upsertPreference(tx, { memberId, ...choice })
  })
}

/**
 * Stores a push subscription of the signed-in member. Throws ApiError `pushServiceUnknown` for other hosts, because they
 * are never called.
 */
export async function subscribe(ctx: MemberCtx, push: Push, subscription: store.Subscription): Promise<void> {
  if (!isPushService(subscription.endpoint, push.additionalHosts)) throw new ApiError('pushServiceUnknown')
  const memberId = ctx.actor.memberId
  const timeZone = timeZoneOf(subscription.timeZone)
  await inTransaction(ctx.db, async (tx) => {
    await lockOwnMember(tx, ctx)
    await store.upsertSubscription(tx, { memberId, sessionId: ctx.actor.sessionId }, { ...subscription, timeZone })
    await store.deleteOldSubscriptions(tx, memberId, maxDevices)
  })
}

/** Returns the name by which a time zone is known, because each spelling is cached as a zone of its own; else UTC. */
function timeZoneOf(name: string): string {
  try {
    return new Intl.DateTimeFormat('en-US', { timeZone: name }).resolvedOptions().timeZone
  } catch {
    return 'UTC'
  }
}

export async function unsubscribe(ctx: MemberCtx, endpoint: string): Promise<void> {
  await inTransaction(ctx.db, async (tx) => {
    const { id } = await lockOwnMember(tx, ctx)
    await store.deleteSubscription(tx, endpoint, id)
  })
}

export interface NewNotification {
  memberId: number
  topic: Topic
  /** Key of the cause: notified once per cause. */
  about: string
  params: Record<string, string>
  path: string
}

/** Queues notifications for members who want them, in the transaction of their cause. */
export async function notifyAll(tx: Tx, notifications: readonly NewNotification[]): Promise<void> {
  if (notifications.length === 0) return
  const channelsFor = await loadWantedChannels(tx, [...new Set(notifications.map(({ memberId }) => memberId))])
  await store.insertNotifications(
    tx,
    notifications.flatMap((notification) =>
      channelsFor(notification).map((channel) => ({ ...notification, channel, status: 'waiting' as const })),
    ),
  )
}

/**
 * Queues a notification. With `recordUnwanted`, an unwanted one is recorded too, so that the periodic query does not find
 * its cause again.
 */
export async function notify(
  tx: Tx,
  { recordUnwanted = false, ...notification }: NewNotification & { recordUnwanted?: boolean },
): Promise<void> {
  const wantedChannels = (await loadWantedChannels(tx, [notification.memberId]))(notification)
  if (wantedChannels.length > 0 || !recordUnwanted) return notifyAll(tx, [notification])
  await store.insertNotifications(tx, [{ ...notification, channel: 'email', status: 'unwanted' }])
}

/** Returns a function that lists the wanted channels of a notification for these members. */
async function loadWantedChannels(
  tx: Tx,
  memberIds: readonly number[],
): Promise<(notification: NewNotification) => Channel[]> {
  const { choices, withDevice } = await store.loadMemberPreferences(tx, memberIds)
  const choicesByMember = Map.groupBy(choices, ({ memberId }) => memberId)
  return ({ memberId, topic }) => {
    const wants = wantsFrom(choicesByMember.get(memberId) ?? [])
    return channels.filter((channel) => wants(topic, channel) && (channel === 'email' || withDevice.has(memberId)))
  }
}

export interface NotificationDeps {
  origin: (partnerId: string) => string
  push: Push
}

/**
 * Sends a queued notification: an email is queued, a push message is sent to the member's browsers outside any
 * transaction. Rejects when no push service accepted it; it fails for good with the last attempt.
 */
export async function sendNotification(
  ctx: Ctx,
  deps: NotificationDeps,
  { id, isLastAttempt }: Pick<ClaimedJob, 'id' | 'isLastAttempt'>,
): Promise<void> {
  const notification = await store.findUnsent(ctx.db, Number(id))
  if (!notification) return
  if (notification.channel === 'email') {
    return inTransaction(ctx.db, (tx) => sendByEmail(tx, ctx, deps.origin(ctx.partnerId), notification))
  }
  const result = await sendPush(ctx, deps, notification)
  const status = result.status !== 'later' ? result.status : isLastAttempt ? 'failed' : 'waiting'
  await inTransaction(ctx.db, async (tx) => {
    for (const endpoint of result.gone) await store.deleteSubscription(tx, endpoint)
    await store.recordOutcome(tx, notification.id, { status })
  })
  if (result.status === 'later') throw new Error('no push service accepted the message')
}

interface PushResult {
  status: 'sent' | 'failed' | 'later' | 'postponed'
  /** Endpoints that no longer exist. */
  gone: string[]
}

async function sendPush(ctx: Ctx, deps: NotificationDeps, notification: store.QueuedNotification): Promise<PushResult> {
  const devices = await store.listSubscriptions(ctx.db, notification.memberId)
  const awake = devices.filter(({ timeZone }) => mayPushNow(notification.topic, ctx.now(), timeZone))
  if (devices.length > 0 && awake.length === 0) return { status: 'postponed', gone: [] }
  const message = {
    ...messageTexts(ctx, notification),
    url: deps.origin(ctx.partnerId) + notification.path,
    tag: `${notification.topic}:${notification.about}`,
  }
  const outcomes = await Promise.all(awake.map((device) => deps.push.send(device, message)))
  const gone = awake.flatMap(({ endpoint }, index) => (outcomes[index] === 'gone' ? [endpoint] : []))
  if (outcomes.includes('sent')) return { status: 'sent', gone }
  if (outcomes.includes('later')) return { status: 'later', gone }
  // No browser got it: one where it is night can still get it in the morning.
  return { status: awake.length < devices.length ? 'postponed' : 'failed', gone }
}
