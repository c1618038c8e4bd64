import { Refusal } from '../../kit/refusal.ts'
import type { Ctx } from '../../kit/server/context.ts'
import type { FeedEvent, Outcome } from './contract.ts'
import { mostTogether, receiveEvents } from './receive-events.ts'
import { shardCount, shardOf } from './shards.ts'

/** Takes single messages in, many at a time. */
export interface Intake {
  /** Answers once the message is kept for good. Throws what its own transaction threw. */
  receive(ctx: Ctx, event: FeedEvent): Promise<Outcome>
}

interface Waiting {
  ctx: Ctx
  event: FeedEvent
  resolve: (outcome: Outcome) => void
  reject: (error: unknown) => void
}

/** What waits of a partner, lane by lane, and the lanes in which a transaction is under way. */
interface Queue {
  waiting: Waiting[][]
  busy: Set<number>
}

const lanes = Array.from({ length: shardCount }, (_, lane) => lane)

/**
 * From so many messages on they are taken in side by side, lane by lane; fewer cost less in one transaction for all
 * lanes (measured: 50 in one a tenth faster than in two, 500 in two a quarter faster than in one).
 */
const manyMessages = 200

/**
 * While a transaction of a lane is under way, the messages that come meanwhile wait and go into the next one together:
 * the busier it is, the less each costs. One that cannot be kept costs no other.
 */
export function createIntake(receiveAll = receiveEvents): Intake {
  const queues = new Map<string, Queue>()

  /** Takes many in side by side, in lanes that are free; few together, when all of them are. */
  function start(queue: Queue): void {
    const free = lanes.filter((lane) => !queue.busy.has(lane) && queue.waiting[lane]?.length)
    const count = free.reduce((sum, lane) => sum + (queue.waiting[lane]?.length ?? 0), 0)
    if (count >= manyMessages) for (const lane of free) void work(queue, [lane])
    else if (count > 0 && queue.busy.size === 0) void work(queue, lanes)
  }

  async function work(queue: Queue, held: readonly number[]): Promise<void> {
    for (const lane of held) queue.busy.add(lane)
    await take(held.flatMap((lane) => queue.waiting[lane]?.splice(0, mostTogether) ?? []))
    for (const lane of held) queue.busy.delete(lane)
    // Who was answered just now may have more to say: what comes in this turn of the event loop goes in together.
    setImmediate(() => start(queue))
  }

  async function take(batch: readonly Waiting[]): Promise<void> {
    const [first] = batch
    if (!first) return
    try {
      const outcomes = await receiveAll(
        first.ctx,
        batch.map(({ event }) => event),
      )
      for (const [index, each] of batch.entries()) each.resolve(outcomes[index] as Outcome)
    } catch (error) {
      if (batch.length === 1) return first.reject(error)
      for (const each of batch) await take([each])
    }
  }

  function queueOf(partnerId: string): Queue {
    const queue = queues.get(partnerId) ?? { waiting: lanes.map(() => []), busy: new Set() }
    queues.set(partnerId, queue)
    return queue
  }

  return {
    receive: (ctx, event) =>
      new Promise((resolve, reject) => {
        // The signature was right, but the network sent it to the wrong address.
        if (event.transaction.programId !== ctx.partnerId) return reject(new Refusal('otherProgram'))
        const queue = queueOf(ctx.partnerId)
        const isFirst = queue.waiting.every((waiting) => waiting.length === 0)
        queue.waiting[shardOf(event.transaction.card.id)]?.push({ ctx, event, resolve, reject })
        if (isFirst) setImmediate(() => start(queue))
      }),
  }
}
