import { expect, test } from 'vitest'
import type { ReservationRow } from './store.ts'
import { toReservation } from './to-reservation.ts'

const row = {
  starts_at: new Date('2026-11-21T00:00:00Z'),
  address1: '1 Main Street',
  city: 'New York',
  state: 'NY',
  confirmation: 'ABCD2345',
  status: 'booked',
  bonus: null,
  bonusEarned: false,
} as ReservationRow

test('the address of a restaurant has no empty part', () => {
  expect(toReservation(row).address).toBe('1 Main Street, New York, NY')
  expect(toReservation({ ...row, address1: '' }).address).toBe('New York, NY')
})

test('a reservation is shown as booked only while it is', () => {
  const statuses = ['booked', 'canceling', 'canceled', 'booking', 'failed'] as const
  expect(statuses.map((status) => toReservation({ ...row, status }).status)).toEqual([
    'booked',
    'cancelled',
    'cancelled',
    'cancelled',
    'cancelled',
  ])
})
