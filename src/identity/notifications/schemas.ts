import { z } from 'zod'
import { defineSchemas } from '../../platform/call.ts'
import { channels, topics } from './rules.ts'

export const NotificationPreferences = z.object({
  choices: z.array(z.object({ topic: z.enum(topics), email: z.boolean(), push: z.boolean() })),
  /** Number of this member's browsers with push subscriptions. */
  devices: z.number().int(),
  /** The hashes of their push addresses (SHA-256, hexadecimal), by which a browser recognizes its own. */
  endpointHashes: z.array(z.string()),
  /** VAPID public key for push subscriptions. */
  publicKey: z.string(),
})
export type NotificationPreferences = z.infer<typeof NotificationPreferences>

export const getNotificationPreferences = defineSchemas({
  summary: 'Returns the notification settings of the member',
  reply: NotificationPreferences,
})

export const setNotificationPreference = defineSchemas({
  summary: 'Turns a notification topic on or off for a channel',
  body: z.strictObject({ topic: z.enum(topics), channel: z.enum(channels), wanted: z.boolean() }),
  reply: NotificationPreferences,
})

const endpoint = z.url({ protocol: /^https?$/ }).max(1000)

export const subscribePush = defineSchemas({
  summary: 'Adds a push subscription of this browser',
  body: z.strictObject({
    endpoint,
    keys: z.strictObject({
      p256dh: z.string().regex(/^[\w-]{87,88}=*$/),
      auth: z.string().regex(/^[\w-]{22,24}=*$/),
    }),
    timeZone: z.string().max(60),
  }),
  reply: NotificationPreferences,
  errors: { pushServiceUnknown: 422 },
  perMinute: 20,
})

export const unsubscribePush = defineSchemas({
  summary: 'Removes the push subscription of this browser',
  body: z.strictObject({ endpoint }),
  reply: NotificationPreferences,
})
