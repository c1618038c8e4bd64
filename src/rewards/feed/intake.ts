import { Refusal } from '../../kit/refusal.ts'
import type { Ctx } from '../../kit/server/context.ts'
import type { FeedEvent, Outcome } from './contract.ts'
import { mostTogether, receiveEvents } from './receive-events.ts'
import { shardOf } from './shards.ts'

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

/**
 * While one transaction of a lane is under way, the messages that come meanwhile wait and go into the next one
 * together: the busier it is, the less each costs. One that cannot be kept costs no other.
 */
export function createIntake(receiveAll = receiveEvents): Intake {
  const queues = new Map<string, Waiting[]>()

  async function drain(queue: Waiting[], lane: string): Promise<void> {
    while (queue.length > 0) await take(queue.splice(0, mostTogether))
    queues.delete(lane)
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

  return {
    receive: (ctx, event) =>
      new Promise((resolve, reject) => {
        // The signature was right, but the network sent it to the wrong address.
        if (event.transaction.programId !== ctx.partnerId) return reject(new Refusal('otherProgram'))
        const waiting = { ctx, event, resolve, reject }
        const lane = `${ctx.partnerId}:${shardOf(event.transaction.card.id)}`
        const queue = queues.get(lane)
        if (queue) return void queue.push(waiting)
        const begun = [waiting]
        queues.set(lane, begun)
        void drain(begun, lane)
      }),
  }
}
