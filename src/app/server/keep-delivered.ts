import type { Logger } from 'pino'
import { type Desk, settleReservations } from '../../dining/reservations/service.ts'
import { deliverMails, type MailTransport } from '../../identity/email/service.ts'
import { deliverNotices, type NoticeDesk } from '../../identity/notifications/service.ts'
import { answerRequests, type RecoveryDesk } from '../../identity/recovery/service.ts'
import type { Ctx } from '../../platform/http/context.ts'
import { endWaiting } from '../../rewards/awards/end-waiting.ts'
import { keepVip } from '../../rewards/awards/note-vip.ts'
import { expireReviews } from '../../rewards/awards/review-meals.ts'
import { tellOfReviews } from '../../rewards/awards/tell-member.ts'
import {
  type CompletingDesk,
  completeMoves,
  notifyOwners,
  tellMoves,
  tellOfExpiry,
} from '../../rewards/cards/service.ts'
import { settleClaims } from '../../rewards/claims/service.ts'
import { rematchArrived, rematchUnmatched } from '../../rewards/feed/receive-events.ts'
import type { CreditProcessor } from '../../rewards/payouts/processor.ts'
import { settleCredits } from '../../rewards/payouts/statement-credits.ts'

interface Delivered {
  partners: readonly string[]
  contextFor: (partnerId: string) => Ctx
  desk: Desk
  recovery: RecoveryDesk
  moves: CompletingDesk
  notices: NoticeDesk
  processor: CreditProcessor
  transport: MailTransport | null
  mailFrom: string
  /** Milliseconds between two runs. */
  intervalMs: number
  logger: Logger
  /** Counts every run of a job by its outcome. */
  countJob: (job: string, outcome: 'done' | 'failed') => void
}

/** Large tables are processed only in every 20th run: once a minute by default. */
const looksEvery = 20

/**
 * Runs the background jobs that complete what requests started, every few seconds: queued emails, unsettled
 * reservations and others. Any number of processes may run it. Returns a function that stops it and waits for the
 * current run.
 */
export function keepDelivered({
  partners,
  contextFor,
  desk,
  recovery,
  moves,
  notices,
  processor,
  transport,
  mailFrom,
  intervalMs,
  logger,
  countJob,
}: Delivered): () => Promise<void> {
  let stopped = false
  let rounds = -1
  async function quietly(job: string, work: () => Promise<unknown>): Promise<void> {
    try {
      await work()
      countJob(job, 'done')
    } catch (error) {
      countJob(job, 'failed')
      logger.warn({ err: error, job }, 'delivery failed')
    }
  }
  async function round(): Promise<void> {
    rounds++
    for (const partnerId of partners) {
      if (stopped) return
      const ctx = contextFor(partnerId)
      // A failing job does not prevent the others.
      await quietly('reservations', () => settleReservations(ctx, desk))
      await quietly('recovery', () => answerRequests(ctx, recovery))
      await quietly('review-expiry', () => expireReviews(ctx))
      await quietly('payouts', () => settleCredits(ctx, processor))
      await quietly('claims', () => settleClaims(ctx, moves))
      await quietly('card-moves', async () => {
        await notifyOwners(ctx, moves)
        await rematchCards(ctx, await completeMoves(ctx, moves))
        await rematchCards(ctx, await tellMoves(ctx, moves))
      })
      if (rounds % looksEvery === 0) {
        await quietly('review-requests', () => tellOfReviews(ctx))
        await quietly('card-expiry', () => tellOfExpiry(ctx))
        await quietly('pending-transactions', () => endWaiting(ctx))
        await quietly('vip', () => keepVip(ctx))
        await quietly('rematch', () => rematchArrived(ctx))
      }
      await quietly('notifications', () => deliverNotices(ctx, notices))
      await quietly('emails', () => deliverMails({ db: ctx.db, partnerId, transport, from: mailFrom }))
    }
  }
  let current = Promise.resolve()
  let timer: NodeJS.Timeout
  // The next run is scheduled when the previous one has ended, so that slow runs do not overlap.
  const plan = () => {
    timer = setTimeout(() => {
      current = round().then(() => {
        if (!stopped) plan()
      })
    }, intervalMs).unref()
  }
  plan()
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
