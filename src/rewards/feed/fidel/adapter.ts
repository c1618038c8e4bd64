import { ApiError } from '../../../platform/errors.ts'
import type { Ctx } from '../../../platform/http/context.ts'
import { isFromTheFuture } from '../future-dates.ts'
import { FeedEvent, FeedEventName } from '../schemas.ts'
import type { FidelEvent } from './contract.ts'

export function isTransactionEvent(event: FidelEvent): event is Extract<FidelEvent, FeedEvent['event']> {
  return FeedEventName.safeParse(event).success
}

/**
 * Returns a webhook's transaction as a feed event. Fidel sends the transaction alone; the URL names the event. Amounts
 * are numbers, `datetime` is the restaurant's local time, a refund has a negative amount and is also sent as a
 * clearing, and its original may be missing: the feed handles all of these. Throws error codes `otherProgram`,
 * `malformedEvent` and `futureDate`.
 */
export function eventOfWebhook(
  ctx: Ctx,
  programId: string,
  event: FeedEvent['event'],
  body: Record<string, unknown>,
): FeedEvent {
  if (body.programId !== programId) throw new ApiError('otherProgram')
  const { card, location, brand } = body
  const read = FeedEvent.safeParse({
    event,
    // The feed expects absent properties instead of null.
    transaction: { ...withoutNulls(body), card, location, ...(brand ? { brand } : {}), programId: ctx.partnerId },
  })
  if (!read.success) throw new ApiError('malformedEvent')
  if (isFromTheFuture(read.data, ctx.now())) throw new ApiError('futureDate')
  return read.data
}

function withoutNulls(body: Record<string, unknown>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(body).filter(([, value]) => value !== null))
}
