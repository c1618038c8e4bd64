import type { FastifyInstance } from 'fastify'
import { signatureHeaders } from '../platform/security/webhook-signature.ts'
import { feedPaths } from '../rewards/feed/contract.ts'
import { feedKey } from '../rewards/feed/feed-key.ts'
import { type SampleEvent, sampleEvent } from '../rewards/feed/sample-event.ts'

export interface Delivery {
  feedSecret: string
  /** The partner's public origin: the signature covers the URL. */
  origin: string
}

/** Signs an event as the card network does and sends it through the feed's route. */
export async function deliverEvent(
  app: FastifyInstance,
  { feedSecret, origin }: Delivery,
  sample: SampleEvent,
): Promise<{ outcome: string; transactionId: string }> {
  const url = origin + feedPaths.event
  const event = sampleEvent(sample)
  const body = JSON.stringify(event)
  const response = await app.inject({
    method: 'POST',
    url: feedPaths.event,
    payload: body,
    headers: {
      host: new URL(origin).host,
      ...signatureHeaders(feedKey(feedSecret, sample.partnerId), { body, url }, Date.now()),
    },
  })
  if (response.statusCode !== 200) throw new Error(`the feed rejected a staging event: ${response.payload}`)
  return { outcome: response.json().outcome, transactionId: sample.transactionId ?? event.transaction.id }
}
