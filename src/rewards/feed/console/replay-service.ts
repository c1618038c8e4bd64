import { timeText } from '../../../console-kit/times.ts'
import { ApiError } from '../../../platform/errors.ts'
import type { OperatorCtx } from '../../../platform/http/operator.ts'
import { findTransactionByPublicId } from '../../awards/store.ts'
import { listIdsOfSpan, replay } from '../replay.ts'
import { summarize } from './changes.ts'
import type { AttachPreview } from './contract.ts'

/** Transactions that one act replays: they are one transaction of the database, which holds the feed back. */
const maxReplayed = 500

interface Span {
  from: string
  to: string
}

async function idsOf(ctx: OperatorCtx, span: Span): Promise<string[]> {
  const ids = await listIdsOfSpan(ctx.db, { ...span, limit: maxReplayed + 1 })
  if (ids.length > maxReplayed) throw new ApiError('tooManyMessages')
  return ids
}

/** Returns what replaying a span would change. Throws `tooManyMessages`. */
export async function previewReplay(ctx: OperatorCtx, span: Span): Promise<AttachPreview> {
  return summarize(ctx, await replay(ctx, await idsOf(ctx, span), { isDry: true }))
}

interface Confirmed {
  reason: string
  fingerprint: string
}

/** Replays the messages of a span. Throws `tooManyMessages`, and `conflict` when the outcome is not the one shown. */
export async function replaySpan(ctx: OperatorCtx, span: Span, confirmed: Confirmed): Promise<AttachPreview> {
  const [from, to] = [span.from, span.to].map((at) => timeText(at, 'UTC'))
  const object = { type: 'feed-span', id: `${span.from}/${span.to}`, label: `${from} to ${to}` }
  return execute(ctx, await idsOf(ctx, span), { ...confirmed, object })
}

async function networkIdOf(ctx: OperatorCtx, id: string): Promise<string> {
  const transaction = await findTransactionByPublicId(ctx.db, id)
  if (transaction?.type_code !== 'S') throw new ApiError('notFound')
  return transaction.network_id
}

/** Returns what replaying a transaction would change. Throws `notFound`. */
export async function previewReplayOfTransaction(ctx: OperatorCtx, id: string): Promise<AttachPreview> {
  return summarize(ctx, await replay(ctx, [await networkIdOf(ctx, id)], { isDry: true }))
}

/** Replays the messages of a transaction. Throws `notFound`, and `conflict` when the outcome is not the one shown. */
export async function replayTransaction(ctx: OperatorCtx, id: string, confirmed: Confirmed): Promise<AttachPreview> {
  return execute(ctx, [await networkIdOf(ctx, id)], { ...confirmed, object: { type: 'transaction', id } })
}

async function execute(
  ctx: OperatorCtx,
  networkIds: readonly string[],
  { reason, fingerprint, object }: Confirmed & { object: { type: string; id: string; label?: string } },
): Promise<AttachPreview> {
  const changed = await replay(ctx, networkIds, {
    isDry: false,
    record: async (tx, done) => {
      const outcome = await summarize(ctx, done, tx)
      if (outcome.fingerprint !== fingerprint) throw new ApiError('conflict')
      await ctx.record(tx, { object, after: { transactions: outcome.count, reward: outcome.reward }, reason })
    },
  })
  return summarize(ctx, changed)
}
