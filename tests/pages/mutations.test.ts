import '@testing-library/jest-dom/vitest'
import { configure, within } from '@testing-library/dom'
import { userEvent } from '@testing-library/user-event'
import { afterAll, expect, onTestFinished, test, vi } from 'vitest'
import { openWindow, restoreGlobals } from '../support/page-window.ts'

// As long as a busy machine needs.
configure({ asyncUtilTimeout: 20_000 })
afterAll(restoreGlobals)

/** Opens components on a page of their own. */
async function openStrictPage() {
  const { window, settle } = openWindow({
    url: 'http://strict.localhost/',
    width: 1280,
    fetch: () => Promise.reject(new TypeError('no connection')),
    onLeave: () => {},
  })
  const reported: string[] = []
  vi.spyOn(console, 'error').mockImplementation((...given) => void reported.push(given.map(String).join(' ')))
  // Imported once there is a window: React looks for one when it is loaded.
  const { showStrictly } = await import('../support/strict-page.tsx')
  const { calls, end } = showStrictly()
  onTestFinished(async () => {
    end()
    await settle()
    await window.happyDOM.close()
    expect(reported).toEqual([])
  })
  const screen = within(document.body)
  await screen.findByRole('button', { name: 'book' })
  const sent = (id: string) => calls.filter((call) => call.id === id).map(({ given }) => given)
  return {
    screen,
    user: userEvent.setup({ document }),
    sent,
    expectSent: (id: string, count: number) => vi.waitFor(() => expect(sent(id)).toHaveLength(count), 20_000),
    /** Ends the last call; a number is the status of its failure. */
    async end(id: string, result: unknown) {
      const call = calls.findLast((each) => each.id === id)
      if (typeof result === 'number') call?.fail(result)
      else call?.resolve(result)
      await settle()
    },
  }
}

/** Presses a button twice, before the page can render the first press. */
function pressTwice(button: HTMLElement): void {
  button.click()
  button.click()
}

const inAMinute = () => new Date(Date.now() + 60_000).toISOString()

test('a table is held once for each time the dialog opens, and booked once, however often effects and presses repeat', async () => {
  const { screen, user, sent, expectSent, end } = await openStrictPage()
  await user.click(screen.getByRole('button', { name: 'book' }))
  expect(await screen.findByRole('dialog')).toBeVisible()
  const selection = { merchantId: 'm-1', date: '2026-12-01', time: '19:00', partySize: 2 }
  await expectSent('holdTable', 1)
  expect(sent('holdTable')).toEqual([{ body: selection }])
  await end('holdTable', { token: 'held', expiresAt: inAMinute() })
  expect(await screen.findByRole('timer')).toBeVisible()
  pressTwice(screen.getByRole('button', { name: 'Reserve this table' }))
  await expectSent('makeReservation', 1)
  expect(sent('makeReservation')).toEqual([{ body: { ...selection, holdToken: 'held' } }])
  expect(sent('holdTable')).toHaveLength(1)
  // Another attempt is another hold.
  await user.keyboard('{Escape}')
  await vi.waitFor(() => expect(screen.queryByRole('dialog')).toBeNull(), 20_000)
  await user.click(screen.getByRole('button', { name: 'book' }))
  expect(await screen.findByRole('dialog')).toBeVisible()
  await expectSent('holdTable', 2)
  expect(sent('makeReservation')).toHaveLength(1)
  await end('holdTable', { token: 'held', expiresAt: new Date().toISOString() })
  expect((await screen.findByText(/^We’re no longer holding this table/)).closest('[role=status]')).not.toBeNull()
  expect(screen.queryByRole('timer')).toBeNull()
  expect(screen.getByRole('button', { name: 'Reserve this table' })).toBeVisible()
})

test('the time for which a table is held counts down by the second until it ends', async () => {
  vi.useFakeTimers({ toFake: ['Date', 'setInterval', 'clearInterval'] })
  onTestFinished(() => void vi.useRealTimers())
  const { screen, user, expectSent, end } = await openStrictPage()
  await user.click(screen.getByRole('button', { name: 'book' }))
  await expectSent('holdTable', 1)
  await end('holdTable', { token: 'held', expiresAt: new Date(Date.now() + 65_000).toISOString() })
  const text = 'We’re holding this table for you for'
  expect(await screen.findByText(`${text} 1:05.`)).toHaveAttribute('role', 'timer')
  vi.advanceTimersByTime(1000)
  await screen.findByText(`${text} 1:04.`)
  vi.advanceTimersByTime(5000)
  await screen.findByText(`${text} 0:59.`)
  vi.advanceTimersByTime(59_000)
  await screen.findByText(/^We’re no longer holding this table/)
})

test('free times are requested again when a table cannot be held, cannot be booked, and is booked', async () => {
  const { screen, user, expectSent, end } = await openStrictPage()
  const expectRequests = async (count: number) => {
    await expectSent('getAvailability', count)
    await end('getAvailability', { state: 'available', slots: [] })
  }
  await user.click(screen.getByRole('button', { name: 'times' }))
  await expectRequests(1)
  await user.click(screen.getByRole('button', { name: 'book' }))
  await expectSent('holdTable', 1)
  await end('holdTable', 409)
  await expectRequests(2)
  await user.click(await screen.findByRole('button', { name: 'Choose another time' }))
  await user.click(screen.getByRole('button', { name: 'book' }))
  await expectSent('holdTable', 2)
  await end('holdTable', { token: 'held', expiresAt: inAMinute() })
  await user.click(await screen.findByRole('button', { name: 'Reserve this table' }))
  await end('makeReservation', 502)
  await expectRequests(3)
  await user.click(screen.getByRole('button', { name: 'Reserve this table' }))
  await expectSent('makeReservation', 2)
  await end('makeReservation', { id: 'r-1', date: '2026-12-01', time: '19:00', bonus: null })
  await expectRequests(4)
})

test('an action is sent once until it ends; its failure is shown until the next attempt', async () => {
  const { screen, user, sent, expectSent, end } = await openStrictPage()
  const part = within(screen.getByRole('region', { name: 'single' }))
  pressTwice(part.getByRole('button', { name: 'a' }))
  expect(await part.findByText('pending')).toBeVisible()
  await user.click(part.getByRole('button', { name: 'b' }))
  expect(sent('cancelReservation')).toEqual([{ params: { reservationId: 'a' }, query: {} }])
  await end('cancelReservation', 409)
  expect(await part.findByText('status 409')).toBeVisible()
  await user.click(part.getByRole('button', { name: 'b' }))
  await vi.waitFor(() => expect(part.queryByText('status 409')).toBeNull(), 20_000)
  await expectSent('cancelReservation', 2)
  await end('cancelReservation', null)
  await vi.waitFor(() => expect(part.getByRole('status')).toHaveTextContent(/^b$/), 20_000)
})

test('different actions in a queue are sent one after another, and the same one again is ignored', async () => {
  const { screen, user, sent, expectSent, end } = await openStrictPage()
  const part = within(screen.getByRole('region', { name: 'queued' }))
  pressTwice(part.getByRole('button', { name: 'a' }))
  pressTwice(part.getByRole('button', { name: 'b' }))
  expect(await part.findByText('pending')).toBeVisible()
  expect(sent('cancelReservation')).toHaveLength(1)
  await end('cancelReservation', null)
  await expectSent('cancelReservation', 2)
  await end('cancelReservation', null)
  await vi.waitFor(() => expect(part.getByRole('status')).toHaveTextContent(/^a b$/), 20_000)
  expect(sent('cancelReservation')).toHaveLength(2)
  // A failure is shown at the end, also when a later action succeeds, until the next attempt.
  for (const name of ['a', 'b']) await user.click(part.getByRole('button', { name }))
  await end('cancelReservation', 409)
  await expectSent('cancelReservation', 4)
  await end('cancelReservation', null)
  expect(await part.findByText('status 409')).toBeVisible()
  await user.click(part.getByRole('button', { name: 'a' }))
  await vi.waitFor(() => expect(part.queryByText('status 409')).toBeNull(), 20_000)
})

test('a component that waits for a query may have further hooks', async () => {
  const { screen, user } = await openStrictPage()
  await user.click(screen.getByRole('button', { name: 'late' }))
  expect(await screen.findByText('late data and state')).toBeVisible()
})

test('a page that leads to another one while it appears shows that one', async () => {
  const { screen, user } = await openStrictPage()
  await user.click(screen.getByRole('button', { name: 'lead' }))
  expect(await screen.findByText('page /second')).toBeVisible()
})

test('a page that is left while it appears does not redirect any more', async () => {
  const { screen, user } = await openStrictPage()
  await user.click(screen.getByRole('button', { name: 'redirect' }))
  expect(await screen.findByText('page /second')).toBeVisible()
  await user.click(screen.getByRole('button', { name: 'late' }))
  expect(await screen.findByText('late data and state')).toBeVisible()
  expect(screen.getByText('page /second')).toBeVisible()
})
