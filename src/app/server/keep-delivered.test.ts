import pino from 'pino'
import { expect, test, vi } from 'vitest'
import type { Ctx } from '../../kit/server/context.ts'
import { keepDelivered } from './keep-delivered.ts'

const rematched: string[] = []

// Only what a round calls: each job is tested where it is.
vi.mock('../../cards/service.ts', () => ({
  notifyOwners: async () => {},
  completeMoves: async () => ['arrived'],
  tellMoves: () => Promise.reject(new Error('no mail can be written')),
  tellOfExpiry: async () => {},
}))
vi.mock('../../rewards/service.ts', () => ({
  rematchUnmatched: async (_ctx: Ctx, { cardToken }: { cardToken: string }) => rematched.push(cardToken),
}))

test('transactions of a card that has moved here are matched, also when other members cannot be notified of theirs', async () => {
  const outcomes: string[] = []
  const stop = keepDelivered({
    partners: ['skyharbor'],
    contextFor: () => ({}) as Ctx,
    intervalMs: 1,
    logger: pino({ level: 'silent' }),
    countJob: (job, outcome) => outcomes.push(`${job} ${outcome}`),
  } as unknown as Parameters<typeof keepDelivered>[0])
  await vi.waitFor(() => expect(outcomes).toContain('card-moves failed'))
  await stop()
  expect(rematched).toContain('arrived')
})
