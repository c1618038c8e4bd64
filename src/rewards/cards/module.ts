import type { Ctx } from '../../platform/http/context.ts'
import { cleanup, perMinute } from '../../platform/jobs/jobs.ts'
import type { Module } from '../../platform/manifest.ts'
import { cardsCopy } from './copy.ts'
import { cardExamples } from './examples.ts'
import { type CardRouteDeps, cardRoutes } from './routes.ts'
import {
  type CompleteMovesDeps,
  completeMoves,
  deleteReplacedCard,
  findLinkedToken,
  notifyExpiringCards,
  notifyMoves,
  notifyOwners,
  purgeMoves,
} from './service.ts'

interface Needs extends Omit<CardRouteDeps, 'gate'>, CompleteMovesDeps {
  botCheck: CardRouteDeps['gate']
  /** Decides again about the transactions of a card that two members have had at the same time. */
  recheckOverlap: (ctx: Ctx, overlapId: string) => Promise<void>
}

export const cardsModule: Module<Needs> = {
  name: 'rewards/cards',
  messages: cardsCopy,
  examples: cardExamples,
  routes: (app, needs) => cardRoutes(app, { ...needs, gate: needs.botCheck }),
  jobs: {
    'card-moves': {
      retries: { times: 18, firstSeconds: 5, longestSeconds: 900 },
      leaseSeconds: 120,
      async run(ctx, { id }, needs) {
        await notifyOwners(ctx, needs)
        await needs.onLinked(ctx, await completeMoves(ctx, needs))
        // An earlier attempt may have linked the job's card and failed afterwards.
        const own = await findLinkedToken(ctx.db, id)
        await needs.onLinked(ctx, own === undefined ? [] : [own])
        await needs.onLinked(ctx, await notifyMoves(ctx, needs))
        const [kind, overlapId] = id.split(':')
        if (kind === 'overlap' && overlapId) await needs.recheckOverlap(ctx, overlapId)
      },
    },
    'replaced-cards': {
      retries: { times: 20, firstSeconds: 30, longestSeconds: 900 },
      leaseSeconds: 120,
      run: (ctx, { id }, { vault }) => deleteReplacedCard(ctx, vault, Number(id)),
    },
  },
  tasks: { 'card-expiry': perMinute(notifyExpiringCards), 'old-moves': cleanup(purgeMoves) },
  memberTables: [
    { table: 'cards', secret: ['token', 'fingerprint', 'home_key'], deletion: 'redacted', merging: 'moved' },
  ],
}
