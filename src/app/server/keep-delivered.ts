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
  /** Milliseconds between two rounds. */
  intervalMs: number
  logger: Logger
  /** Counts every run of a job by its outcome. */
  countJob: (job: string, outcome: 'done' | 'failed') => void
}

/** Large tables are searched in every so manyth round only: once a minute by default. */
const looksEvery = 20

/**
 * Brings to an end, every few seconds, what requests have begun: mails that wait, reservations that nobody ended.
 * Any number of processes may do so at once. Answers how to stop; the round that is under way is waited for.
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
      // One that fails does not keep the others from being done.
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
  // The next round is planned when the last one has ended, so that slow rounds do not queue up.
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

/** Transactions of cards that have just arrived may be waiting for them. */
async function rematchCards(ctx: Ctx, cardTokens: readonly string[]): Promise<void> {
  for (const cardToken of cardTokens) await rematchUnmatched(ctx, { cardToken })
}
