import { createElement } from 'react'
import { expect, test } from 'vitest'
import {
  type Availability,
  getAvailability,
  listReservations,
  type Reservation,
} from '../../src/dining/reservations/contract.ts'
import { ConfirmTable } from '../../src/dining/reservations/member/ConfirmTable.tsx'
import { Page as ReservationsPage } from '../../src/dining/reservations/member/ReservationsPage.tsx'
import { TablePicker } from '../../src/dining/reservations/member/TablePicker.tsx'
import { apiQueryKey } from '../../src/platform/browser/query.ts'
import { renderHtml, renderText, textOf } from '../support/render-part.tsx'

// A Thursday.
const choice = { date: '2026-12-03', time: '19:00', partySize: 2 }

/** Renders the choice of a table with these tables; returns its HTML. */
function renderPicker(availability: Partial<Availability>, hours: object | null = null): string {
  const given = { params: { merchantId: 'm' }, query: { ...choice, reservationId: undefined } }
  const data = { state: 'available', slots: [], nextDate: null, ...availability }
  const none = () => {}
  return renderHtml(
    createElement(TablePicker, {
      merchantId: 'm',
      today: '2026-12-01',
      hours: hours as never,
      choice,
      onChange: none,
      onPick: none,
    }),
    { loaded: [[apiQueryKey(getAvailability, given), data]] },
  )
}

test('the shown times are the nearest to the requested one, from the earliest to the latest', () => {
  const slots = ['17:00', '17:30', '18:00', '18:30', '19:00', '19:30', '20:00', '22:00'].map((time) => ({
    time,
    bonus: false,
  }))
  const [list] = /<ul[\s\S]*?<\/ul>/.exec(renderPicker({ slots })) ?? []
  expect(textOf(list ?? '')).toBe('5:30 PM 6:00 PM 6:30 PM 7:00 PM 7:30 PM 8:00 PM')
})

test('a day off is the reason only when there is no other one', () => {
  const closed = 'The restaurant is closed on this day.'
  const openOnFridays = { 5: [['17:00', '22:00']] }
  expect(renderPicker({ state: 'none' }, openOnFridays)).toContain(closed)
  expect(renderPicker({ state: 'none' })).not.toContain(closed)
  for (const state of ['tooFar', 'tooClose'] as const)
    expect(renderPicker({ state }, openOnFridays)).not.toContain(closed)
})

test('the condition of the bonus is shown before a table is reserved where the program has the bonus', () => {
  const confirm = (hasReservationBonus: boolean) =>
    renderText(
      createElement(ConfirmTable, {
        merchant: { id: 'm', name: 'Corner Bistro' },
        selection: { ...choice, merchantId: 'm' },
        onClose: () => {},
      }),
      { config: { hasReservationBonus } },
    )
  const condition = /pay with a linked card/
  expect(confirm(true)).toMatch(condition)
  expect(confirm(false)).not.toMatch(condition)
  expect(confirm(false)).toContain('Corner Bistro 2 people')
})

test('a reservation for one person says so, and one in the past cannot be changed', () => {
  const reservation: Reservation = {
    id: 'r',
    merchantId: 'm',
    merchantName: 'Corner Bistro',
    address: '1 Main Street',
    ...choice,
    startsAt: '2026-12-04T00:00:00.000Z',
    timeZone: 'America/New_York',
    confirmation: 'ABC',
    status: 'booked',
    bonus: null,
  } as Reservation
  const list = (partySize: number, when: 'upcoming' | 'past') => {
    const data = { upcoming: [], past: [], [when]: [{ ...reservation, partySize }] }
    return renderText(createElement(ReservationsPage), { loaded: [[apiQueryKey(listReservations, {}), data]] })
  }
  expect(list(1, 'upcoming')).toMatch(/1 person,? .*Change Cancel/)
  expect(list(2, 'upcoming')).toContain('2 people')
  expect(list(1, 'past')).toContain('1 person')
  expect(list(1, 'past')).not.toMatch(/Change|Cancel/)
})
