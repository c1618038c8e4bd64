import type { FastifyInstance } from 'fastify'
import { feedPaths } from '../rewards/feed/contract.ts'
import { feedKey, signEvent } from '../rewards/feed/sign.ts'

export interface MealEvent {
  partnerId: string
  feedSecret: string
  /** The partner's public origin: the signature covers the address. */
  origin: string
  event: 'auth' | 'clearing' | 'refund'
  transactionId: string
  /** Dollars, as a decimal. */
  amount: string
  card: { token: string; lastFour: string }
  merchant: { locationId: string; name: string }
  now: Date
}

/** Signs an event as the card network would and puts it through the feed's own door. */
export async function deliverEvent(
  app: FastifyInstance,
  meal: MealEvent,
): Promise<{ outcome: string; transactionId: string }> {
  const url = meal.origin + feedPaths.event
  const body = JSON.stringify({ event: `transaction.${meal.event}`, transaction: transactionOf(meal) })
  const timestamp = String(Date.now())
  const answer = await app.inject({
    method: 'POST',
    url: feedPaths.event,
    payload: body,
    headers: {
      host: new URL(meal.origin).host,
      'content-type': 'application/json',
      'x-dineback-timestamp': timestamp,
      'x-dineback-signature': signEvent(feedKey(meal.feedSecret, meal.partnerId), { body, url, timestamp }),
    },
  })
  if (answer.statusCode !== 200) throw new Error(`the feed refused a staging event: ${answer.payload}`)
  return { outcome: answer.json().outcome, transactionId: meal.transactionId }
}

function transactionOf(meal: MealEvent) {
  const moment = meal.now.toISOString()
  const amount = Number(meal.amount)
  return {
    // A refund is a transaction of its own that names the one it takes back.
    id: meal.event === 'refund' ? `${meal.transactionId}_refund` : meal.transactionId,
    ...(meal.event === 'refund' && { originalTransactionId: meal.transactionId }),
    programId: meal.partnerId,
    amount: meal.event === 'refund' ? -amount : amount,
    currency: 'USD',
    datetime: moment,
    created: moment,
    updated: moment,
    auth: true,
    cleared: meal.event !== 'auth',
    card: { id: meal.card.token, lastNumbers: meal.card.lastFour },
    brand: { name: meal.merchant.name },
    location: { id: meal.merchant.locationId },
  }
}
