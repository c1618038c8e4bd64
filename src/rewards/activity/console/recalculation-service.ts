import { sql } from 'kysely'
import { dayText } from '../../../console-kit/times.ts'
import { fingerprintOf } from '../../../platform/database/dry-run.ts'
import { ApiError } from '../../../platform/errors.ts'
import type { OperatorCtx } from '../../../platform/http/operator.ts'
import { formatReward } from '../../../programs/partners/rates.ts'
import { type RecalculationScope, recalculateScope, type ScopedDifference } from '../../awards/recalculate.ts'
import { findTransactionByPublicId } from '../../awards/store.ts'
import type { RecalculationPreview } from './contract.ts'

/** Members of one act: it is one transaction of the database. The command line has no limit. */
const maxMembers = 200

export interface ScopeForm {
  transaction?: string | undefined
  restaurant?: string | undefined
  from?: string | undefined
  to?: string | undefined
}

async function scopeOf(ctx: OperatorCtx, form: ScopeForm): Promise<RecalculationScope> {
  const { transaction, restaurant, from = '', to = '' } = form
  if (transaction !== undefined) {
    const row = await findTransactionByPublicId(ctx.db, transaction)
    if (row?.type_code !== 'S') throw new ApiError('notFound')
    const day = row.occurred_at.toISOString().slice(0, 10)
    return { from: day, to: day, transactionId: row.id }
  }
  if (restaurant === undefined || restaurant === '') return { from, to }
  const { rows } = await sql<{ id: number }>`select id from merchants where public_id = ${restaurant}`.execute(ctx.db)
  if (!rows[0]) throw new ApiError('notFound')
  return { from, to, merchantId: rows[0].id }
}

/** Returns every difference of a scope under the current terms. Throws `notFound` and `tooManyMembers`. */
export async function previewRecalculation(ctx: OperatorCtx, form: ScopeForm): Promise<RecalculationPreview> {
  return toPreview(ctx, await recalculateScope(ctx, await scopeOf(ctx, form), { isDry: true, maxMembers }))
}

/** Posts the differences of a scope. Throws as the preview, and `conflict` when they are not those that were shown. */
export async function recalculateTransactions(
  ctx: OperatorCtx,
  { scope, reason, fingerprint }: { scope: ScopeForm; reason: string; fingerprint: string },
): Promise<RecalculationPreview> {
  const found = await recalculateScope(ctx, await scopeOf(ctx, scope), {
    isDry: false,
    maxMembers,
    record: async (tx, differences) => {
      const outcome = toPreview(ctx, differences)
      if (outcome.fingerprint !== fingerprint) throw new ApiError('conflict')
      const object =
        scope.transaction === undefined
          ? {
              type: 'recalculation',
              id: `${scope.restaurant ?? 'all'} ${scope.from}/${scope.to}`,
              label: spanText(scope, differences),
            }
          : { type: 'transaction', id: scope.transaction }
      await ctx.record(tx, { object, after: { transactions: outcome.count, cost: outcome.cost }, reason })
    },
  })
  return toPreview(ctx, found)
}

function toPreview(ctx: OperatorCtx, found: readonly ScopedDifference[]): RecalculationPreview {
  const { config } = ctx.program
  const facts = found.map(({ publicId, was, is }) => [publicId, was.benefit, is.benefit, is.code])
  return {
    count: found.length,
    cost: formatReward(
      config,
      found.reduce((sum, { was, is }) => sum + is.benefit - was.benefit, 0),
    ),
    members: new Set(found.map(({ memberId }) => memberId)).size,
    fingerprint: fingerprintOf(facts.toSorted()),
    differences: found.map(({ publicId, merchantName, dinedAt, was, is, terms }) => ({
      id: publicId,
      merchantName,
      dinedAt: dinedAt.toISOString(),
      was: formatReward(config, was.benefit),
      wasCode: was.code,
      is: formatReward(config, is.benefit),
      isCode: is.code,
      terms: terms.map(({ path, was: before, is: after }) => `${path}: ${textOf(before)} → ${textOf(after)}`),
    })),
  }
}

/** Returns what was calculated again, for the audit log. */
function spanText({ restaurant, from = '', to = '' }: ScopeForm, [first]: readonly ScopedDifference[]): string {
  const days = from === to ? dayText(from) : `${dayText(from)} to ${dayText(to)}`
  return restaurant === undefined ? days : `${first?.merchantName ?? 'one restaurant'}, ${days}`
}

const textOf = (value: unknown) => (value === undefined ? 'none' : JSON.stringify(value))
