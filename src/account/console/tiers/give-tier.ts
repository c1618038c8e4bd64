import { tierNamesOf } from '../../../console-kit/tier-names.ts'
import {
  endTierGrants,
  getCurrentTier,
  insertTierGrant,
  lockMember,
  type MemberRow,
} from '../../../identity/members/service.ts'
import { audit } from '../../../platform/database/audit.ts'
import { inTransaction, type Tx } from '../../../platform/database/db.ts'
import { fingerprintOf, tryOrDo } from '../../../platform/database/dry-run.ts'
import { ApiError, ValidationError } from '../../../platform/errors.ts'
import type { OperatorCtx } from '../../../platform/http/operator.ts'
import { formatCents } from '../../../platform/money.ts'
import { publicId } from '../../../platform/security/ids.ts'
import { addDays } from '../../../platform/time.ts'
import type { TierLevel } from '../../../programs/partners/contract.ts'
import { formatReward } from '../../../programs/partners/rates.ts'
import { dayOf } from '../../../programs/partners/rules.ts'
import { benefitOf } from '../../../rewards/activity/plan-goals.ts'
import { actOn, requireStanding } from '../acts.ts'
import { findMember } from '../detail.ts'
import type { TierPreview } from '../schemas.ts'
import { tiersToGive } from './tiers-to-give.ts'

export interface TierForm {
  tier: TierLevel
  /** `YYYY-MM-DD`, inclusive, in the program's time zone. */
  lastDay: string
}

/** The longest time for which a tier is given. */
const maxDays = 731
/** The bill of the example. */
const exampleCents = 100_00

function requirePossible(ctx: OperatorCtx, member: MemberRow, { tier, lastDay }: TierForm): void {
  requireStanding(member)
  const { config } = ctx.program
  const problem = (field: string, message: string) => new ValidationError([{ field, message }])
  if (!tiersToGive(config, member.tier_level as TierLevel).includes(tier))
    throw problem('tier', 'console.members.tier_not_higher')
  const today = dayOf(config, ctx.now())
  if (lastDay < today) throw problem('lastDay', 'console.members.tier_past')
  if (lastDay > addDays(today, maxDays)) throw problem('lastDay', 'console.members.tier_far')
}

/** Gives the tier, and returns what it changes. The caller holds the member's lock. */
async function give(tx: Tx, ctx: OperatorCtx, member: MemberRow, { tier, lastDay }: TierForm): Promise<TierPreview> {
  const { config } = ctx.program
  const memberId = member.id
  const [at, by] = [ctx.now(), ctx.operator.name]
  const before = await getCurrentTier({ ...ctx, db: tx }, member)
  await endTierGrants(tx, { memberId, at, today: dayOf(config, at), by })
  await insertTierGrant(tx, { publicId: publicId(), memberId, tier, givenAt: at, givenBy: by, lastDay })
  const after = await getCurrentTier({ ...ctx, db: tx }, member)
  const names = tierNamesOf(ctx)
  const rewardOf = (each: TierLevel) => formatReward(config, benefitOf(config, each, exampleCents))
  const outcome = {
    before: names[before.tier],
    after: names[after.tier],
    bill: formatCents(exampleCents),
    rewardBefore: rewardOf(before.tier),
    rewardAfter: rewardOf(after.tier),
    replaces: before.grant?.lastDay ?? null,
  }
  return { ...outcome, fingerprint: fingerprintOf({ ...outcome, lastDay }) }
}

/** Returns what a tier would change: its code runs, and is rolled back. Throws `notFound`, `mergedAccount`, field errors. */
export async function previewTier(ctx: OperatorCtx, id: string, form: TierForm): Promise<TierPreview> {
  const { id: memberId } = await findMember(ctx, id)
  return tryOrDo({ isDry: true }, (finish) =>
    inTransaction(ctx.db, async (tx) => {
      const member = await lockMember(tx, memberId)
      if (!member || member.deleted_at) throw new ApiError('notFound')
      requirePossible(ctx, member, form)
      return finish(await give(tx, ctx, member, form))
    }),
  )
}

/**
 * Gives a member a higher tier until a day. What the member has earned stays: the higher one counts. Throws `notFound`,
 * `mergedAccount`, field errors, and `conflict` when the outcome is no longer the one that the operator saw.
 */
export async function giveTier(
  ctx: OperatorCtx,
  id: string,
  { fingerprint, reason, ...form }: TierForm & { fingerprint: string; reason: string },
): Promise<void> {
  await actOn(ctx, id, async (tx, member) => {
    requirePossible(ctx, member, form)
    const outcome = await give(tx, ctx, member, form)
    if (outcome.fingerprint !== fingerprint) throw new ApiError('conflict')
    const detail = { tier: form.tier, until: form.lastDay }
    await audit(tx, ctx, { action: 'tier.given', memberId: member.id, detail })
    return { reason, before: { tier: outcome.before }, after: { tier: outcome.after, until: form.lastDay } }
  })
}

/** Ends what was given, now. Throws `notFound`, `mergedAccount`, `noGivenTier`. */
export async function endTier(ctx: OperatorCtx, id: string, reason: string): Promise<void> {
  await actOn(ctx, id, async (tx, member) => {
    const names = tierNamesOf(ctx)
    const before = await getCurrentTier({ ...ctx, db: tx }, member)
    const [at, by] = [ctx.now(), ctx.operator.name]
    const today = dayOf(ctx.program.config, at)
    if (!(await endTierGrants(tx, { memberId: member.id, at, today, by }))) throw new ApiError('noGivenTier')
    await audit(tx, ctx, { action: 'tier.ended', memberId: member.id })
    return { reason, before: { tier: names[before.tier] }, after: { tier: names[before.earned] } }
  })
}
