import { inTransaction, type Tx } from '../../platform/database/db.ts'
import { fill } from '../../platform/fill.ts'
import type { Ctx } from '../../platform/http/context.ts'
import { Refusal } from '../../platform/refusal.ts'
import { HOUR, MINUTE, SECOND } from '../../platform/time.ts'
import { type Letter, postMail } from '../email/service.ts'
import { lockOpenMember, memberRow } from '../members/service.ts'
import type { NoticeChoices } from './contract.ts'
import type { Push } from './push.ts'
import { type Channel, channels, isPushService, isUsual, mayWake, type Topic, topics } from './rules.ts'
import * as store from './store.ts'

export { createPush, type Push } from './push.ts'
export { deleteNoticesOf, sweepNotices } from './store.ts'

/** Maximum number of push subscriptions per member. */
const mostDevices = 10

/** Returns the notification settings of the signed-in member. */
export async function readChoices(ctx: Ctx, push: Push): Promise<NoticeChoices> {
  const memberId = ctx.actor.memberId as number
  const wants = await wantsOf(ctx.db, memberId)
  const offered = topics.filter((topic) => topic !== 'reviewDue' || ctx.program.config.awardsNeedReview)
  return {
    choices: offered.map((topic) => ({ topic, email: wants(topic, 'email'), push: wants(topic, 'push') })),
    devices: (await store.subscriptionsOf(ctx.db, memberId)).length,
    publicKey: push.publicKey,
  }
}

type Wants = (topic: Topic, channel: Channel) => boolean

async function wantsOf(db: Ctx['db'] | Tx, memberId: number): Promise<Wants> {
  return wantsFrom(await store.choicesOf(db, [memberId]))
}

function wantsFrom(said: readonly store.Choice[]): Wants {
  return (topic, channel) =>
    said.find((choice) => choice.topic === topic && choice.channel === channel)?.wanted ?? isUsual(topic, channel)
}

export async function chooseNotice(
  ctx: Ctx,
  choice: { topic: Topic; channel: Channel; wanted: boolean },
): Promise<void> {
  const memberId = ctx.actor.memberId as number
  await inTransaction(ctx.db, async (tx) => {
    await lockOpenMember(tx, memberId)
    await store.saveChoice(tx, { memberId, ...choice })
  })
}

/**
 * Stores a push subscription of the signed-in member. Throws Refusal `pushServiceUnknown` for other hosts, because they
 * are never called.
 */
export async function subscribe(ctx: Ctx, push: Push, subscription: store.Subscription): Promise<void> {
  if (!isPushService(subscription.endpoint, push.ownHosts)) throw new Refusal('pushServiceUnknown')
  const memberId = ctx.actor.memberId as number
  const timeZone = isTimeZone(subscription.timeZone) ? subscription.timeZone : 'UTC'
  await inTransaction(ctx.db, async (tx) => {
    await lockOpenMember(tx, memberId)
    await store.saveSubscription(tx, memberId, { ...subscription, timeZone })
    await store.keepNewest(tx, memberId, mostDevices)
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

export async function unsubscribe(ctx: Ctx, endpoint: string): Promise<void> {
  await store.deleteSubscription(ctx.db, endpoint, ctx.actor.memberId as number)
}

export interface Fact {
  memberId: number
  topic: Topic
  /** Key of the cause: notified once per cause. */
  about: string
  params: Record<string, string>
  path: string
}

/** Queues notifications for members who want them, in the transaction of their cause. */
export async function tellAll(tx: Tx, facts: readonly Fact[]): Promise<void> {
  if (facts.length === 0) return
  const ways = await waysTo(tx, [...new Set(facts.map(({ memberId }) => memberId))])
  await store.insertNotices(
    tx,
    facts.flatMap((fact) => ways(fact).map((channel) => ({ ...fact, channel, status: 'waiting' as const }))),
  )
}

/**
 * Queues a notification. With `isLookedFor`, an unwanted one is recorded too, so that the periodic query does not find
 * its cause again.
 */
export async function tell(tx: Tx, { isLookedFor = false, ...fact }: Fact & { isLookedFor?: boolean }): Promise<void> {
  const ways = (await waysTo(tx, [fact.memberId]))(fact)
  if (ways.length > 0 || !isLookedFor) return tellAll(tx, [fact])
  await store.insertNotices(tx, [{ ...fact, channel: 'email', status: 'unwanted' }])
}

/** Returns a function that lists the wanted channels of a notification for these members. */
async function waysTo(tx: Tx, memberIds: readonly number[]): Promise<(fact: Fact) => Channel[]> {
  const { said, withDevice } = await store.wishesOf(tx, memberIds)
  const saidBy = Map.groupBy(said, ({ memberId }) => memberId)
  return ({ memberId, topic }) => {
    const wants = wantsFrom(saidBy.get(memberId) ?? [])
    return channels.filter((channel) => wants(topic, channel) && (channel === 'email' || withDevice.has(memberId)))
  }
}

export interface NoticeDesk {
  origin: (partnerId: string) => string
  push: Push
}

/** Sends queued notifications, one per transaction. Any number of processes may run it concurrently. */
export async function deliverNotices(ctx: Ctx, desk: NoticeDesk): Promise<void> {
  while (await inTransaction(ctx.db, (tx) => deliverOne(tx, ctx, desk)));
}

const mostAttempts = 6

async function deliverOne(tx: Tx, ctx: Ctx, desk: NoticeDesk): Promise<boolean> {
  const notice = await store.takeWaiting(tx)
  if (!notice) return false
  const outcome = notice.channel === 'email' ? await byMail(tx, ctx, desk, notice) : await byPush(tx, ctx, desk, notice)
  await store.recordOutcome(tx, notice.id, outcome)
  return true
}

function wordsOf(ctx: Ctx, { topic, params }: store.WaitingNotice): { title: string; body: string } {
  const t = (key: string) => fill(ctx.word(`notices.${topic}_${key}`), params)
  return { title: t('title'), body: t('body') }
}

async function byMail(tx: Tx, ctx: Ctx, desk: NoticeDesk, notice: store.WaitingNotice): Promise<store.NoticeOutcome> {
  const member = await memberRow(tx, notice.memberId)
  if (!member || member.deleted_at) return { status: 'failed' }
  const { title, body } = wordsOf(ctx, notice)
  const letter: Letter = {
    subject: title,
    preview: body,
    title,
    paragraphs: [fill(ctx.word('notices.mail_greeting'), { name: member.first_name }), body],
    facts: [],
    action: { text: ctx.word('notices.mail_action'), href: desk.origin(ctx.partnerId) + notice.path },
    smallPrint: [ctx.word('notices.mail_choose')],
  }
  const topic = `notice.${notice.topic}`
  await postMail(tx, ctx, { memberId: member.id, recipient: member.email, topic, about: notice.about, letter })
  return { status: 'sent' }
}

async function byPush(tx: Tx, ctx: Ctx, desk: NoticeDesk, notice: store.WaitingNotice): Promise<store.NoticeOutcome> {
  const devices = await store.subscriptionsOf(tx, notice.memberId)
  const awake = devices.filter(({ timeZone }) => mayWake(notice.topic, ctx.now(), timeZone))
  if (devices.length > 0 && awake.length === 0) return { status: 'waiting', wait: HOUR / 4, tried: false }
  const message = {
    ...wordsOf(ctx, notice),
    url: desk.origin(ctx.partnerId) + notice.path,
    tag: `${notice.topic}:${notice.about}`,
  }
  // In parallel, so that the row is locked no longer than the slowest request takes.
  const outcomes = await Promise.all(awake.map((device) => desk.push.send(device, message)))
  for (const [index, device] of awake.entries()) {
    if (outcomes[index] === 'gone') await store.deleteSubscription(tx, device.endpoint)
  }
  if (outcomes.includes('sent')) return { status: 'sent' }
  if (outcomes.includes('later') && notice.attempts + 1 < mostAttempts) {
    return { status: 'waiting', wait: 2 ** notice.attempts * MINUTE + SECOND, tried: true }
  }
  return { status: 'failed' }
}
