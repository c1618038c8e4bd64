import { type CallGroup, example } from '../../platform/call-examples.ts'
import { receiveFeedBatch, receiveFeedEvent } from './contract.ts'
import { receiveFidelEvent } from './fidel/contract.ts'
import * as fidelSchemas from './fidel/schemas.ts'
import * as schemas from './schemas.ts'

const transaction = {
  id: '84782884-6c91-4c0e-8b1d-3a5f9e7d2c46',
  programId: 'skyharbor',
  amount: 42.1,
  currency: 'USD',
  datetime: '2026-11-06T19:42:00',
  created: '2026-11-07T00:42:03.000Z',
  updated: '2026-11-07T00:42:03.000Z',
  auth: true,
  cleared: false,
  card: { id: 'card_b6rQ2nT8kYw5ZpAhM3v0cX', scheme: 'visa', lastNumbers: '4242', funding: 'credit' as const },
  brand: { name: 'Trattoria Lucia' },
  location: { id: 'loc_0cXb6rQ2nT8kYw5Z' },
}
const event = { event: 'transaction.auth' as const, transaction }

export const feedExamples: CallGroup = {
  tag: 'Card network',
  place: 210,
  pathsPlace: 132,
  description: 'Signed messages of the card network about transactions of linked cards.',
  examples: [
    example(receiveFeedEvent, schemas.receiveFeedEvent, { body: event, reply: { outcome: 'applied' } }),
    example(receiveFidelEvent, fidelSchemas.receiveFidelEvent, {
      params: { event: 'transaction.auth' },
      body: transaction,
      reply: { outcome: 'applied' },
    }),
    example(receiveFeedBatch, schemas.receiveFeedBatch, {
      body: `${JSON.stringify(event)}\n`,
      reply: { results: [{ line: 1, status: 200, outcome: 'applied' }] },
    }),
  ],
}
