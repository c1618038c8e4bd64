import { type CallGroup, example } from '../../platform/call-examples.ts'
import { postImpressions } from './contract.ts'
import * as schemas from './schemas.ts'

export const trackingExamples: CallGroup = {
  tag: 'Tracking',
  place: 220,
  description: 'Page views and impressions.',
  examples: [
    example(postImpressions, schemas.postImpressions, {
      body: [
        {
          eventName: 'CardImpression',
          merchantId: 'trattoria-lucia-new-york',
          url: '/search?location=10001',
          channel: 'web',
          dateTime: '2026-11-20T18:30:00.000Z',
          userAgent: 'Mozilla/5.0 (Windows NT 10.0; Win64; x64)',
        },
      ],
      reply: { accepted: 1 },
    }),
  ],
}
