import type { FastifyInstance } from 'fastify'
import { Refusal } from '../kit/refusal.ts'
import { serve } from '../kit/server/serve.ts'
import { getContent } from './contract.ts'

export function contentRoutes(app: FastifyInstance): void {
  serve(app, getContent, (ctx, { params, query }) => {
    const { content } = ctx.program
    const entries = Object.hasOwn(content, params.contentName) ? content[params.contentName] : undefined
    if (!entries) throw new Refusal('contentNotFound')
    return { data: entries.slice(0, query.page_size) }
  })
}
