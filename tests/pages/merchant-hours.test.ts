import { expect, onTestFinished, test, vi } from 'vitest'
import { addDays } from '../../src/platform/time.ts'
import { openPage, setUpPages } from '../support/page-dom.ts'
import { addMerchantWithTables } from '../support/reservation-harness.ts'

const app = setUpPages()

test('a closed restaurant says when it opens next: today, on another day, or not at all', async () => {
  // Noon in New York, or eleven.
  const now = new Date(`${addDays(new Date().toISOString().slice(0, 10), 1)}T16:00:00Z`)
  const today = now.getUTCDay()
  const dayBefore = (today + 6) % 7
  const nameOf = (day: number) =>
    new Intl.DateTimeFormat('en-US', { weekday: 'long', timeZone: 'UTC' }).format(Date.UTC(1970, 0, 4 + day))
  vi.useFakeTimers({ toFake: ['Date'], now })
  onTestFinished(() => void vi.useRealTimers())
  const evening = [['17:00', '22:00']]
  for (const [hours, text] of [
    [{ [today]: evening }, 'Closed now, opens at 5 PM'],
    [{ [dayBefore]: evening }, `Closed now, opens ${nameOf(dayBefore)} at 5 PM`],
    [{ [today]: [] }, 'Closed now'],
    [{ [today]: [['08:00', '22:00']] }, 'Open now, until 10 PM'],
  ] as const) {
    const { publicId } = await addMerchantWithTables(app.database.pools.shared, { seats: [], over: { hours } })
    const { screen } = await openPage(app, 'skyharbor', `/merchants/${publicId}`)
    expect((await screen.findAllByText(text))[0]).toBeVisible()
    const days = [...document.querySelectorAll('dl dt')].map(({ textContent }) => textContent)
    const closed = [...document.querySelectorAll('dl dd')].map(({ textContent }) => textContent === 'Closed')
    expect(closed).toEqual(days.map((_, day) => !hours[day as keyof typeof hours]?.length))
  }
})
