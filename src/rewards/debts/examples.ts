import { type CallGroup, example } from '../../platform/call-examples.ts'
import { listCarriedDebts } from './contract.ts'
import * as schemas from './schemas.ts'

export const debtExamples: CallGroup = {
  tag: 'Debts',
  place: 140,
  pathsPlace: 124,
  description: 'What members owe from an earlier account or with a card, after a refund of rewards that were paid.',
  examples: [
    example(listCarriedDebts, schemas.listCarriedDebts, {
      reply: [{ id: '1204', at: '2026-11-20T18:30:00.000Z', key: 'debts.debtCarried', params: { amount: '$10.00' } }],
    }),
  ],
}
