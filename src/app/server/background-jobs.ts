import type { Logger } from 'pino'
import { purgeConsoleSessions } from '../../console/operators/service.ts'
import { purgeHolds, type ReservationDeps, recoverReservation } from '../../dining/reservations/service.ts'
import { purgeSpentTokens } from '../../identity/bot-check/service.ts'
import { type EmailTransport, redactExpiredSecrets, sendEmail } from '../../identity/email/service.ts'
import { purgeProspects } from '../../identity/enrollment/service.ts'
import { purgeFormerMembers } from '../../identity/members/service.ts'
import { type NotificationDeps, purgeNotifications, sendNotification } from '../../identity/notifications/service.ts'
import { processRequestById, purgeRecoveries, type RecoveryDeps } from '../../identity/recovery/service.ts'
import { purgeSessions } from '../../identity/session/service.ts'
import { purgeVerifications } from '../../identity/verification/service.ts'
import type { Settings } from '../../platform/config/settings.ts'
import { purgeAttempts } from '../../platform/database/attempts.ts'
import type { Db } from '../../platform/database/db.ts'
import { purgeIdempotencyKeys } from '../../platform/database/idempotency.ts'
import type { Ctx } from '../../platform/http/context.ts'
import type { RowQueue } from '../../platform/jobs/queues.ts'
import {
  type ClaimedJob,
  type CountJob,
  type JobHandler,
  type PeriodicTask,
  startJobWorkers,
} from '../../platform/jobs/workers.ts'
import { rotateImpressionPartitions } from '../../programs/tracking/service.ts'
import { recheckOverlap } from '../../rewards/awards/apply.ts'
import { carryOpenDebts } from '../../rewards/awards/carry-debts.ts'
import { expirePending, expireReviews, notifyOfPendingReviews } from '../../rewards/awards/pending.ts'
import { runVipTransitions } from '../../rewards/awards/schedule-vip.ts'
import {
  type CompleteMovesDeps,
  completeMoves,
  deleteReplacedCard,
  findLinkedToken,
  notifyExpiringCards,
  notifyMoves,
  notifyOwners,
  purgeMoves,
} from '../../rewards/cards/service.ts'
import { executeDecision, purgeReceipts } from '../../rewards/claims/service.ts'
import { completeLink } from '../../rewards/feed/complete-link.ts'
import { rematchJoinedLocations } from '../../rewards/feed/receive-events.ts'
import type { CreditProcessor } from '../../rewards/payouts/processor.ts'
import { enqueueOverdueCredits, executeCredit } from '../../rewards/payouts/statement-credits.ts'
import type { Database } from '../database.ts'
import type { createServices } from './services.ts'

export interface BackgroundJobDeps {
  settings: Settings
  database: Database
  partners: readonly string[]
  contextFor: (partnerId: string) => Ctx
  services: Pick<Awaited<ReturnType<typeof createServices>>, 'dbListener' | 'vault'>
  reservationDeps: ReservationDeps
  recovery: RecoveryDeps
  moves: CompleteMovesDeps
  notificationDeps: NotificationDeps
  processor: CreditProcessor
  transport: EmailTransport | null
  logger: Logger
  /** Counts every attempt of a job by its outcome. */
  countJob: CountJob
}

/**
 * Starts what completes the work of requests: emails, payouts and other jobs, and periodic tasks. Any number of
 * processes may run them. Returns a function that waits for the running ones.
 */
export function startBackgroundJobs(deps: BackgroundJobDeps): Promise<() => Promise<void>> {
  const { settings, database, services } = deps
  return startJobWorkers({
    url: database.jobsUrl,
    dbListener: services.dbListener,
    partners: deps.partners,
    handlers: handlersOf(deps),
    tasks: tasksOf(deps),
    pollMs: settings.JOB_POLL_MS,
    log: deps.logger,
    countJob: deps.countJob,
  })
}

/** Returns what executes the jobs of each queue. */
export function handlersOf(deps: BackgroundJobDeps): Record<RowQueue, JobHandler> {
  const { contextFor, moves, services } = deps
  const inProgram = (work: (ctx: Ctx, job: ClaimedJob) => Promise<unknown>): JobHandler => {
    return async (job) => void (await work(contextFor(job.partnerId), job))
  }
  return {
    emails: inProgram(({ db, partnerId }, job) =>
      sendEmail({ db, partnerId, transport: deps.transport, from: deps.settings.MAIL_FROM }, job),
    ),
    notifications: inProgram((ctx, job) => sendNotification(ctx, deps.notificationDeps, job)),
    'statement-credits': inProgram((ctx, job) => executeCredit(ctx, deps.processor, job)),
    reservations: inProgram((ctx, { id }) => recoverReservation(ctx, deps.reservationDeps, Number(id))),
    'recovery-requests': inProgram((ctx, { id }) => processRequestById(ctx, deps.recovery, Number(id))),
    'claim-decisions': inProgram((ctx, { id }) => executeDecision(ctx, moves, Number(id))),
    'card-moves': inProgram(async (ctx, { id }) => {
      await notifyOwners(ctx, moves)
      await completeLinks(ctx, await completeMoves(ctx, moves))
      // An earlier attempt may have linked the job's card and failed afterwards.
      const own = await findLinkedToken(ctx.db, id)
      await completeLinks(ctx, own === undefined ? [] : [own])
      await completeLinks(ctx, await notifyMoves(ctx, moves))
      const [kind, overlapId] = id.split(':')
      if (kind === 'overlap' && overlapId) await recheckOverlap(ctx, overlapId)
    }),
    'replaced-cards': inProgram((ctx, { id }) => deleteReplacedCard(ctx, services.vault, Number(id))),
  }
}

async function completeLinks(ctx: Ctx, cardTokens: readonly string[]): Promise<void> {
  for (const cardToken of cardTokens) await completeLink(ctx, cardToken)
}

const everyMinute = '* * * * *'
const everyTenMinutes = '*/10 * * * *'

/** Returns the periodic tasks by name. */
export function tasksOf({ settings, database, contextFor }: BackgroundJobDeps): Record<string, PeriodicTask> {
  const perMinute = (work: (ctx: Ctx) => Promise<unknown>): PeriodicTask => ({
    cron: everyMinute,
    run: (partnerId) => work(contextFor(partnerId)),
  })
  const cleanup = (work: (db: Db) => Promise<unknown>): PeriodicTask => ({
    cron: everyTenMinutes,
    run: (partnerId) => work(database.pools.forPartner(partnerId)),
  })
  const shared = (work: () => Promise<unknown>): PeriodicTask => ({ cron: everyTenMinutes, run: work, isShared: true })
  return {
    'review-expiry': perMinute(expireReviews),
    'review-requests': perMinute(notifyOfPendingReviews),
    'card-expiry': perMinute(notifyExpiringCards),
    'pending-transactions': perMinute(expirePending),
    vip: perMinute(runVipTransitions),
    rematch: perMinute(rematchJoinedLocations),
    debts: perMinute(carryOpenDebts),
    sessions: cleanup(purgeSessions),
    attempts: cleanup(purgeAttempts),
    'idempotency-keys': cleanup(purgeIdempotencyKeys),
    prospects: cleanup(purgeProspects),
    'bot-check-tokens': cleanup(purgeSpentTokens),
    recoveries: cleanup(purgeRecoveries),
    'email-verifications': cleanup(purgeVerifications),
    'email-secrets': cleanup(redactExpiredSecrets),
    'old-moves': cleanup(purgeMoves),
    'old-notifications': cleanup(purgeNotifications),
    'overdue-credits': cleanup(enqueueOverdueCredits),
    receipts: cleanup(purgeReceipts),
    'former-members': cleanup(purgeFormerMembers),
    impressions: shared(() => rotateImpressionPartitions(database.pools.shared, settings.IMPRESSIONS_KEPT_MONTHS)),
    'ended-holds': shared(() => purgeHolds(database.pools.shared, new Date())),
    'console-sessions': shared(() => purgeConsoleSessions(database.consolePools.shared)),
  }
}
