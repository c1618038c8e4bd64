import { getSignedInMember } from '../../identity/members/service.ts'
import { attemptKey, countAttempt } from '../../platform/database/attempts.ts'
import { inTransaction } from '../../platform/database/db.ts'
import { ApiError } from '../../platform/errors.ts'
import type { Ctx, MemberCtx } from '../../platform/http/context.ts'
import { callProvider, guestOf, type ReservationDeps } from './deps.ts'
import { planReservation, type ReservationRequest, rejectBeyondOpen, rejectOverlap } from './plan-reservation.ts'
import { holdMs, maxExternalHolds } from './rules.ts'

/** Holds a table for the signed-in member until confirmation. For error codes see the contract. */
export async function holdTable(
  ctx: MemberCtx,
  deps: ReservationDeps,
  request: ReservationRequest,
): Promise<{ token: string; expiresAt: string }> {
  const { merchant, provider, startsAt } = await planReservation(ctx, deps, request)
  const member = await getSignedInMember(ctx)
  await inTransaction(ctx.db, async (tx) => {
    await rejectOverlap(tx, member.id, { merchant, startsAt })
    await rejectBeyondOpen(tx, member.id, ctx.now())
  })
  if (!provider.releasesHolds) await countExternalHold(ctx, deps, member.id)
  const seat = { startsAt, partySize: request.partySize, guest: guestOf(deps, member) }
  const { holdToken, expiresAt } = await callProvider(ctx, provider.hold(merchant, seat, ctx.now()))
  return { token: holdToken, expiresAt: expiresAt.toISOString() }
}

/** Counts a hold at a provider that keeps every one until it ends. Throws `tooManyHolds`. */
async function countExternalHold(ctx: Ctx, deps: ReservationDeps, memberId: number): Promise<void> {
  const key = attemptKey(deps.guestKey, 'holds', ctx.partnerId, String(memberId))
  const count = await countAttempt(ctx.db, { key, maxAttempts: maxExternalHolds, windowMs: holdMs })
  if (count > maxExternalHolds) throw new ApiError('tooManyHolds')
}
