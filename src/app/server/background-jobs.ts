import type { Logger } from 'pino'
import { type ReservationDeps, recoverReservations } from '../../dining/reservations/service.ts'
import { deliverEmails, type EmailTransport } from '../../identity/email/service.ts'
import { deliverNotifications, type NotificationDeps } from '../../identity/notifications/service.ts'
import { processRequests, type RecoveryDeps } from '../../identity/recovery/service.ts'
import type { Ctx } from '../../platform/http/context.ts'
import { expirePending, expireReviews, notifyOfPendingReviews } from '../../rewards/awards/pending.ts'
import { runVipTransitions } from '../../rewards/awards/schedule-vip.ts'
import {
  type CompleteMovesDeps,
  completeMoves,
  notifyExpiringCards,
  notifyMoves,
  notifyOwners,
} from '../../rewards/cards/service.ts'
import { executeDecisions } from '../../rewards/claims/service.ts'
import { rematchJoinedLocations, rematchUnmatched } from '../../rewards/feed/receive-events.ts'
import type { CreditProcessor } from '../../rewards/payouts/processor.ts'
import { executeCredits } from '../../rewards/payouts/statement-credits.ts'

interface BackgroundJobDeps {
  partners: readonly string[]
  contextFor: (partnerId: string) => Ctx
  reservationDeps: ReservationDeps
  recovery: RecoveryDeps
  moves: CompleteMovesDeps
  notificationDeps: NotificationDeps
  processor: CreditProcessor
  transport: EmailTransport | null
  emailFrom: string
  /** Milliseconds between two runs. */
  intervalMs: number
  logger: Logger
  /** Counts every run of a job by its outcome. */
  countJob: (job: string, outcome: 'done' | 'failed') => void
}

/** Large tables are processed only in every 20th run: once a minute by default. */
const slowJobInterval = 20

/**
 * Runs the background jobs that complete what requests started, every few seconds: queued emails, unsettled
 * reservations and others. Any number of processes may run it. Returns a function that stops it and waits for the
 * current run.
 */
export function startBackgroundJobs({
  partners,
  contextFor,
  reservationDeps,
  recovery,
  moves,
  notificationDeps,
  processor,
  transport,
  emailFrom,
  intervalMs,
  logger,
  countJob,
}: BackgroundJobDeps): () => Promise<void> {
  let stopped = false
  let runCount = -1
  async function runJob(job: string, work: () => Promise<unknown>): Promise<void> {
    try {
      await work()
      countJob(job, 'done')
    } catch (error) {
      countJob(job, 'failed')
      logger.warn({ err: error, job }, 'delivery failed')
    }
  }
  async function runJobs(): Promise<void> {
    runCount++
    for (const partnerId of partners) {
      if (stopped) return
      const ctx = contextFor(partnerId)
      // A failing job does not prevent the others.
      await runJob('reservations', () => recoverReservations(ctx, reservationDeps))
      await runJob('recovery', () => processRequests(ctx, recovery))
      await runJob('review-expiry', () => expireReviews(ctx))
      await runJob('payouts', () => executeCredits(ctx, processor))
      await runJob('claims', () => executeDecisions(ctx, moves))
      await runJob('card-moves', async () => {
        await notifyOwners(ctx, moves)
        await rematchCards(ctx, await completeMoves(ctx, moves))
        await rematchCards(ctx, await notifyMoves(ctx, moves))
      })
      if (runCount % slowJobInterval === 0) {
        await runJob('review-requests', () => notifyOfPendingReviews(ctx))
        await runJob('card-expiry', () => notifyExpiringCards(ctx))
        await runJob('pending-transactions', () => expirePending(ctx))
        await runJob('vip', () => runVipTransitions(ctx))
        await runJob('rematch', () => rematchJoinedLocations(ctx))
      }
      await runJob('notifications', () => deliverNotifications(ctx, notificationDeps))
      await runJob('emails', () => deliverEmails({ db: ctx.db, partnerId, transport, from: emailFrom }))
    }
  }
  let current = Promise.resolve()
  let timer: NodeJS.Timeout
  // The next run is scheduled when the previous one has ended, so that slow runs do not overlap.
  const scheduleNext = () => {
    timer = setTimeout(() => {
      current = runJobs().then(() => {
        if (!stopped) scheduleNext()
      })
    }, intervalMs).unref()
  }
  scheduleNext()
  return async () => {
    stopped = true
    clearTimeout(timer)
    await current
  }
}

/** Matches stored transactions of newly linked cards. */
async function rematchCards(ctx: Ctx, cardTokens: readonly string[]): Promise<void> {
  for (const cardToken of cardTokens) await rematchUnmatched(ctx, { cardToken })
}
