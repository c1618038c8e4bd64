import type { Logger } from 'pino'
import { type MoveDesk, tellMoves, tellOfExpiry } from '../../cards/service.ts'
import { settleClaims } from '../../claims/service.ts'
import type { Ctx } from '../../kit/server/context.ts'
import { SECOND } from '../../kit/time.ts'
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
  moves: MoveDesk
  notices: NoticeDesk
  processor: CreditProcessor
  transport: MailTransport | null
  mailFrom: string
  logger: Logger
}

const every = 3 * SECOND
/** What is looked for in large tables is looked for in every so manyth round: once a minute. */
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
  logger,
}: Delivered): () => Promise<void> {
  let stopped = false
  let rounds = -1
  const quietly = (work: () => Promise<unknown>) =>
    work().catch((error) => logger.warn({ err: error }, 'delivery failed'))
  async function round(): Promise<void> {
    rounds++
    for (const partnerId of partners) {
      if (stopped) return
      const ctx = contextFor(partnerId)
      // One that fails does not keep the others from being done.
      await quietly(() => settleReservations(ctx, desk))
      await quietly(() => answerRequests(ctx, recovery))
      await quietly(() => expireReviews(ctx))
      await quietly(() => settleCredits(ctx, processor))
      await quietly(() => settleClaims(ctx, moves))
      await quietly(async () => {
        for (const cardToken of await tellMoves(ctx, moves)) await rematchUnmatched(ctx, { cardToken })
      })
      if (rounds % looksEvery === 0) {
        await quietly(() => tellOfReviews(ctx))
        await quietly(() => tellOfExpiry(ctx))
        await quietly(() => endWaiting(ctx))
        await quietly(() => keepVip(ctx))
        await quietly(() => rematchArrived(ctx))
      }
      await quietly(() => deliverNotices(ctx, notices))
      await quietly(() => deliverMails({ db: ctx.db, partnerId, transport, from: mailFrom }))
    }
  }
  let current = Promise.resolve()
  const begin = () => {
    current = current.then(round)
  }
  const timer = setInterval(begin, every).unref()
  return async () => {
    stopped = true
    clearInterval(timer)
    await current
  }
}
