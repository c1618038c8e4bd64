import { randomUUID } from 'node:crypto'
import type { FastifyBaseLogger } from 'fastify'
import { ApiError } from '../../platform/errors.ts'
import { anonymousActor, type Ctx } from '../../platform/http/context.ts'
import type { FeedEvent, Outcome } from './contract.ts'
import { partitionCount, partitionOf } from './partitions.ts'
import { maxBatchSize, receiveEvents } from './receive-events.ts'

/** Receives single messages and processes many at a time. */
export interface Intake {
  /**
   * Resolves once the message is committed. Rejects with the error of its own transaction, with `otherProgram`, or with
   * `tooManyWaiting`.
   */
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

const partitions = Array.from({ length: partitionCount }, (_, partition) => partition)

/**
 * From this number of messages on, partitions are processed in parallel; fewer cost less in one transaction for all
 * partitions (measured: 50 in one a tenth faster than in two, 500 in two a quarter faster than in one).
 */
const manyMessages = 200

/**
 * Maximum number of waiting messages of a partner, ten full transactions: a sender waits 8 seconds for its response, and
 * several thousand messages are processed in that time. More would only be sent again while they wait.
 */
const maxWaitingMessages = 10 * maxBatchSize

interface IntakeOptions {
  receiveAll?: typeof receiveEvents
  /** The logger of batches; by default that of the request whose message is the last of the batch. */
  log?: FastifyBaseLogger
  maxWaiting?: number
}

/**
 * Returns an intake that batches: while a transaction of a partition is in progress, incoming messages wait and go into
 * the next one together, so the cost of each falls with the load. A message that cannot be stored affects no other.
 * Above `maxWaiting` messages, further ones of the partner are rejected.
 */
export function createIntake(options: IntakeOptions = {}): Intake {
  const { receiveAll = receiveEvents, log, maxWaiting = maxWaitingMessages } = options
  const queues = new Map<string, Queue>()

  /** Processes many messages in parallel, in free partitions; few together, when all partitions are free. */
  function start(queue: Queue): void {
    const free = partitions.filter((partition) => !queue.busy.has(partition) && queue.waiting[partition]?.length)
    const count = free.reduce((sum, partition) => sum + (queue.waiting[partition]?.length ?? 0), 0)
    if (count >= manyMessages) for (const partition of free) void work(queue, [partition])
    else if (count > 0 && queue.busy.size === 0) void work(queue, partitions)
  }

  async function work(queue: Queue, held: readonly number[]): Promise<void> {
    for (const partition of held) queue.busy.add(partition)
    await process(held.flatMap((partition) => queue.waiting[partition]?.splice(0, maxBatchSize) ?? []))
    for (const partition of held) queue.busy.delete(partition)
    // Senders may send more as soon as they receive a result: messages of this turn of the event loop go in together.
    setImmediate(() => start(queue))
  }

  async function process(batch: readonly Waiting[]): Promise<void> {
    const last = batch.at(-1)
    if (!last) return
    try {
      const outcomes = await receiveAll(
        createBatchContext(last.ctx, log),
        batch.map(({ event }) => event),
      )
      for (const [index, queued] of batch.entries()) queued.resolve(outcomes[index] as Outcome)
    } catch (error) {
      if (batch.length === 1) return last.reject(error)
      for (const queued of batch) await process([queued])
    }
  }

  function queueOf(partnerId: string): Queue {
    const queue = queues.get(partnerId) ?? { waiting: partitions.map(() => []), busy: new Set() }
    queues.set(partnerId, queue)
    return queue
  }

  return {
    receive: (ctx, event) =>
      new Promise((resolve, reject) => {
        // The signature was valid, but the network used the URL of another program.
        if (event.transaction.programId !== ctx.partnerId) return reject(new ApiError('otherProgram'))
        const queue = queueOf(ctx.partnerId)
        const count = queue.waiting.reduce((sum, waiting) => sum + waiting.length, 0)
        if (count >= maxWaiting) return reject(new ApiError('tooManyWaiting'))
        queue.waiting[partitionOf(event.transaction.card.id)]?.push({ ctx, event, resolve, reject })
        if (count === 0) setImmediate(() => start(queue))
      }),
  }
}

/** Returns the context of a batch: of its partner and time, but of no request and no person. */
function createBatchContext(ctx: Ctx, log = ctx.log): Ctx {
  const requestId = `intake-${randomUUID()}`
  return { ...ctx, requestId, log: log.child({ reqId: requestId }), actor: anonymousActor, address: '', userAgent: '' }
}
