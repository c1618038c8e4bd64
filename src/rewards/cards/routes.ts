import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { BotCheck } from '../../identity/bot-check/service.ts'
import { type CookieRules, clearSession } from '../../identity/session/cookies.ts'
import type { Ctx } from '../../platform/http/context.ts'
import { registerRoute } from '../../platform/http/register-route.ts'
import {
  createCardIntent,
  decideCardMove,
  deleteCard,
  linkCards,
  listCardMoves,
  listCardRequests,
  listCards,
  listPartnerCards,
  undoCardMove,
} from './contract.ts'
import type { MoveDeps } from './moves.ts'
import * as schemas from './schemas.ts'
import * as cards from './service.ts'
import type { CardVault } from './vault.ts'

export interface CardRouteDeps extends Pick<MoveDeps, 'programs'> {
  vault: CardVault
  /** HMAC key of the attempt counters. */
  lockKey: Buffer
  /** HMAC key of the marks by which a card of a deleted account is recognized. */
  returningKey: Buffer
  cookies: CookieRules
  gate: BotCheck
  /** Returns the public origin of a partner: the only one that may frame the vault for its members. */
  origin: (partnerId: string) => string
  /** Called after cards were linked, with their vault tokens: transactions may be waiting for them. */
  onLinked: (ctx: Ctx, tokens: readonly string[]) => Promise<void>
}

function headerOf({ headers }: FastifyRequest, name: keyof typeof schemas.LinkCardsHeaders.shape): string | undefined {
  return schemas.LinkCardsHeaders.shape[name].safeParse(headers[name.toLowerCase()]).data
}

export function cardRoutes(app: FastifyInstance, deps: CardRouteDeps): void {
  const { vault, lockKey, returningKey, cookies, gate, origin, programs, onLinked } = deps
  registerRoute(app, listCards, schemas.listCards, (ctx) => cards.listCards(ctx))
  registerRoute(app, createCardIntent, schemas.createCardIntent, (ctx) =>
    cards.createIntent(ctx, vault, origin(ctx.partnerId)),
  )
  registerRoute(app, linkCards, schemas.linkCards, async (ctx, { body }, { request }) => {
    const idempotencyKey = headerOf(request, 'Idempotency-Key')
    const deviceSession = headerOf(request, 'X-Card-Session')
    const { cardRegistration, tokens } = await gate.guard(ctx, body.gRecaptchaResponse, () =>
      cards.linkCards(ctx, { vault, lockKey, returningKey }, { form: body, idempotencyKey, deviceSession }),
    )
    await onLinked(ctx, tokens)
    return { cardRegistration }
  })
  registerRoute(app, listPartnerCards, schemas.listPartnerCards, (ctx) => cards.listPartnerCards(ctx))
  registerRoute(app, listCardMoves, schemas.listCardMoves, (ctx) => cards.listMoves(ctx, { programs }))
  registerRoute(app, listCardRequests, schemas.listCardRequests, (ctx) => cards.listMoveRequests(ctx))
  registerRoute(app, undoCardMove, schemas.undoCardMove, (ctx, { body }) =>
    cards.undoMove(ctx, { programs, origin }, body.id),
  )
  registerRoute(app, decideCardMove, schemas.decideCardMove, (ctx, { body }) => cards.decideMoveRequest(ctx, body))
  registerRoute(app, deleteCard, schemas.deleteCard, async (ctx, { query }, { reply }) => {
    const { closed } = await cards.removeCard(ctx, query)
    if (closed) clearSession(reply, cookies)
    return true as const
  })
}
