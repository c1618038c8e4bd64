import { within } from '@testing-library/dom'
import { expect, test, vi } from 'vitest'
import { newMember } from '../support/members.ts'
import { openPage, setUpPages } from '../support/page-dom.ts'
import { insertTransactions, newMemberWithCard } from '../support/page-members.ts'

const app = setUpPages()

test('A11Y-013 A11Y-016 the calculator accepts dollars as people write them, and announces each result once', async () => {
  const { visitor } = await newMember(app)
  const [merchant] = (await visitor.get('/api/v2/Merchants/Search?location=10001')).json().merchants
  visitor.cookies.clear()
  const page = await openPage(app, 'skyharbor', `/merchants/${merchant.id}`, { visitor })
  const { user, screen } = page
  const amounts = () =>
    page
      .calls(`GET /api/v2/Merchants/${merchant.id}/Earn`)
      .map(({ path }) => new URL(path, 'http://any').searchParams.get('amount'))
  const bill = await screen.findByLabelText<HTMLInputElement>('Bill with tax and tip')
  const result = () => screen.queryAllByRole('status').find(({ textContent }) => /\$\d/.test(textContent))
  await vi.waitFor(() => expect(result()).toHaveTextContent('$60'), 20_000)
  const element = result() as HTMLElement
  const announced: string[] = []
  const note = () => announced.at(-1) !== element.textContent && announced.push(element.textContent)
  new MutationObserver(note).observe(element, { childList: true, characterData: true, subtree: true })
  const type = async (text: string) => {
    bill.setSelectionRange(0, bill.value.length)
    await user.keyboard(text)
  }
  bill.focus()
  await type('123')
  await vi.waitFor(() => expect(result()).toHaveTextContent('$123'), 20_000)
  expect(announced.filter((text) => !text.includes('$123'))).toEqual([])
  expect(new Set(announced).size).toBe(1)
  // Nor was any other result requested, which could have arrived in between.
  expect(amounts()).toEqual(['123.00'])
  for (const [typed, shown] of [
    ['$80', '$80'],
    ['1,000', '$1,000'],
  ] as const) {
    await type(typed)
    await vi.waitFor(() => expect(result()).toHaveTextContent(shown), 20_000)
    expect(bill).not.toHaveAttribute('aria-invalid')
  }
  await type('abc')
  const wrong = 'Enter an amount from $0.01 to $99,999.99, such as 60, 72.50 or 1,000.'
  expect(await screen.findByText(wrong)).toBeVisible()
  expect(bill).toHaveAttribute('aria-invalid', 'true')
  expect(result()).toBeUndefined()
})

test('A11Y-016 a missing transaction without a day shows an error, and the day field has the focus', async () => {
  const { visitor } = await newMember(app)
  const { user, screen } = await openPage(app, 'skyharbor', '/account/missing_meal', { visitor })
  screen.getByRole('main').querySelector<HTMLElement>('button[type=submit]')?.focus()
  await user.keyboard('{Enter}')
  const day = screen.getByLabelText(/^Date/)
  await vi.waitFor(
    () => expect(day).toHaveAccessibleDescription(/Enter the date of your meal: today or earlier\./),
    20_000,
  )
  expect(day).toHaveFocus()
})

test('A11Y-013 another tab of the account is announced, and the focus stays on it', async () => {
  const { visitor } = await newMember(app)
  const page = await openPage(app, 'skyharbor', '/account/user_profile', { visitor })
  const tab = within(page.screen.getByRole('main')).getByRole('link', { name: 'Privacy' })
  tab.focus()
  await page.user.keyboard('{Enter}')
  await vi.waitFor(() => expect(page.address).toBe('/account/privacy'), 20_000)
  const announcements = () =>
    page.screen.queryAllByRole('status').filter(({ textContent }) => textContent.includes('Privacy'))
  await vi.waitFor(() => expect(announcements()).toHaveLength(1), 20_000)
  expect(tab).toBeInTheDocument()
  expect(tab).toHaveFocus()
  const current = within(page.screen.getByRole('main')).getAllByRole('link', { current: 'page' })
  expect(current).toEqual([tab])
})

test('A11Y-013 a tab of the account is announced again when the member returns to it, also with Back', async () => {
  const { visitor } = await newMember(app)
  const page = await openPage(app, 'skyharbor', '/account/user_profile', { visitor })
  const tab = (name: string) => within(page.screen.getByRole('main')).getByRole('link', { name })
  const untilAnnounced = (name: string) =>
    vi.waitFor(() => {
      const announced = page.screen.queryAllByRole('status').map(({ textContent }) => textContent)
      expect(announced.filter((text) => text.startsWith(name))).toHaveLength(1)
    }, 20_000)
  await page.user.click(tab('Privacy'))
  await untilAnnounced('Privacy')
  await page.user.click(tab('Profile'))
  await untilAnnounced('Profile')
  page.back()
  await untilAnnounced('Privacy')
  page.back()
  await untilAnnounced('Profile')
})

test('A11Y-013 what changes in the activity while it is shown is announced each time, and another page of it is not', async () => {
  const { visitor, email } = await newMemberWithCard(app, 'skyharbor')
  const names = Array.from({ length: 11 }, (_, ago) => ({ merchantName: `Place ${ago}`, ago: ago + 1 }))
  await insertTransactions(app, email, names)
  const page = await openPage(app, 'skyharbor', '/account/overview', { visitor })
  const { user, screen } = page
  // A stream of activity, through which the test reports.
  const streams = new Set<Map<string, () => void>>()
  globalThis.EventSource = class {
    #listeners = new Map<string, () => void>()
    constructor() {
      streams.add(this.#listeners)
    }
    addEventListener(type: string, listener: () => void) {
      this.#listeners.set(type, listener)
    }
    close() {
      streams.delete(this.#listeners)
    }
  } as never
  const report = (type: string) => {
    for (const listeners of streams) listeners.get(type)?.()
  }
  await user.click(
    within(screen.getByRole('main')).getAllByRole('link', { name: 'Reviews & History' })[0] as HTMLElement,
  )
  await screen.findByText('Page 1 of 2')
  const regions = screen.getAllByRole('status')
  const region = () => regions.find(({ textContent }) => textContent === 'Your activity was updated.')
  const lists = () => page.calls('GET /api/Member/Transactions').length
  // The same list again is no news.
  const before = lists()
  report('open')
  await vi.waitFor(() => expect(lists()).toBe(before + 1), 20_000)
  const insert = (merchantName: string) => insertTransactions(app, email, [{ merchantName, ago: 0.1 }])
  await insert('New Place')
  expect(region()).toBeUndefined()
  report('activity')
  expect((await screen.findAllByText('New Place'))[0]).toBeVisible()
  await vi.waitFor(() => expect(region()).toBeDefined(), 20_000)
  const first = region()?.firstChild
  // It has changed while there was no connection.
  await insert('Newer Place')
  report('open')
  expect((await screen.findAllByText('Newer Place'))[0]).toBeVisible()
  await vi.waitFor(() => expect(region()?.firstChild).not.toBe(first), 20_000)
  const second = region()?.firstChild
  await user.click(screen.getByRole('button', { name: 'Next' }))
  expect((await screen.findAllByText('Place 10'))[0]).toBeVisible()
  await screen.findByText('Page 2 of 2')
  expect(region()?.firstChild).toBe(second)
  // Each page has a stream, which ends with it.
  expect(streams.size).toBe(1)
  await user.click(screen.getAllByRole('link', { name: 'Account Overview' })[0] as HTMLElement)
  await vi.waitFor(() => expect(page.address).toBe('/account/overview'), 20_000)
  expect((await screen.findAllByText('Newer Place'))[0]).toBeVisible()
  await vi.waitFor(() => expect(streams.size).toBe(1), 20_000)
})

test('A11Y-011 announcements of the program come before the page content', async () => {
  await openPage(app, 'skyharbor', '/')
  const found = document.querySelectorAll('section[aria-label="Notifications"], main')
  const order = [...found].map((element) => element.tagName)
  expect(order[0]).toBe('SECTION')
  expect(order).toContain('MAIN')
})
