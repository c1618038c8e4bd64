import type { FastifyInstance } from 'fastify'
import { registerRoute } from '../../platform/http/register-route.ts'
import { getNotificationPreferences, setNotificationPreference, subscribePush, unsubscribePush } from './contract.ts'
import type { Push } from './push.ts'
import * as schemas from './schemas.ts'
import * as notifications from './service.ts'

export function notificationRoutes(app: FastifyInstance, push: Push): void {
  registerRoute(app, getNotificationPreferences, schemas.getNotificationPreferences, (ctx) =>
    notifications.getPreferences(ctx, push),
  )
  registerRoute(app, setNotificationPreference, schemas.setNotificationPreference, async (ctx, { body }) => {
    await notifications.setPreference(ctx, body)
    return notifications.getPreferences(ctx, push)
  })
  registerRoute(app, subscribePush, schemas.subscribePush, async (ctx, { body: { endpoint, keys, timeZone } }) => {
    await notifications.subscribe(ctx, push, { endpoint, ...keys, timeZone })
    return notifications.getPreferences(ctx, push)
  })
  registerRoute(app, unsubscribePush, schemas.unsubscribePush, async (ctx, { body }) => {
    await notifications.unsubscribe(ctx, body.endpoint)
    return notifications.getPreferences(ctx, push)
  })
}
