import type { OperatorCtx } from '../../platform/http/operator.ts'
import { reviewCallbacks } from '../../platform/jobs/queues.ts'
import type { OutsideSystem } from './contract.ts'
import * as store from './store.ts'

/** Which outside systems an installation has. Without one, it uses its included replacement, or nothing. */
export interface SetUp {
  email: boolean
  payouts: boolean
  booking: boolean
}

const toText = (at: Date | null) => at?.toISOString() ?? null

/** Returns how the outside systems of the program do, from what the database has of them. */
export async function readOutsideSystems(ctx: OperatorCtx, setUp: SetUp): Promise<OutsideSystem[]> {
  const queueOf = {
    email: 'emails',
    notifications: 'notifications',
    booking: 'reservations',
    surveys: reviewCallbacks,
  } as const
  const [queues, feed, payouts, payoutQueue, lastSent, lastBooked] = await Promise.all([
    store.readQueues(ctx.db, Object.values(queueOf)),
    store.readFeed(ctx.db, ctx.now()),
    store.readPayouts(ctx.db),
    store.readQueues(ctx.db, ['statement-credits']),
    store.findLastSent(ctx.db),
    store.findLastBooked(ctx.db),
  ])
  const ofQueue = (kind: keyof typeof queueOf, isSetUp: boolean): OutsideSystem => {
    const { waiting, retrying, failed, oldestDueAt, lastFailureAt, lastDoneAt } = queues.find(
      ({ queue }) => queue === queueOf[kind],
    ) as store.QueueHealth
    return {
      kind,
      isSetUp,
      lastSuccessAt: toText(lastDoneAt),
      isOfLastHour: true,
      lastFailureAt: toText(lastFailureAt),
      waiting,
      retrying,
      failed,
      oldestDueAt: toText(oldestDueAt),
    }
  }
  return [
    {
      kind: 'cardNetwork',
      isSetUp: true,
      lastSuccessAt: toText(feed.lastMessageAt),
      isOfLastHour: false,
      lastFailureAt: toText(feed.lastUnfinishedAt),
      waiting: feed.unmatched,
      retrying: 0,
      failed: feed.unfinishedFiles,
      oldestDueAt: null,
    },
    {
      kind: 'payouts',
      isSetUp: setUp.payouts,
      lastSuccessAt: toText(payoutQueue[0]?.lastDoneAt ?? null),
      isOfLastHour: true,
      waiting: payouts.waiting,
      retrying: payouts.retrying,
      failed: payouts.failed,
      lastFailureAt: toText(payouts.lastFailureAt),
      oldestDueAt: toText(payouts.oldestDueAt),
    },
    // A job of an email is also done without a mail server, so the emails themselves say when one was sent.
    { ...ofQueue('email', setUp.email), lastSuccessAt: toText(lastSent), isOfLastHour: false },
    ofQueue('notifications', true),
    // Jobs only complete what a request has left open.
    { ...ofQueue('booking', setUp.booking), lastSuccessAt: toText(lastBooked), isOfLastHour: false },
    ofQueue('surveys', true),
  ]
}
