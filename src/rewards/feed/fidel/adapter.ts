import { Refusal } from '../../../kit/refusal.ts'
import type { Ctx } from '../../../kit/server/context.ts'
import { FeedEvent, FeedEventName } from '../contract.ts'
import { isFromTheFuture } from '../instant.ts'
import type { FidelEvent } from './contract.ts'

export function isTransactionEvent(event: FidelEvent): event is Extract<FidelEvent, FeedEvent['event']> {
  return FeedEventName.safeParse(event).success
}

/**
 * A webhook's transaction as an event of ours. Fidel sends the transaction alone; what happened is told by the address.
 * Its amounts are numbers, its `datetime` is the clock on the restaurant's wall, a refund comes below zero and as a
 * clearing too, and its original may be missing: all that the feed knows how to read. Refusals `otherProgram`,
 * `malformedEvent` and `futureDate`.
 */
export function eventOfWebhook(
  ctx: Ctx,
  programId: string,
  event: FeedEvent['event'],
  body: Record<string, unknown>,
): FeedEvent {
  if (body.programId !== programId) throw new Refusal('otherProgram')
  const { card, location, brand } = body
  const read = FeedEvent.safeParse({
    event,
    // What is null there is absent here.
    transaction: { ...withoutNulls(body), card, location, ...(brand ? { brand } : {}), programId: ctx.partnerId },
  })
  if (!read.success) throw new Refusal('malformedEvent')
  if (isFromTheFuture(read.data, ctx.now())) throw new Refusal('futureDate')
  return read.data
}

function withoutNulls(body: Record<string, unknown>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(body).filter(([, value]) => value !== null))
}
