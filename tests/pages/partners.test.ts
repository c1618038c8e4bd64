import { expect, test } from 'vitest'
import { visit } from '../support/app.ts'
import { openPage, setUpPages } from '../support/page-dom.ts'

const app = setUpPages()
const statusOf = async (partner: string, path: string) =>
  (await visit(app, partner).get(path, { accept: 'text/html' })).status

test('ROUTE-033 ROUTE-038 SHELL-010 Lantern can be browsed and has no sign-in', async () => {
  let page = await openPage(app, 'lantern', '/')
  expect(page.screen.queryAllByRole('link', { name: 'Join' })).toEqual([])
  expect(page.screen.queryAllByRole('link', { name: 'Sign in' })).toEqual([])
  page = await page.goto('/search?restaurantOrCuisine=ramen&location=10001')
  expect((await page.screen.findAllByRole('article'))[0]).toBeVisible()
  for (const path of ['/join', '/login', '/add_card', '/account/overview', '/nowhere']) {
    expect([path, await statusOf('lantern', path)]).toEqual([path, 404])
    page = await page.goto(path)
    const { screen } = page
    expect(await screen.findByText('Wrong door. It happens after midnight.')).toBeVisible()
    expect(screen.getByRole('link', { name: 'Back to the home page' })).toBeVisible()
  }
})

test('ROUTE-028 addresses are case-sensitive', async () => {
  for (const [path, status] of [
    ['/login', 200],
    // Leads to `/login`.
    ['/LOGIN', 308],
  ] as const) {
    expect([path, await statusOf('skyharbor', path)]).toEqual([path, status])
    await openPage(app, 'skyharbor', path)
  }
})
