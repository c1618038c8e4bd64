import { Refusal } from '../../kit/refusal.ts'
import type { Ctx } from '../../kit/server/context.ts'
import { holdsCardNumber } from './card-numbers.ts'
import { type BatchResult, FeedEvent, maxBatchLines, type Outcome } from './contract.ts'

export interface BatchParts {
  /** Throws on anything that is not safe JSON. */
  parse: (line: string) => Promise<unknown>
  /** Throws a Refusal for what cannot be taken. */
  receive: (event: FeedEvent) => Promise<Outcome>
}

/**
 * Takes NDJSON line by line, each in a transaction of its own: one bad line costs no other. Lines that are empty are
 * passed over. Refusal `tooManyLines`.
 */
export async function receiveBatch(ctx: Ctx, text: string, parts: BatchParts): Promise<BatchResult[]> {
  const lines = text.split('\n').map((line, index) => ({ line: index + 1, text: line.trim() }))
  const full = lines.filter(({ text }) => text !== '')
  if (full.length > maxBatchLines) throw new Refusal('tooManyLines')
  const results: BatchResult[] = []
  for (const { line, text } of full) results.push({ line, ...(await receiveLine(ctx, text, parts)) })
  return results
}

type LineResult = Omit<BatchResult, 'line'>

async function receiveLine(ctx: Ctx, text: string, { parse, receive }: BatchParts): Promise<LineResult> {
  const json = await parse(text).then(
    (value) => ({ value }),
    () => null,
  )
  if (!json) return { status: 400, code: 'notJson' }
  if (holdsCardNumber(json.value)) return { status: 400, code: 'cardNumber' }
  const event = FeedEvent.safeParse(json.value)
  if (!event.success) return { status: 400, code: 'malformed' }
  try {
    return { status: 200, outcome: await receive(event.data) }
  } catch (error) {
    if (error instanceof Refusal) return { status: 422, code: error.code }
    // The sender repeats this line; what was applied answers `repeated` then.
    ctx.log.error({ err: error }, 'feed: line failed')
    return { status: 500, code: 'serverError' }
  }
}
