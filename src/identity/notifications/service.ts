import { inTransaction, type Tx } from '../../platform/database/db.ts'
import { ApiError } from '../../platform/errors.ts'
import type { Ctx, MemberCtx } from '../../platform/http/context.ts'
import { interpolate } from '../../platform/interpolate.ts'
import { HOUR, MINUTE, SECOND } from '../../platform/time.ts'
import { type EmailContent, queueEmail } from '../email/service.ts'
import { findMemberRow, lockOpenMember } from '../members/service.ts'
import type { NotificationPreferences } from './contract.ts'
import type { Push } from './push.ts'
import { type Channel, channels, isOnByDefault, isPushService, mayPushNow, type Topic, topics } from './rules.ts'
import * as store from './store.ts'

export { createPush, type Push } from './push.ts'
export { deleteMemberNotifications, purgeNotifications } from './store.ts'

/** Maximum number of push subscriptions per member. */
const maxDevices = 10

/** Returns the notification settings of the signed-in member. */
export async function getPreferences(ctx: MemberCtx, push: Push): Promise<NotificationPreferences> {
  const memberId = ctx.actor.memberId
  const wants = await loadWants(ctx.db, memberId)
  const offered = topics.filter((topic) => topic !== 'reviewDue' || ctx.program.config.awardsNeedReview)
  return {
    choices: offered.map((topic) => ({ topic, email: wants(topic, 'email'), push: wants(topic, 'push') })),
    devices: (await store.listSubscriptions(ctx.db, memberId)).length,
    publicKey: push.publicKey,
  }
}

type Wants = (topic: Topic, channel: Channel) => boolean

async function loadWants(db: Ctx['db'] | Tx, memberId: number): Promise<Wants> {
  return wantsFrom(await store.listPreferences(db, [memberId]))
}

function wantsFrom(choices: readonly store.Preference[]): Wants {
  return (topic, channel) =>
    choices.find((choice) => choice.topic === topic && choice.channel === channel)?.wanted ??
    isOnByDefault(topic, channel)
}

export async function setPreference(
  ctx: MemberCtx,
  choice: { topic: Topic; channel: Channel; wanted: boolean },
): Promise<void> {
  const memberId = ctx.actor.memberId
  await inTransaction(ctx.db, async (tx) => {
    await lockOpenMember(tx, memberId)
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
  const timeZone = isTimeZone(subscription.timeZone) ? subscription.timeZone : 'UTC'
  await inTransaction(ctx.db, async (tx) => {
    await lockOpenMember(tx, memberId)
    await store.upsertSubscription(tx, memberId, { ...subscription, timeZone })
    await store.deleteOldSubscriptions(tx, memberId, maxDevices)
  })
}

function isTimeZone(name: string): boolean {
  try {
    new Intl.DateTimeFormat('en-US', { timeZone: name })
    return true
  } catch {
    return false
  }
}

export async function unsubscribe(ctx: MemberCtx, endpoint: string): Promise<void> {
  await store.deleteSubscription(ctx.db, endpoint, ctx.actor.memberId)
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

/** Sends queued notifications, one per transaction. Any number of processes may run it concurrently. */
export async function deliverNotifications(ctx: Ctx, deps: NotificationDeps): Promise<void> {
  while (await inTransaction(ctx.db, (tx) => deliverOne(tx, ctx, deps)));
}

const maxAttempts = 6

async function deliverOne(tx: Tx, ctx: Ctx, deps: NotificationDeps): Promise<boolean> {
  const notification = await store.claimQueued(tx)
  if (!notification) return false
  const outcome =
    notification.channel === 'email'
      ? await sendEmail(tx, ctx, deps, notification)
      : await sendPush(tx, ctx, deps, notification)
  await store.recordOutcome(tx, notification.id, outcome)
  return true
}

function messageTexts(ctx: Ctx, { topic, params }: store.QueuedNotification): { title: string; body: string } {
  const t = (key: string) => interpolate(ctx.t(`notices.${topic}_${key}`), params)
  return { title: t('title'), body: t('body') }
}

async function sendEmail(
  tx: Tx,
  ctx: Ctx,
  deps: NotificationDeps,
  notification: store.QueuedNotification,
): Promise<store.DeliveryOutcome> {
  const member = await findMemberRow(tx, notification.memberId)
  if (!member || member.deleted_at) return { status: 'failed' }
  const { title, body } = messageTexts(ctx, notification)
  const email: EmailContent = {
    subject: title,
    preview: body,
    title,
    paragraphs: [interpolate(ctx.t('notices.mail_greeting'), { name: member.first_name }), body],
    facts: [],
    action: { text: ctx.t('notices.mail_action'), href: deps.origin(ctx.partnerId) + notification.path },
    smallPrint: [ctx.t('notices.mail_choose')],
  }
  const topic = `notice.${notification.topic}`
  await queueEmail(tx, ctx, {
    memberId: member.id,
    recipient: member.email,
    topic,
    about: notification.about,
    content: email,
  })
  return { status: 'sent' }
}

async function sendPush(
  tx: Tx,
  ctx: Ctx,
  deps: NotificationDeps,
  notification: store.QueuedNotification,
): Promise<store.DeliveryOutcome> {
  const devices = await store.listSubscriptions(tx, notification.memberId)
  const awake = devices.filter(({ timeZone }) => mayPushNow(notification.topic, ctx.now(), timeZone))
  if (devices.length > 0 && awake.length === 0) return { status: 'waiting', wait: HOUR / 4, tried: false }
  const message = {
    ...messageTexts(ctx, notification),
    url: deps.origin(ctx.partnerId) + notification.path,
    tag: `${notification.topic}:${notification.about}`,
  }
  // In parallel, so that the row is locked no longer than the slowest request takes.
  const outcomes = await Promise.all(awake.map((device) => deps.push.send(device, message)))
  for (const [index, device] of awake.entries()) {
    if (outcomes[index] === 'gone') await store.deleteSubscription(tx, device.endpoint)
  }
  if (outcomes.includes('sent')) return { status: 'sent' }
  if (outcomes.includes('later') && notification.attempts + 1 < maxAttempts) {
    return { status: 'waiting', wait: 2 ** notification.attempts * MINUTE + SECOND, tried: true }
  }
  return { status: 'failed' }
}
