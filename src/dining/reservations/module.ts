import type { Db } from '../../platform/database/db.ts'
import { sharedCleanup } from '../../platform/jobs/jobs.ts'
import type { Module } from '../../platform/manifest.ts'
import { reservationsCopy } from './copy.ts'
import { reservationExamples } from './examples.ts'
import { reservationRoutes } from './routes.ts'
import { purgeHolds, type ReservationDeps, recoverReservation } from './service.ts'

interface Needs {
  reservations: ReservationDeps
  sharedDb: Db
}

export const reservationsModule: Module<Needs> = {
  name: 'dining/reservations',
  messages: reservationsCopy,
  examples: reservationExamples,
  routes: (app, { reservations }) => reservationRoutes(app, reservations),
  jobs: {
    reservations: {
      // Settled for days: a table must not stay reserved for somebody who was told that the booking had failed.
      retries: { times: 400, firstSeconds: 30, longestSeconds: 1_800 },
      leaseSeconds: 120,
      run: (ctx, { id }, { reservations }) => recoverReservation(ctx, reservations, Number(id)),
    },
  },
  tasks: { 'ended-holds': sharedCleanup<Needs>(({ sharedDb }) => purgeHolds(sharedDb, new Date())) },
  memberTables: [{ table: 'reservations', secret: ['token', 'hold_token'], deletion: 'retained', merging: 'moved' }],
}
