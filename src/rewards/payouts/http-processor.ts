import { z } from 'zod'
import type { Ctx } from '../../platform/http/context.ts'
import { MINUTE, SECOND } from '../../platform/time.ts'
import type { CheckAnswer, CreditOrder, CreditProcessor, SubmitAnswer } from './processor.ts'

const Answer = z.object({
  status: z.enum(['pending', 'pending_received', 'completed', 'rejected']),
  /** Why it was rejected. */
  reason: z.string().max(200).catch('').default(''),
  /** The order that the answer is about; optional, but never another one. */
  creditId: z.string().optional(),
  amountCents: z.number().optional(),
})
const timeoutMs = 10 * SECOND

/** They say something about the key, the moment or another request, whatever their body is. */
const indefinite = new Set([401, 403, 407, 408, 409, 421, 425, 429])

/**
 * Returns a processor behind HTTP. `POST {url}/payouts` submits an order, with the credit's id as `Idempotency-Key`;
 * `GET {url}/payouts/{id}` asks for it. Definite answers are JSON: `{"status": …}` with 200 to 299, a rejection also with
 * 400 to 499, and 404 to a question about an order that was never received. Everything else rejects.
 */
export function httpProcessor(url: string, key: string): CreditProcessor {
  async function call(ctx: Ctx, order: CreditOrder, method: 'GET' | 'POST'): Promise<CheckAnswer> {
    const isSubmit = method === 'POST'
    const path = isSubmit ? '/payouts' : `/payouts/${order.creditId}`
    const response = await fetch(`${url.replace(/\/$/, '')}${path}`, {
      method,
      headers: {
        accept: 'application/json',
        authorization: `Bearer ${key}`,
        ...(isSubmit && { 'content-type': 'application/json', 'idempotency-key': order.creditId }),
      },
      ...(isSubmit && { body: JSON.stringify({ ...order, program: ctx.partnerId, currency: 'USD' }) }),
      redirect: 'error',
      signal: AbortSignal.timeout(timeoutMs),
    })
    const { status } = response
    const isRefusal = status >= 400 && status < 500 && !indefinite.has(status)
    if (!response.ok && !isRefusal) return reject(`status ${status}`)
    if (!/^application\/([\w.-]+\+)?json\b/.test(response.headers.get('content-type') ?? '')) {
      return reject(`status ${status}, which is not JSON`)
    }
    const body: unknown = await response.json().catch(() => reject(`status ${status} with incomplete JSON`))
    const answer = Answer.safeParse(body)
    // An address that does not exist responds like this, too: submitting the same order again does no harm.
    if (status === 404 && !isSubmit && !answer.success) return { outcome: 'notReceived' }
    if (!answer.success) return reject(`status ${status} without a known outcome`)
    return toAnswer(answer.data, order, isRefusal)
  }
  return {
    name: new URL(url).hostname,
    checkEvery: MINUTE,
    submit: (ctx, order) => call(ctx, order, 'POST') as Promise<SubmitAnswer>,
    check: (ctx, order) => call(ctx, order, 'GET'),
  }
}

function toAnswer(answer: z.output<typeof Answer>, order: CreditOrder, isRefusal: boolean): SubmitAnswer {
  const { creditId = order.creditId, amountCents = order.amountCents } = answer
  if (creditId !== order.creditId || amountCents !== order.amountCents) return reject('an answer about another order')
  if (answer.status === 'rejected') return { outcome: 'rejected', reason: answer.reason }
  if (isRefusal) return reject(`an error with status ${answer.status}`)
  return { outcome: answer.status === 'completed' ? 'completed' : 'accepted' }
}

function reject(what: string): never {
  throw new Error(`the payout processor responded with ${what}`)
}
