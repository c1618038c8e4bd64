import type { Ctx } from '../kit/server/context.ts'
import type { Tx } from '../kit/server/db.ts'
import { publicId } from '../kit/server/ids.ts'
import { postEntry } from './post-award.ts'
import { ruleVersion, unitOf } from './rules.ts'
import { settleBonuses } from './settle-bonuses.ts'
import { payOutBalance } from './statement-credits.ts'
import { announceActivity, insertManual } from './store.ts'

export interface ManualCredit {
  memberId: number
  cardId: number | null
  cardLastFour: string
  merchantId: number | null
  merchantName: string
  /** What it is for, told once: the same reference is credited once. */
  reference: string
  cents: number
  /** In the smallest unit. */
  benefit: number
  dinedAt: Date
}

/** Credits a meal that no network told of: an entry made by hand, posted at once. The caller holds the member's lock. */
export async function creditByHand(tx: Tx, ctx: Ctx, credit: ManualCredit): Promise<void> {
  const unit = unitOf(ctx.program.config.currencyType)
  const networkId = `manual:${credit.reference}`
  const reason = { code: 'creditedByHand', rule: ruleVersion }
  const isNew = await insertManual(tx, { ...credit, networkId, publicId: publicId(), unit, reason })
  if (!isNew) return
  await postEntry(tx, {
    source: 'transaction',
    sourceId: networkId,
    version: 1,
    kind: 'adjustment',
    reason,
    memberId: credit.memberId,
    unit,
    amount: credit.benefit,
    against: 'program',
  })
  await settleBonuses(tx, ctx, credit.memberId)
  await payOutBalance(tx, ctx, { memberId: credit.memberId, cardId: credit.cardId })
  await announceActivity(tx, ctx.partnerId, credit.memberId)
}
