import { type CallGroup, example } from '../../platform/call-examples.ts'
import { type Claim, explainMissing, listClaims, openClaim } from './contract.ts'
import * as schemas from './schemas.ts'

const missing = { date: '2026-11-06', merchantName: 'Trattoria Lucia', amount: '42.10' }
const claim: Claim = {
  id: 'm3v0cXb6rQ2nT8kYw5ZpAh',
  date: '2026-11-06',
  merchantName: 'Trattoria Lucia',
  amount: 42.1,
  openedAt: '2026-11-20T18:30:00.000Z',
  answerBy: '2026-11-25T18:30:00.000Z',
  hasReceipt: true,
  decision: null,
}

export const claimExamples: CallGroup = {
  tag: 'Claims',
  place: 160,
  description: 'Transactions that the member misses.',
  examples: [
    example(explainMissing, schemas.explainMissing, {
      body: missing,
      reply: {
        outcome: 'explained',
        findings: [{ key: 'claims.card_later', params: { lastFour: '4242', date: 'November 8' } }],
      },
    }),
    example(listClaims, schemas.listClaims, { reply: [claim] }),
    example(openClaim, schemas.openClaim, {
      body: {
        ...missing,
        note: 'I paid at the bar.',
        receipt: { name: 'receipt.jpg', type: 'image/jpeg', content: '/9j/4AAQSkZJRgABAQ==' },
      },
      reply: claim,
    }),
  ],
}
