import type { Page } from '@playwright/test'
import { build, type Rolldown } from 'vite'
import { expect, test } from '../support/journey.ts'

const address = 'http://strict.localhost/'

/** Opens components on a page with React's development build, in which StrictMode runs every effect twice. */
async function openStrictPage(page: Page): Promise<void> {
  const { output } = (await build({
    configFile: false,
    logLevel: 'error',
    mode: 'development',
    define: { 'process.env.NODE_ENV': '"development"' },
    build: { write: false, minify: false, rolldownOptions: { input: 'tests/support/strict-page.tsx' } },
  })) as Rolldown.RolldownOutput
  const script = output.find((file) => file.type === 'chunk')?.code ?? ''
  await page.route(`${address}**`, (route) =>
    route.request().url() === address
      ? route.fulfill({
          contentType: 'text/html',
          body: '<html data-scripted><body><script type="module" src="/script.js"></script>',
        })
      : route.fulfill({ contentType: 'text/javascript', body: script }),
  )
  await page.goto(address)
}

const sent = (page: Page, id: string) =>
  page.evaluate((wanted) => window.calls.filter((call) => call.id === wanted).map(({ given }) => given), id)

const settle = (page: Page, id: string, result: unknown) =>
  page.evaluate(
    ([wanted, value]) => {
      const call = window.calls.findLast((each) => each.id === wanted)
      if (typeof value === 'number') call?.fail(value)
      else call?.resolve(value)
    },
    [id, result] as const,
  )

/** Presses a button twice, before the page can render the first press. */
const pressTwice = (page: Page, name: string, part = 'body') =>
  page
    .locator(part)
    .getByRole('button', { name })
    .evaluate((button: HTMLButtonElement) => {
      button.click()
      button.click()
    })

test('a table is held once for each time the dialog opens, and booked once, however often effects and presses repeat', async ({
  page,
}) => {
  await openStrictPage(page)
  await page.getByRole('button', { name: 'book' }).click()
  await expect(page.getByRole('dialog')).toBeVisible()
  const selection = { merchantId: 'm-1', date: '2026-12-01', time: '19:00', partySize: 2 }
  expect(await sent(page, 'holdTable')).toEqual([{ body: selection }])
  await settle(page, 'holdTable', { token: 'held', expiresAt: new Date(Date.now() + 60_000).toISOString() })
  await expect(page.getByRole('timer')).toBeVisible()
  await pressTwice(page, 'Reserve this table')
  expect(await sent(page, 'makeReservation')).toEqual([{ body: { ...selection, holdToken: 'held' } }])
  expect(await sent(page, 'holdTable')).toHaveLength(1)
  // Another attempt is another hold.
  await page.keyboard.press('Escape')
  await page.getByRole('button', { name: 'book' }).click()
  await expect(page.getByRole('dialog')).toBeVisible()
  expect(await sent(page, 'holdTable')).toHaveLength(2)
})

test('free times are requested again when a table cannot be held, cannot be booked, and is booked', async ({
  page,
}) => {
  await openStrictPage(page)
  const expectRequests = async (count: number) => {
    await expect.poll(() => sent(page, 'getAvailability')).toHaveLength(count)
    await settle(page, 'getAvailability', { state: 'available', slots: [] })
  }
  await page.getByRole('button', { name: 'times' }).click()
  await expectRequests(1)
  await page.getByRole('button', { name: 'book' }).click()
  await expect.poll(() => sent(page, 'holdTable')).toHaveLength(1)
  await settle(page, 'holdTable', 409)
  await expectRequests(2)
  await page.getByRole('button', { name: 'Choose another time' }).click()
  await page.getByRole('button', { name: 'book' }).click()
  await expect.poll(() => sent(page, 'holdTable')).toHaveLength(2)
  await settle(page, 'holdTable', { token: 'held', expiresAt: new Date(Date.now() + 60_000).toISOString() })
  const reserve = page.getByRole('button', { name: 'Reserve this table' })
  await reserve.click()
  await settle(page, 'makeReservation', 502)
  await expectRequests(3)
  await reserve.click()
  await settle(page, 'makeReservation', { id: 'r-1', date: '2026-12-01', time: '19:00', bonus: null })
  await expectRequests(4)
})

test('an action is sent once until it ends; its failure is shown until the next attempt', async ({ page }) => {
  await openStrictPage(page)
  const part = page.getByRole('region', { name: 'single' })
  await pressTwice(page, 'a', 'section[aria-label=single]')
  await expect(part.getByText('pending')).toBeVisible()
  await part.getByRole('button', { name: 'b' }).click()
  expect(await sent(page, 'cancelReservation')).toEqual([{ params: { reservationId: 'a' }, query: {} }])
  await settle(page, 'cancelReservation', 409)
  await expect(part.getByText('status 409')).toBeVisible()
  await part.getByRole('button', { name: 'b' }).click()
  await expect(part.getByText('status 409')).toHaveCount(0)
  expect(await sent(page, 'cancelReservation')).toHaveLength(2)
  await settle(page, 'cancelReservation', null)
  await expect(part.locator('output')).toHaveText('b')
})

test('different actions in a queue are sent one after another, and the same one again is ignored', async ({ page }) => {
  await openStrictPage(page)
  const part = page.getByRole('region', { name: 'queued' })
  await pressTwice(page, 'a', 'section[aria-label=queued]')
  await pressTwice(page, 'b', 'section[aria-label=queued]')
  await expect(part.getByText('pending')).toBeVisible()
  expect(await sent(page, 'cancelReservation')).toHaveLength(1)
  await settle(page, 'cancelReservation', null)
  await expect.poll(() => sent(page, 'cancelReservation')).toHaveLength(2)
  await settle(page, 'cancelReservation', null)
  await expect(part.locator('output')).toHaveText('a b')
  expect(await sent(page, 'cancelReservation')).toHaveLength(2)
  // A failure is shown at the end, also when a later action succeeds, until the next attempt.
  for (const name of ['a', 'b']) await part.getByRole('button', { name }).click()
  await settle(page, 'cancelReservation', 409)
  await expect.poll(() => sent(page, 'cancelReservation')).toHaveLength(4)
  await settle(page, 'cancelReservation', null)
  await expect(part.getByText('status 409')).toBeVisible()
  await part.getByRole('button', { name: 'a' }).click()
  await expect(part.getByText('status 409')).toHaveCount(0)
})

test('a component that waits for a query may have further hooks', async ({ page }) => {
  await openStrictPage(page)
  await page.getByRole('button', { name: 'late' }).click()
  await expect(page.getByText('late data and state')).toBeVisible()
})

test('a page that leads to another one while it appears shows that one', async ({ page }) => {
  await openStrictPage(page)
  await page.getByRole('button', { name: 'lead' }).click()
  await expect(page.getByText('page /second')).toBeVisible()
})
