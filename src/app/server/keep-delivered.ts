import type { Logger } from 'pino'
import { type CompletingDesk, completeMoves, notifyOwners, tellMoves, tellOfExpiry } from '../../cards/service.ts'
import { settleClaims } from '../../claims/service.ts'
import type { Ctx } from '../../kit/server/context.ts'
import { deliverMails, type MailTransport } from '../../mail/service.ts'
import { deliverNotices, type NoticeDesk } from '../../notices/service.ts'
import { answerRequests, type RecoveryDesk } from '../../recovery/service.ts'
import { type Desk, settleReservations } from '../../reservations/service.ts'
import {
  type CreditProcessor,
  endWaiting,
  expireReviews,
  keepVip,
  rematchArrived,
  rematchUnmatched,
  settleCredits,
  tellOfReviews,
} from '../../rewards/service.ts'

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
