import { type CallGroup, example } from '../../platform/call-examples.ts'
import {
  getNotificationPreferences,
  type NotificationPreferences,
  setNotificationPreference,
  subscribePush,
  unsubscribePush,
} from './contract.ts'
import * as schemas from './schemas.ts'

const endpointHash = '7b0d4d9f1f3c6a52e8b94f0c2d71a6e35b8c9d0e1f2a3b4c5d6e7f8091a2b3c4'
const preferences: NotificationPreferences = {
  choices: [
    { topic: 'mealSeen', email: false, push: true },
    { topic: 'rewardPosted', email: false, push: true },
    { topic: 'bonusEarned', email: true, push: true },
    { topic: 'balanceAdjusted', email: true, push: true },
    { topic: 'vipReached', email: true, push: true },
    { topic: 'reviewDue', email: true, push: true },
    { topic: 'cardExpires', email: true, push: true },
  ],
  devices: 1,
  endpointHashes: [endpointHash],
  publicKey: 'BPk3v0cXb6rQ2nT8kYw5ZpAhM3v0cXb6rQ2nT8kYw5ZpAhM3v0cXb6rQ2nT8kYw5ZpAhM3v0cXb6rQ2nT8kYw5Zp',
}
const endpoint = 'https://fcm.googleapis.com/fcm/send/dQw4w9WgXcQ'

export const notificationExamples: CallGroup = {
  tag: 'Notifications',
  place: 190,
  description: 'Which notifications the member gets by email and web push.',
  examples: [
    example(getNotificationPreferences, schemas.getNotificationPreferences, { reply: preferences }),
    example(setNotificationPreference, schemas.setNotificationPreference, {
      body: { topic: 'rewardPosted', channel: 'email', wanted: false },
      reply: preferences,
    }),
    example(subscribePush, schemas.subscribePush, {
      body: {
        endpoint,
        keys: {
          p256dh: 'BNcRdreALRFXTkOOUHK1EtK2wtaz5Ry4YfYCA_0QTpQtUbVlUls0VJXg7A8u-Ts1XbjhazAkj7I99e8QcYP7DkM',
          auth: 'tBHItJI5svbpez7KI4CCXg',
        },
        timeZone: 'America/New_York',
      },
      reply: preferences,
    }),
    example(unsubscribePush, schemas.unsubscribePush, {
      body: { endpoint },
      reply: { ...preferences, devices: 0, endpointHashes: [] },
    }),
  ],
}
