import type { FastifyInstance } from 'fastify'
import { serve } from '../../platform/http/serve.ts'
import { chooseNotice, getNoticeChoices, subscribePush, unsubscribePush } from './contract.ts'
import type { Push } from './push.ts'
import * as notices from './service.ts'

export function noticeRoutes(app: FastifyInstance, push: Push): void {
  serve(app, getNoticeChoices, (ctx) => notices.readChoices(ctx, push))
  serve(app, chooseNotice, async (ctx, { body }) => {
    await notices.chooseNotice(ctx, body)
    return notices.readChoices(ctx, push)
  })
  serve(app, subscribePush, async (ctx, { body: { endpoint, keys, timeZone } }) => {
    await notices.subscribe(ctx, push, { endpoint, ...keys, timeZone })
    return notices.readChoices(ctx, push)
  })
  serve(app, unsubscribePush, async (ctx, { body }) => {
    await notices.unsubscribe(ctx, body.endpoint)
    return notices.readChoices(ctx, push)
  })
}
