import { sql } from 'kysely'
import { type NewNotification, notify } from '../../identity/notifications/service.ts'
import { acquireAdvisoryLock, type Tx } from '../../platform/database/db.ts'
import { ApiError } from '../../platform/errors.ts'
import type { Ctx } from '../../platform/http/context.ts'
import { formatReward } from '../../programs/partners/rates.ts'
import { unitOf } from '../earning/terms.ts'
import { publishActivity } from '../ledger/announce-activity.ts'
import { postEntries, rewardPostings } from '../ledger/entries.ts'
import { bonusPostings } from '../settlement/shares.ts'
import { applyBalanceEffects } from './effects.ts'

export interface Adjustment {
  /** Makes the adjustment unique: the same one is posted once. */
  id: string
  memberId: number
  /** In the smallest unit; negative takes from the balance. */
  amount: number
  /** Why, for the journal. */
  words: string
  /** Names of the operators who made and approved it. */
  by: readonly string[]
}

/**
 * Posts a credit or a debit that belongs to no transaction: one journal entry, then what follows a changed balance. The
 * platform bears it, and the partner gets the worth of a credit as of a bonus. The member is notified, without the words.
 * The caller holds the member's lock. Throws `conflict` for one that was posted before.
 */
export async function postAdjustment(tx: Tx, ctx: Ctx, { id, memberId, amount, words, by }: Adjustment): Promise<void> {
  const { currencyType, settlement } = ctx.program.config
  await acquireAdvisoryLock(tx, `adjustment ${ctx.partnerId} ${id}`)
  if (await isPosted(tx, id)) throw new ApiError('conflict')
  // The worth is rounded the same way in both directions, so that a debit takes back what a credit gave.
  const worth = bonusPostings(Math.abs(amount), settlement)
  await postEntries(tx, [
    {
      source: 'adjustment',
      sourceId: id,
      version: 1,
      kind: 'adjustment',
      reason: { code: 'adjusted', words, by },
      postings: [
        ...rewardPostings({ memberId, unit: unitOf(currencyType), amount }),
        ...worth.map((posting) => ({ ...posting, amount: Math.sign(amount) * posting.amount })),
      ],
    },
  ])
  await notify(tx, adjustmentNotification(ctx, { id, memberId, amount }))
  await applyBalanceEffects(tx, ctx, new Map([[memberId, null]]))
  await publishActivity(tx, ctx.partnerId, [memberId])
}

async function isPosted(tx: Tx, id: string): Promise<boolean> {
  const { rows } = await sql`
    select from journal_entries
    where partner_id = current_partner() and source = 'adjustment' and source_id = ${id}`.execute(tx)
  return rows.length > 0
}

function adjustmentNotification(
  { program }: Ctx,
  { id, memberId, amount }: Pick<Adjustment, 'id' | 'memberId' | 'amount'>,
): NewNotification {
  const params = {
    benefit: formatReward(program.config, Math.abs(amount)),
    ...(amount < 0 && { variant: 'debit' }),
  }
  return { memberId, topic: 'balanceAdjusted', about: id, params, path: '/account/recent_activity' }
}
