import type { FastifyInstance } from 'fastify'
import { blockGuest, type ReservationDeps } from '../dining/reservations/service.ts'
import { fullName } from '../identity/members/rules.ts'
import { findMemberRow } from '../identity/members/service.ts'
import { ApiError } from '../platform/errors.ts'
import { registerRoute } from '../platform/http/register-route.ts'
import { decimalFromCents, parseDollars } from '../platform/money.ts'
import { type FlagCache, writeFlag } from '../programs/partners/service.ts'
import type { CardVault } from '../rewards/cards/vault.ts'
import { barDiner, listStagingCards, loadPartnerCards, sendDine, setFlag } from './contract.ts'
import { deliverEvent } from './deliver-event.ts'
import { loadSampleCards } from './sample-cards.ts'
import * as schemas from './schemas.ts'
import { linkedCards, networkLocation } from './store.ts'

export interface StagingDeps {
  feedSecret: string
  origin: (partnerId: string) => string
  reservations: ReservationDeps
  vault: CardVault
  flags: FlagCache
}

/** Tools that simulate external systems. Not registered in production. */
export function stagingRoutes(
  app: FastifyInstance,
  { feedSecret, origin, reservations, vault, flags }: StagingDeps,
): void {
  registerRoute(app, listStagingCards, schemas.listStagingCards, async (ctx) => {
    const cards = await linkedCards(ctx.db)
    return {
      cards: cards.map((card) => ({
        id: card.publicId,
        member: fullName(card),
        lastFour: card.lastFour,
      })),
    }
  })

  registerRoute(app, setFlag, schemas.setFlag, async (ctx, { body }) => {
    await writeFlag(ctx.db, body)
    // Other processes refresh by database notification; this one refreshes before the response, so that the next page
    // is current.
    await flags.refresh()
    return { set: true as const }
  })

  registerRoute(app, loadPartnerCards, schemas.loadPartnerCards, async (ctx) => {
    const { hasPartnerLoadedCards, cardTypesAccepted: brands } = ctx.program.config
    const member = await findMemberRow(ctx.db, ctx.actor.memberId)
    if (!hasPartnerLoadedCards || !member) throw new ApiError('notOffered')
    await loadSampleCards({ ...ctx, brands }, vault, member.public_id)
    return { loaded: true as const }
  })

  registerRoute(app, barDiner, schemas.barDiner, async (ctx, { body }) => {
    await blockGuest(ctx, reservations, body)
    return { barred: body.barred }
  })

  registerRoute(app, sendDine, schemas.sendDine, async (ctx, { body }) => {
    const card = (await linkedCards(ctx.db)).find(({ publicId }) => publicId === body.cardId)
    if (!card) throw new ApiError('cardNotFound')
    const merchant = await networkLocation(ctx.db, body.merchantId)
    if (!merchant) throw new ApiError('merchantNotFound')
    const now = ctx.now()
    return deliverEvent(
      app,
      { feedSecret, origin: origin(ctx.partnerId) },
      {
        event: body.event,
        partnerId: ctx.partnerId,
        amount: decimalFromCents(parseDollars(body.amount) as number),
        card,
        location: { id: merchant.locationId, merchantName: merchant.name },
        transactionId: body.transactionId,
        dinedAt: now,
        now,
      },
    )
  })
}
