import { at, callApi, expect, expectNoA11yViolations, findMerchant, further, test } from '../support/journey.ts'
import { joinWithCard, openConsole } from '../support/journey-members.ts'

test(
  'CON-310 CON-312 an operator sees the settlement of a program, opens a restaurant’s statement and downloads it',
  further,
  async ({ page, browser }) => {
    const member = await (await browser.newContext()).newPage()
    await joinWithCard(member, 'skyharbor')
    const { id } = await findMerchant(member, 'location=10001', ({ offers }) => offers[0]?.type === 'Unlimited')
    const [card] = (await callApi(member, '/api/staging/cards')).cards
    const body = { cardId: card.id, merchantId: id, amount: '61.70', event: 'clearing' }
    await callApi(member, '/api/staging/dine', { method: 'POST', body })
    await member.context().close()

    await openConsole(page)
    await page.goto(at('console', '/skyharbor'))
    await page.getByRole('navigation', { name: 'Areas' }).getByRole('link', { name: 'Settlement' }).click()
    await expect(page.getByRole('heading', { name: 'Settlement', level: 1 })).toBeVisible()
    await page.getByRole('button', { name: 'Day by day' }).click()
    await expect(page.getByText('In progress')).toBeVisible()
    await expectNoA11yViolations(page)
    await page.getByRole('region', { name: 'Settlement' }).getByRole('link').first().click()
    await expect(page.getByRole('table', { name: /^Transactions of / })).toBeVisible()
    await expectNoA11yViolations(page)
    const [file] = await Promise.all([page.waitForEvent('download'), page.getByRole('link', { name: 'PDF' }).click()])
    expect(file.suggestedFilename()).toMatch(/^[a-z0-9-]+-\d{4}-\d\d\.pdf$/)
    // A month without entries says so.
    await page.goto(at('console', '/skyharbor/settlement?month=2025-01'))
    await expect(page.getByText('Nothing matches these filters')).toBeVisible()
    await expect(page.getByRole('button', { name: 'Month (UTC)' })).toHaveText('January 2025')
  },
)
