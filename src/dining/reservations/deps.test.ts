import { expect, test } from 'vitest'
import type { Ctx } from '../../platform/http/context.ts'
import { bonusOn, connectedProviders, type ReservationDeps } from './deps.ts'

test('a reservation has a bonus where the program gives one and a transaction earns that day', () => {
  const reservationBonus = { amount: 500 }
  const offers = [{ type: 'Unlimited', days: [5], startsOn: '2026-01-01', endsOn: null, ratePercent: 100 }]
  const bonus = (config: object, date: string) =>
    bonusOn({ program: { config } } as unknown as Ctx, { offers } as unknown as Parameters<typeof bonusOn>[1], date)
  const given = { hasReservationBonus: true, reservationBonus }
  expect(bonus(given, '2026-03-13')).toEqual(reservationBonus)
  expect(bonus(given, '2026-03-14')).toBeNull()
  const locked = { offers, isLocked: true } as unknown as Parameters<typeof bonusOn>[1]
  expect(bonusOn({ program: { config: given } } as unknown as Ctx, locked, '2026-03-13')).toBeNull()
  // A program may keep its terms while it gives none.
  expect(bonus({ ...given, hasReservationBonus: false }, '2026-03-13')).toBeNull()
})

test('RESV-032 the own reservation book is always connected, a booking server where the installation has one', () => {
  expect([...connectedProviders({ http: null })]).toEqual(['book'])
  expect([...connectedProviders({ http: {} as NonNullable<ReservationDeps['http']> })]).toEqual(['book', 'http'])
})
