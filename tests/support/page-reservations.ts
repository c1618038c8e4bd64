import { fireEvent, within } from '@testing-library/dom'
import { expect, vi } from 'vitest'
import type { Visitor } from './members.ts'
import type { OpenPage } from './page-dom.ts'
import { findMerchant } from './page-members.ts'
import { nearTables, openAtSeven } from './tables-to-book.ts'

/** Returns a restaurant with tables whose page satisfies a condition; by default open every day at seven, with an offer. */
export const findBookable = (visitor: Visitor, fits = openAtSeven) => findMerchant(visitor, nearTables, fits)

/** The block of a restaurant's page where tables are chosen. */
export const blockOf = async ({ screen }: OpenPage) =>
  within(await screen.findByRole('region', { name: 'Reserve a table' }))

/** Enters a date in the block. */
export async function enterDate(page: OpenPage, value: string): Promise<void> {
  fireEvent.change(await (await blockOf(page)).findByLabelText('Date'), { target: { value } })
}

/** Chooses a date in the block and waits for its times. */
export async function chooseDate(page: OpenPage, date: string): Promise<void> {
  await enterDate(page, date)
  await vi.waitFor(async () => {
    const block = await blockOf(page)
    expect(block.getByLabelText('Date')).toHaveValue(date)
    expect(page.requests.some(({ path }) => path.includes(`Availability?date=${date}`))).toBe(true)
    expect(block.queryByText('Looking for tables…')).toBeNull()
  }, 20_000)
}

/** Presses the first of the available times; returns its text. */
export async function pickFirstTime(page: OpenPage): Promise<string> {
  const times = within(await (await blockOf(page)).findByRole('list', { name: 'Available times' }))
  const [first] = times.getAllByRole('button')
  await page.user.click(first as HTMLElement)
  return first?.textContent?.split(',')[0] ?? ''
}

/** Returns the dialog with a title, once it is open. */
export const dialogOf = async ({ screen }: OpenPage, name: string): Promise<HTMLElement> =>
  screen.findByRole('dialog', { name })

/** Waits until the alert within an element has exactly this text. */
export const expectAlert = (element: HTMLElement, text: string) =>
  vi.waitFor(() => expect(within(element).getByRole('alert').textContent).toBe(text), 20_000)

/** Returns the list item with a text, once there is exactly one. */
export const itemOf = ({ screen }: OpenPage, text: string): Promise<HTMLElement> =>
  vi.waitFor(() => {
    const items = screen.getAllByRole('listitem').filter(({ textContent }) => textContent?.includes(text))
    expect(items).toHaveLength(1)
    return items[0] as HTMLElement
  }, 20_000)
