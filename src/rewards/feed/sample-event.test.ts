import { expect, test } from 'vitest'
import { type SampleEvent, sampleEvent } from './sample-event.ts'

const sample: SampleEvent = {
  event: 'auth',
  partnerId: 'skyharbor',
  amount: '42.10',
  card: { token: 'tok_1', lastFour: '1111', scheme: 'VISA' },
  location: { id: 'loc_1', merchantName: 'Kumo' },
  transactionId: 'dinner',
  dinedAt: new Date('2026-03-10T23:30:00Z'),
  now: new Date('2026-03-12T08:00:00Z'),
}

test('a sample event happened when the member dined, and is as new as the moment at which it is sent', () => {
  expect(sampleEvent(sample).transaction).toMatchObject({
    id: 'dinner',
    amount: '42.10',
    datetime: '2026-03-10T23:30:00.000Z',
    created: '2026-03-10T23:30:00.000Z',
    updated: '2026-03-12T08:00:00.000Z',
    cleared: false,
  })
  expect(sampleEvent({ ...sample, event: 'clearing' }).transaction.cleared).toBe(true)
})

test('a refund has an id of its own, names its purchase, and is below zero', () => {
  const { transaction } = sampleEvent({ ...sample, event: 'refund' })
  expect(transaction).toMatchObject({ amount: '-42.10', originalTransactionId: 'dinner' })
  expect(transaction.id).not.toBe('dinner')
})
