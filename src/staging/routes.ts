import type { FastifyInstance } from 'fastify'
import { barGuest, type Desk } from '../dining/reservations/service.ts'
import { memberRow } from '../identity/members/service.ts'
import { serve } from '../platform/http/serve.ts'
import { decimalFromCents, readDollars } from '../platform/money.ts'
import { Refusal } from '../platform/refusal.ts'
import { type FlagShelf, writeFlag } from '../programs/partners/service.ts'
import type { CardVault } from '../rewards/cards/vault.ts'
import { barDiner, listStagingCards, loadPartnerCards, sendDine, setFlag } from './contract.ts'
import { deliverEvent } from './deliver-event.ts'
import { loadSampleCards } from './sample-cards.ts'
import { linkedCards, networkLocation } from './store.ts'

export interface StagingParts {
  feedSecret: string
  origin: (partnerId: string) => string
  desk: Desk
  vault: CardVault
  flags: FlagShelf
}

/** Tools that simulate external systems. Not registered in production. */
export function stagingRoutes(app: FastifyInstance, { feedSecret, origin, desk, vault, flags }: StagingParts): void {
  serve(app, listStagingCards, async (ctx) => {
    const cards = await linkedCards(ctx.db)
    return {
      cards: cards.map((card) => ({
        id: card.publicId,
        member: `${card.firstName} ${card.lastName}`,
        lastFour: card.lastFour,
      })),
    }
  })

  serve(app, setFlag, async (ctx, { body }) => {
    await writeFlag(ctx.db, body)
    // Other processes refresh by database notification; this one refreshes before the response, so that the next page
    // is current.
    await flags.refresh()
    return { set: true as const }
  })

  serve(app, loadPartnerCards, async (ctx) => {
    const { hasPartnerLoadedCards, cardTypesAccepted: brands } = ctx.program.config
    const member = await memberRow(ctx.db, ctx.actor.memberId as number)
    if (!hasPartnerLoadedCards || !member) throw new Refusal('notOffered')
    await loadSampleCards({ ...ctx, brands }, vault, member.public_id)
    return { loaded: true as const }
  })

  serve(app, barDiner, async (ctx, { body }) => {
    await barGuest(ctx, desk, body)
    return { barred: body.barred }
  })

  serve(app, sendDine, async (ctx, { body }) => {
    const card = (await linkedCards(ctx.db)).find(({ publicId }) => publicId === body.cardId)
    if (!card) throw new Refusal('cardNotFound')
    const merchant = await networkLocation(ctx.db, body.merchantId)
    if (!merchant) throw new Refusal('merchantNotFound')
    const now = ctx.now()
    return deliverEvent(
      app,
      { feedSecret, origin: origin(ctx.partnerId) },
      {
        event: body.event,
        partnerId: ctx.partnerId,
        amount: decimalFromCents(readDollars(body.amount) as number),
        card,
        location: { id: merchant.locationId, merchantName: merchant.name },
        transactionId: body.transactionId,
        dinedAt: now,
        now,
      },
    )
  })
}
