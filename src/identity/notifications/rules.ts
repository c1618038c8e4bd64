import { addDays, localMoment, startOfDay, toInstant } from '../../platform/time.ts'
import type { PublicConfig } from '../../programs/partners/contract.ts'

export const channels = ['email', 'push'] as const
export type Channel = (typeof channels)[number]

export const topics = [
  'mealSeen',
  'rewardPosted',
  'bonusEarned',
  'balanceAdjusted',
  'vipReached',
  'reviewDue',
  'cardExpires',
] as const
export type Topic = (typeof topics)[number]

const emailedByDefault: ReadonlySet<Topic> = new Set([
  'bonusEarned',
  'balanceAdjusted',
  'vipReached',
  'reviewDue',
  'cardExpires',
])

/**
 * Returns the default of a topic and channel: email for what would otherwise be lost and for what is rare, and push for
 * every subscribed browser.
 */
export function isOnByDefault(topic: Topic, channel: Channel): boolean {
  return channel === 'push' || emailedByDefault.has(topic)
}

type Choice = Readonly<{ topic: string; channel: string; wanted: boolean }>

/** Returns whether a member with these choices wants a topic by a channel. */
export function wantsFrom(choices: readonly Choice[]): (topic: Topic, channel: Channel) => boolean {
  return (topic, channel) =>
    choices.find((choice) => choice.topic === topic && choice.channel === channel)?.wanted ??
    isOnByDefault(topic, channel)
}

type Offering = Pick<PublicConfig, 'awardsNeedReview' | 'hasVIP' | 'hasReservationBonus'>

/** Returns whether members of a program can get a notification. */
export function isOffered(topic: Topic, program: Offering & { bonuses: readonly unknown[] }): boolean {
  if (topic === 'reviewDue') return program.awardsNeedReview
  if (topic === 'vipReached') return program.hasVIP
  if (topic === 'bonusEarned') return program.hasReservationBonus || program.bonuses.length > 0
  return true
}

/** Topics about rewards that were posted. Several of them become one email. */
export const rewardTopics = ['rewardPosted', 'bonusEarned'] as const satisfies readonly Topic[]

/** Emails about rewards that a member gets within a day of the program. What is posted later comes the next morning. */
export const maxRewardEmailsPerDay = 2

/** Rewards that one email lists; it counts the others. */
export const maxListedRewards = 25

/** Push services of browsers. No other hosts are called, even if a browser submits one. */
const pushHosts = [
  /^fcm\.googleapis\.com$/,
  /^(updates\.)?push\.services\.mozilla\.com$/,
  /\.notify\.windows\.com$/,
  /(^|\.)push\.apple\.com$/,
]

/** Returns whether a URL belongs to a push service. `own` lists additional hosts, with ports. */
export function isPushService(endpoint: string, own: readonly string[] = []): boolean {
  if (!URL.canParse(endpoint)) return false
  const { protocol, host, hostname, username } = new URL(endpoint)
  if (username !== '') return false
  if (own.includes(host)) return protocol === 'https:' || protocol === 'http:'
  return protocol === 'https:' && host === hostname && pushHosts.some((pattern) => pattern.test(hostname))
}

const morning = 8 * 60
const night = 22 * 60

/** Returns whether a push notification may be sent now: a card use at once, all else not at night. */
export function mayPushNow(topic: Topic, now: Date, timeZone: string): boolean {
  if (topic === 'mealSeen') return true
  const { minutes } = localMoment(now, timeZone)
  return minutes >= morning && minutes < night
}

/** Returns when the day of an instant began in a time zone, and when the morning after it begins. */
export function dayAround(now: Date, timeZone: string): { began: Date; nextMorning: Date } {
  const { date } = localMoment(now, timeZone)
  const tomorrow = addDays(date, 1)
  return {
    began: startOfDay(date, timeZone),
    nextMorning: toInstant(tomorrow, morning, timeZone) ?? startOfDay(tomorrow, timeZone),
  }
}
