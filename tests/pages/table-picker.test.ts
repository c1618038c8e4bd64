import { configure, fireEvent } from '@testing-library/dom'
import { createElement } from 'react'
import { afterAll, expect, test, vi } from 'vitest'
import { TablePicker } from '../../src/dining/reservations/member/TablePicker.tsx'
import { ApiCallError } from '../../src/platform/browser/api.ts'
import { restoreGlobals } from '../support/page-window.ts'
import { openPart } from '../support/part-window.ts'

// As long as a busy machine needs.
configure({ asyncUtilTimeout: 20_000 })
afterAll(restoreGlobals)

/** For lunch on Thursdays, in the evening on Fridays. */
const hours = { 4: [['11:30', '14:00']], 5: [['17:00', '22:00']] }
const thursday = { date: '2026-12-03', time: '12:00', partySize: 2 }

async function openPicker({
  call,
  state = 'none',
  nextDate = null,
}: {
  call?: () => Promise<unknown>
  state?: string
  nextDate?: string | null
} = {}) {
  const onChange = vi.fn()
  const picker = { merchantId: 'm', today: '2026-12-01', hours: hours as never, choice: thursday, onChange }
  const part = createElement(TablePicker, { ...picker, onPick: () => {} })
  const page = await openPart(part, { call: call ?? (async () => ({ state, slots: [], nextDate })) })
  return { ...page, onChange }
}

test('another date gets the time of its own opening hours that is nearest to the requested one', async () => {
  const { screen, onChange } = await openPicker()
  fireEvent.change(await screen.findByLabelText('Date'), { target: { value: '2026-12-04' } })
  expect(onChange).toHaveBeenCalledWith({ ...thursday, date: '2026-12-04', time: '17:00' })
})

test('the next date with tables gets the time of its own opening hours', async () => {
  const { screen, user, onChange } = await openPicker({ nextDate: '2026-12-04' })
  await user.click(await screen.findByRole('button', { name: /December 4/ }))
  expect(onChange).toHaveBeenCalledWith({ ...thursday, date: '2026-12-04', time: '17:00' })
})

test('A11Y-013 RESV-002 one region of the page says that tables are looked for, that this failed, and how many there are', async () => {
  const responses = [Promise.withResolvers<unknown>(), Promise.withResolvers<unknown>()]
  let calls = 0
  const { screen, user } = await openPicker({ call: () => (responses[calls++] ?? responses[1])?.promise as never })
  const [region] = screen.getAllByRole('status').filter(({ textContent }) => textContent === 'Looking for tables…')
  responses[0]?.reject(new TypeError('no connection'))
  await vi.waitFor(
    () => expect(region).toHaveTextContent(/^We couldn’t look up the tables\. Please try again\.$/),
    20_000,
  )
  await user.click(screen.getByRole('button', { name: 'Try again' }))
  const slot = (time: string) => ({ time, bonus: false })
  responses[1]?.resolve({ state: 'available', slots: ['12:00', '12:30'].map(slot), nextDate: null })
  await vi.waitFor(() => expect(region).toHaveTextContent(/^2 times available$/), 20_000)
  expect(region?.isConnected).toBe(true)
})

test('RESV-030 a restaurant whose tables cannot be booked here is said to be so, and offers no second try', async () => {
  const error = new ApiCallError(404, { code: 'notBookable' })
  const { screen } = await openPicker({ call: () => Promise.reject(error) })
  expect(await screen.findByText('You can’t reserve a table at this restaurant here.')).toBeVisible()
  expect(screen.queryByRole('button', { name: 'Try again' })).toBeNull()
})
