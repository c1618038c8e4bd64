import { at, callApi, expect, expectNoA11yViolations, findMerchant, further, test } from '../support/journey.ts'
import { joinWithCard, openConsole } from '../support/journey-members.ts'

test(
  'an administrator sees the settlement of a program, downloads a restaurant’s statement, and sees its files',
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
    await page.getByRole('link', { name: 'Skyharbor Miles Dining' }).click()
    await page.getByRole('link', { name: 'Settlement' }).click()
    await expect(page.getByRole('heading', { name: /^Settlement of Skyharbor Miles Dining, / })).toBeVisible()
    await expect(page.getByText('in progress')).toBeVisible()
    await expectNoA11yViolations(page)
    const [file] = await Promise.all([
      page.waitForEvent('download'),
      page
        .getByRole('link', { name: /^Statement of .* as PDF$/ })
        .first()
        .click(),
    ])
    expect(file.suggestedFilename()).toMatch(/^[a-z0-9-]+-\d{4}-\d\d\.pdf$/)
    // A month without entries shows a message and a link back.
    await page.goto(at('console', '/skyharbor/settlement?month=2025-01'))
    await expect(page.getByText('There were no entries in January 2025.')).toBeVisible()
    await page.getByRole('link', { name: 'February 2025' }).click()
    await expect(page.getByRole('heading', { name: /February 2025/ })).toBeVisible()
    await page.getByRole('link', { name: 'Programs', exact: true }).click()
    await page.getByRole('link', { name: 'Files of Skyharbor Miles Dining' }).click()
    await expect(page.getByText('No file was read yet.')).toBeVisible()
    await expectNoA11yViolations(page)
  },
)
