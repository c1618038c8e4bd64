import { z } from 'zod'
import type { Ctx } from '../../platform/http/context.ts'
import { MINUTE, SECOND } from '../../platform/time.ts'
import type { CreditOrder, CreditProcessor } from './processor.ts'
import { RedemptionStatus } from './schemas.ts'

const StatusResponse = z.object({ status: RedemptionStatus })
const timeoutMs = 10 * SECOND

/**
 * Returns a processor behind HTTP. `POST {url}/payouts` submits an order, with the credit's id as `Idempotency-Key`;
 * `GET {url}/payouts/{id}` returns its status. Both respond with `{"status": …}`, a `RedemptionStatus`.
 */
export function httpProcessor(url: string, key: string): CreditProcessor {
  async function call(ctx: Ctx, path: string, creditId: string, body?: CreditOrder): Promise<RedemptionStatus> {
    const response = await fetch(`${url.replace(/\/$/, '')}${path}`, {
      method: body ? 'POST' : 'GET',
      headers: {
        authorization: `Bearer ${key}`,
        ...(body && { 'content-type': 'application/json', 'idempotency-key': creditId }),
      },
      ...(body && { body: JSON.stringify({ ...body, program: ctx.partnerId, currency: 'USD' }) }),
      redirect: 'error',
      signal: AbortSignal.timeout(timeoutMs),
    })
    if (!response.ok) throw new Error(`the payout processor returned ${response.status}`)
    return StatusResponse.parse(await response.json()).status
  }
  return {
    name: new URL(url).hostname,
    checkEvery: MINUTE,
    submit: (ctx, order) => call(ctx, '/payouts', order.creditId, order),
    check: (ctx, { creditId }) => call(ctx, `/payouts/${creditId}`, creditId),
  }
}
