import type { Ctx } from '../../platform/http/context.ts'
import { Refusal } from '../../platform/refusal.ts'
import type { FeedEvent, Outcome } from './contract.ts'
import { mostTogether, receiveEvents } from './receive-events.ts'
import { shardCount, shardOf } from './shards.ts'

/** Receives single messages and processes many at a time. */
export interface Intake {
  /** Resolves once the message is committed. Rejects with the error of its own transaction. */
  receive(ctx: Ctx, event: FeedEvent): Promise<Outcome>
}

interface Waiting {
  ctx: Ctx
  event: FeedEvent
  resolve: (outcome: Outcome) => void
  reject: (error: unknown) => void
}

/** The waiting messages of a partner by partition, and the partitions with a transaction in progress. */
interface Queue {
  waiting: Waiting[][]
  busy: Set<number>
}

const lanes = Array.from({ length: shardCount }, (_, lane) => lane)

/**
 * From this number of messages on, partitions are processed in parallel; fewer cost less in one transaction for all
 * partitions (measured: 50 in one a tenth faster than in two, 500 in two a quarter faster than in one).
 */
const manyMessages = 200

/**
 * Returns an intake that batches: while a transaction of a partition is in progress, incoming messages wait and go into
 * the next one together, so the cost of each falls with the load. A message that cannot be stored affects no other.
 */
export function createIntake(receiveAll = receiveEvents): Intake {
  const queues = new Map<string, Queue>()

  /** Processes many messages in parallel, in free partitions; few together, when all partitions are free. */
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
    // Senders may send more as soon as they receive a result: messages of this turn of the event loop go in together.
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
        // The signature was valid, but the network used the URL of another program.
        if (event.transaction.programId !== ctx.partnerId) return reject(new Refusal('otherProgram'))
        const queue = queueOf(ctx.partnerId)
        const isFirst = queue.waiting.every((waiting) => waiting.length === 0)
        queue.waiting[shardOf(event.transaction.card.id)]?.push({ ctx, event, resolve, reject })
        if (isFirst) setImmediate(() => start(queue))
      }),
  }
}
