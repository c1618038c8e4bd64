import { localMoment } from '../kit/time.ts'

export const channels = ['email', 'push'] as const
export type Channel = (typeof channels)[number]

export const topics = ['mealSeen', 'rewardPosted', 'reviewDue', 'cardExpires'] as const
export type Topic = (typeof topics)[number]

/** What is told without having been asked for: by mail what would otherwise be lost, by push what somebody switched on. */
export function isUsual(topic: Topic, channel: Channel): boolean {
  return channel === 'push' || topic === 'reviewDue' || topic === 'cardExpires'
}

/** Push services of browsers; nothing else is ever called, whatever a browser says its address is. */
const pushHosts = [
  /^fcm\.googleapis\.com$/,
  /^(updates\.)?push\.services\.mozilla\.com$/,
  /\.notify\.windows\.com$/,
  /(^|\.)push\.apple\.com$/,
]

/** Whether an address belongs to a push service. `own` are hosts, with ports, of services of one's own. */
export function isPushService(endpoint: string, own: readonly string[] = []): boolean {
  if (!URL.canParse(endpoint)) return false
  const { protocol, host, hostname, username } = new URL(endpoint)
  if (username !== '') return false
  if (own.includes(host)) return protocol === 'https:' || protocol === 'http:'
  return protocol === 'https:' && host === hostname && pushHosts.some((pattern) => pattern.test(hostname))
}

const morning = 8 * 60
const night = 22 * 60

/** When somebody may be woken: what is happening at the table at once, all else not at night. */
export function mayWake(topic: Topic, now: Date, timeZone: string): boolean {
  if (topic === 'mealSeen') return true
  const { minutes } = localMoment(now, timeZone)
  return minutes >= morning && minutes < night
}
