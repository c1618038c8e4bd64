import type { FastifyInstance } from 'fastify'
import { registerRoute } from '../../../platform/http/register-route.ts'
import * as calls from './contract.ts'
import * as schemas from './schemas.ts'
import * as service from './service.ts'

/** Registers the console's calls about the journal. */
export function ledgerConsoleRoutes(app: FastifyInstance): void {
  registerRoute(app, calls.listJournal, schemas.listJournal, (ctx, { query }) => service.listJournal(ctx, query))
  registerRoute(app, calls.exportJournal, schemas.exportJournal, (ctx, { query }, http) =>
    service.exportJournal(ctx, query, http),
  )
  registerRoute(app, calls.getJournalEntry, schemas.getJournalEntry, (ctx, { params }) =>
    service.getJournalEntry(ctx, params.id),
  )
  registerRoute(app, calls.getTrialBalance, schemas.getTrialBalance, (ctx, { query }) =>
    service.getTrialBalance(ctx, query.day),
  )
}
