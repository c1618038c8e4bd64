import type { FastifyInstance } from 'fastify'
import type { Gate } from '../bot-check/service.ts'
import type { Ctx } from '../kit/server/context.ts'
import { serve } from '../kit/server/serve.ts'
import { type CookieRules, clearSession } from '../session/cookies.ts'
import { createCardIntent, deleteCard, linkCards, listCards } from './contract.ts'
import * as cards from './service.ts'
import type { CardVault } from './vault.ts'

export interface CardParts {
  vault: CardVault
  cookies: CookieRules
  gate: Gate
  /** The public origin of a partner: the only page that may frame the vault for its members. */
  origin: (partnerId: string) => string
  /** Called after cards were linked, with their vault tokens: meals may be waiting for them. */
  onLinked: (ctx: Ctx, tokens: readonly string[]) => Promise<void>
}

const keyPattern = /^[\w-]{8,200}$/

export function cardRoutes(app: FastifyInstance, { vault, cookies, gate, origin, onLinked }: CardParts): void {
  serve(app, listCards, (ctx) => cards.listCards(ctx))
  serve(app, createCardIntent, (ctx) => cards.openIntent(ctx, vault, origin(ctx.partnerId)))
  serve(app, linkCards, async (ctx, { body }, { request }) => {
    const key = request.headers['idempotency-key']
    const idempotencyKey = typeof key === 'string' && keyPattern.test(key) ? key : undefined
    const { cardRegistration, tokens } = await gate.admit(ctx, body.gRecaptchaResponse, () =>
      cards.linkCards(ctx, vault, body, idempotencyKey),
    )
    await onLinked(ctx, tokens)
    return { cardRegistration }
  })
  serve(app, deleteCard, async (ctx, { query }, { reply }) => {
    const { closed } = await cards.removeCard(ctx, query.id)
    if (closed) clearSession(reply, cookies)
    return true as const
  })
}
