import type { Tx } from '../../../platform/database/db.ts'
import { fingerprintOf } from '../../../platform/database/dry-run.ts'
import type { OperatorCtx } from '../../../platform/http/operator.ts'
import { interpolate } from '../../../platform/interpolate.ts'
import { formatReward } from '../../../programs/partners/rates.ts'
import { isPostedStatus } from '../../awards/decide.ts'
import { reasonOf } from '../../awards/store.ts'
import type { AwardStatus } from '../../earning/contract.ts'
import { explain } from '../../earning/explain.ts'
import type { ChangedTransaction } from '../attach.ts'
import type { AttachPreview } from './contract.ts'
import * as store from './unmatched-store.ts'

const maxExamples = 10

/** Returns what changed transactions earn by now: their number, the sums, and the first ones. */
export async function summarize(
  ctx: OperatorCtx,
  changed: readonly ChangedTransaction[],
  db: OperatorCtx['db'] | Tx = ctx.db,
): Promise<AttachPreview> {
  const { config } = ctx.program
  const names = await store.findNames(db, [...new Set(changed.flatMap(({ is }) => is.member_id ?? []))])
  const sum = changed.reduce((total, { is }) => total + is.benefit, 0)
  const posted = changed.reduce((total, { is }) => total + (isPostedStatus(is.award_status) ? is.benefit : 0), 0)
  const facts = changed.map(({ is }) => [is.network_id, is.benefit, is.award_status, is.merchant_id, is.member_id])
  return {
    count: changed.length,
    reward: formatReward(config, sum),
    posted: formatReward(config, posted),
    fingerprint: fingerprintOf(facts.toSorted()),
    examples: changed.slice(0, maxExamples).map(({ is }) => {
      const awardStatus = is.award_status as AwardStatus
      const { key, params } = explain(config, {
        reason: reasonOf(is),
        merchantName: is.merchant_name,
        benefit: is.benefit,
        awardStatus,
      })
      return {
        id: is.public_id,
        merchantName: is.merchant_name,
        memberName: is.member_id === null ? null : (names.get(is.member_id) ?? ''),
        cents: is.cleared_at === null ? is.ticket_cents : is.cleared_cents,
        dinedAt: is.occurred_at.toISOString(),
        reward: formatReward(config, is.benefit),
        awardStatus,
        words: interpolate(ctx.t(key), params),
      }
    }),
  }
}
