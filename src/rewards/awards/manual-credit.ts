import type { Tx } from '../../platform/database/db.ts'
import type { Ctx } from '../../platform/http/context.ts'
import { publicId } from '../../platform/security/ids.ts'
import { ruleVersion } from '../earning/rules.ts'
import { unitOf } from '../earning/terms.ts'
import { publishActivity } from '../ledger/announce-activity.ts'
import { postEntries, rewardPostings } from '../ledger/entries.ts'
import { bonusPostings } from '../settlement/shares.ts'
import { applyBalanceEffects } from './effects.ts'
import { insertManualEntry } from './extra-entries.ts'
import { hasArrivedSince } from './replace-credits.ts'

export interface ManualCredit {
  memberId: number
  cardId: number | null
  cardLastFour: string
  merchantId: number | null
  merchantName: string
  /** Identifies the credit: the same reference is credited once. */
  reference: string
  cents: number
  /** In the smallest unit. */
  benefit: number
  dinedAt: Date
  /** When the operator decided it: a transaction that has been posted since then takes its place. */
  decidedAt: Date
}

/**
 * Credits a transaction that no network reported: a manual entry, posted at once. Returns false, and credits nothing,
 * when the transaction itself has been posted since the decision. The caller holds the member's lock.
 */
export async function postManualCredit(tx: Tx, ctx: Ctx, { decidedAt, ...credit }: ManualCredit): Promise<boolean> {
  if (await hasArrivedSince(tx, credit, decidedAt)) return false
  const { currencyType, settlement } = ctx.program.config
  const { memberId, cardId, benefit } = credit
  const unit = unitOf(currencyType)
  const networkId = `manual:${credit.reference}`
  const reason = { code: 'creditedByHand', rule: ruleVersion, ...(settlement && { settlement }) }
  const isNew = await insertManualEntry(tx, { ...credit, networkId, publicId: publicId(), unit, reason })
  if (!isNew) return true
  const postings = [...rewardPostings({ memberId, unit, amount: benefit }), ...bonusPostings(benefit, settlement)]
  await postEntries(tx, [
    { source: 'transaction', sourceId: networkId, version: 1, kind: 'adjustment', reason, postings },
  ])
  await applyBalanceEffects(tx, ctx, new Map([[memberId, cardId]]))
  await publishActivity(tx, ctx.partnerId, [memberId])
  return true
}
