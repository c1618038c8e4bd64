import { cleanup } from '../../platform/jobs/jobs.ts'
import type { Module } from '../../platform/manifest.ts'
import { notificationsCopy } from './copy.ts'
import { notificationExamples } from './examples.ts'
import { notificationRoutes } from './routes.ts'
import { type NotificationDeps, purgeNotifications, sendNotification } from './service.ts'

export const notificationsModule: Module<NotificationDeps> = {
  name: 'identity/notifications',
  messages: notificationsCopy,
  examples: notificationExamples,
  routes: (app, { push }) => notificationRoutes(app, push),
  jobs: {
    notifications: {
      retries: { times: 8, firstSeconds: 60, longestSeconds: 3_600 },
      leaseSeconds: 120,
      run: (ctx, job, deps) => sendNotification(ctx, deps, job),
    },
  },
  tasks: { 'old-notifications': cleanup(purgeNotifications) },
  memberTables: [
    { table: 'notification_preferences', deletion: 'deleted', merging: 'ended' },
    { table: 'push_subscriptions', secret: ['auth', 'p256dh'], deletion: 'deleted', merging: 'ended' },
    { table: 'notifications', deletion: 'deleted', merging: 'moved' },
  ],
}
