import { holdsCardNumber } from '../../platform/card-numbers.ts'
import { ApiError } from '../../platform/errors.ts'
import type { Ctx } from '../../platform/http/context.ts'
import { unstorablePath } from '../../platform/text.ts'
import type { BatchResult, Outcome } from './contract.ts'
import { isFromTheFuture } from './future-dates.ts'
import { FeedEvent } from './schemas.ts'

/** Maximum number of lines in a batch. */
const maxBatchLines = 500

export interface BatchDeps {
  /** Throws for anything that is not safe JSON. */
  parse: (line: string) => Promise<unknown>
  /** Throws an `ApiError` for an event that cannot be processed. */
  receive: (event: FeedEvent) => Promise<Outcome>
}

/**
 * Receives NDJSON, each line independently: an invalid line affects no other. Empty lines are skipped. Throws error
 * code `tooManyLines`.
 */
export async function receiveBatch(ctx: Ctx, text: string, deps: BatchDeps): Promise<BatchResult[]> {
  const lines = text.split('\n').map((line, index) => ({ line: index + 1, text: line.trim() }))
  const nonEmpty = lines.filter(({ text }) => text !== '')
  if (nonEmpty.length > maxBatchLines) throw new ApiError('tooManyLines')
  // All at once, so that lines received together are stored together.
  return Promise.all(nonEmpty.map(async ({ line, text }) => ({ line, ...(await receiveLine(ctx, text, deps)) })))
}

export type LineResult = Omit<BatchResult, 'line'>

async function receiveLine(ctx: Ctx, text: string, { parse, receive }: BatchDeps): Promise<LineResult> {
  const json = await parse(text).then(
    (value) => ({ value }),
    () => null,
  )
  return json ? receiveValue(ctx, json.value, receive) : { status: 400, code: 'notJson' }
}

/** Validates and receives a value that should be an event. */
export async function receiveValue(ctx: Ctx, value: unknown, receive: BatchDeps['receive']): Promise<LineResult> {
  // PostgreSQL can never store it: the sender would retry forever.
  if (unstorablePath(value) !== null) return { status: 400, code: 'malformed' }
  if (holdsCardNumber(value)) return { status: 400, code: 'cardNumber' }
  const event = FeedEvent.safeParse(value)
  if (!event.success) return { status: 400, code: 'malformed' }
  if (isFromTheFuture(event.data, ctx.now())) return { status: 422, code: 'futureDate' }
  try {
    return { status: 200, outcome: await receive(event.data) }
  } catch (error) {
    if (error instanceof ApiError) return { status: error.code === 'tooManyWaiting' ? 503 : 422, code: error.code }
    // The sender retries this line; if it was applied, the result is `repeated` then.
    ctx.log.error({ err: error }, 'feed: line failed')
    return { status: 500, code: 'serverError' }
  }
}
