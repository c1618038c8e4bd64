import { z } from 'zod'
import { defineSchemas } from '../../../platform/call.ts'
import { FeedEventName, Outcome } from '../schemas.ts'

/** Every event that a webhook can be registered for. */
export const FidelEvent = z.enum([
  ...FeedEventName.options,
  'card.linked',
  'card.failed',
  'program.status',
  'location.status',
  'brand.consent',
  'marketplace.offer.live',
  'marketplace.offer.updated',
])
export type FidelEvent = z.infer<typeof FidelEvent>

export const receiveFidelEvent = defineSchemas({
  summary: 'Receives a webhook of Fidel: the object of the event itself',
  params: z.object({ event: FidelEvent }),
  body: z.looseObject({}),
  reply: z.object({ outcome: Outcome }),
  errors: {
    badSignature: 401,
    staleTimestamp: 401,
    otherProgram: 422,
    futureDate: 422,
    malformedEvent: 400,
    cardNumber: 400,
    notJson: 400,
    notOffered: 404,
    tooManyWaiting: 503,
  },
})
