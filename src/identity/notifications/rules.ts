import { localMoment } from '../../platform/time.ts'

export const channels = ['email', 'push'] as const
export type Channel = (typeof channels)[number]

export const topics = ['mealSeen', 'rewardPosted', 'reviewDue', 'cardExpires'] as const
export type Topic = (typeof topics)[number]

/**
 * Returns the default of a topic and channel: email for what would otherwise be lost, and push for every subscribed
 * browser.
 */
export function isOnByDefault(topic: Topic, channel: Channel): boolean {
  return channel === 'push' || topic === 'reviewDue' || topic === 'cardExpires'
}

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
