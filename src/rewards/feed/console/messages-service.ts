import { ApiError } from '../../../platform/errors.ts'
import type { OperatorCtx } from '../../../platform/http/operator.ts'
import { centsFromDecimal } from '../../../platform/money.ts'
import { addDays, startOfDay } from '../../../platform/time.ts'
import { maskedBody } from '../raw-messages.ts'
import type { FeedMessageDetail, ListedMessage } from './contract.ts'
import * as store from './messages-store.ts'

function toMessage(row: store.MessageRow): ListedMessage {
  const { networkId, event, receivedAt, updatedAt, outcome, body } = row
  return {
    id: store.idOfMessage(row),
    networkId,
    event,
    receivedAt: receivedAt.toISOString(),
    updatedAt: updatedAt.toISOString(),
    outcome,
    merchantName: body.transaction.brand?.name ?? '',
    cents: centsFromDecimal(body.transaction.amount),
  }
}

type ListQuery = Omit<Parameters<typeof store.listMessages>[1], 'from' | 'before'> & {
  from?: string | undefined
  to?: string | undefined
}

/** Returns one page of the stored messages of the program. */
export async function listFeedMessages(ctx: OperatorCtx, { from, to, ...query }: ListQuery) {
  const { timeZone } = ctx.program.config
  const { rows, next, total } = await store.listMessages(ctx.db, {
    ...query,
    from: from === undefined ? undefined : startOfDay(from, timeZone),
    before: to === undefined ? undefined : startOfDay(addDays(to, 1), timeZone),
  })
  return { items: rows.map(toMessage), next, total }
}

/** Returns a message with its masked text and its transaction. Throws `notFound`. */
export async function getFeedMessage(ctx: OperatorCtx, id: string): Promise<FeedMessageDetail> {
  const key = store.keyOfMessage(id)
  const message = key && (await store.findMessage(ctx.db, key))
  if (!message) throw new ApiError('notFound')
  return { ...toMessage(message), transaction: message.transaction, body: maskedBody(message.body) }
}
