import { expect, test, vi } from 'vitest'
import { openPage, setUpPages } from '../support/page-dom.ts'

const app = setUpPages()

test('A11Y-013 one region, which is on the page before, says how many results there are, that there are none, and that a search failed', async () => {
  let isFailing = false
  const page = await openPage(app, 'skyharbor', '/search?location=10001', {
    responder: ({ path }) =>
      isFailing && path.startsWith('/api/v2/Merchants/Search?') ? { status: 500, body: {} } : undefined,
    tolerated: /./,
  })
  const found = await page.screen.findByText(/^[\d,]+ restaurants near/)
  const region = found.closest('[role=status]') as HTMLElement
  expect(region).not.toBeNull()
  const what = page.screen.getByRole('combobox', { name: /restaurant/i })
  const search = async (text: string, outcome: RegExp) => {
    await page.user.clear(what)
    await page.user.type(what, `${text}{Enter}`)
    await vi.waitFor(() => expect(region).toHaveTextContent(outcome), 20_000)
    expect(region.isConnected).toBe(true)
  }
  await search('qqqqzzzz', /^Nothing matches/)
  await search('pizza', /^[\d,]+ restaurants? near/)
  isFailing = true
  await search('sushi', /^The search didn’t work/)
  isFailing = false
  await search('burger', /^[\d,]+ restaurants? near/)
})
