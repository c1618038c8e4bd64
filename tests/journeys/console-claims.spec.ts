import { at, callApi, expect, expectNoA11yViolations, test } from '../support/journey.ts'
import { joinWithCard, openConsole } from '../support/journey-members.ts'

/** A member's claims about meals of twelve days ago, one for each bill. */
async function openClaims(page: Parameters<typeof joinWithCard>[0], bills: readonly string[]): Promise<void> {
  await joinWithCard(page, 'gallonaire')
  const date = new Date(Date.now() - 12 * 86_400_000).toISOString().slice(0, 10)
  for (const [index, amount] of bills.entries()) {
    const body = { date, merchantName: `Queue Diner ${index}`, amount, note: 'I paid at the bar.' }
    await callApi(page, '/api/Member/Claims', { method: 'POST', body })
  }
}

test('CON-001 CON-005 CON-006 CON-007 claims are decided from the home page by keyboard alone', async ({
  page,
  browser,
}) => {
  const member = await (await browser.newContext()).newPage()
  await openClaims(member, ['41.00', '42.00', '43.00'])
  await openConsole(page)
  await page.getByRole('link', { name: 'Gallonaire Fuel Dining' }).focus()
  await page.keyboard.press('Enter')
  await expect(page).toHaveURL(at('console', '/gallonaire'))
  await page.getByRole('main').getByRole('link', { name: 'Claims' }).focus()
  await page.keyboard.press('Enter')
  await expect(page.getByRole('heading', { name: 'Claims', level: 1 })).toBeFocused()
  await page.keyboard.press('/')
  await expect(page.getByRole('searchbox', { name: 'Search the queue' })).toBeFocused()
  await page.keyboard.type('queue diner')
  await expect(page.getByText('3 in the queue')).toBeVisible()
  await expect(page).toHaveURL(/q=queue\+diner/)
  await page.getByRole('heading', { name: 'Claims', level: 1 }).focus()
  await page.keyboard.press('j')
  await expect(page.getByRole('heading', { name: 'Queue Diner 0, $41.00' })).toBeVisible()
  await expect(page.getByText('I paid at the bar.')).toBeVisible()
  await expectNoA11yViolations(page)
  await page.keyboard.press('j')
  await expect(page.getByRole('heading', { name: 'Queue Diner 1, $42.00' })).toBeVisible()
  await page.keyboard.press('d')
  await expect(page.getByRole('combobox', { name: 'Outcome' })).toBeFocused()
  await page.keyboard.type('no record of it')
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('Enter')
  await page.keyboard.press('Tab')
  await page.keyboard.type('We looked everywhere.')
  await page.keyboard.press('Control+Enter')
  // The next one opens by itself.
  await expect(page.getByRole('heading', { name: 'Queue Diner 2, $43.00' })).toBeVisible()
  await expect(page.getByText('2 in the queue')).toBeVisible()
  const claims = await callApi(member, '/api/Member/Claims')
  expect(claims.filter(({ decision }: { decision: unknown }) => decision)).toEqual([
    expect.objectContaining({ amount: 42, decision: expect.objectContaining({ words: 'We looked everywhere.' }) }),
  ])
  // Back and a reload show the same.
  await page.reload()
  await expect(page.getByRole('heading', { name: 'Queue Diner 2, $43.00' })).toBeVisible()
  await page.setViewportSize({ width: 375, height: 740 })
  await expect(page.getByRole('navigation', { name: 'Claims' })).toBeHidden()
  await page.getByRole('button', { name: 'Back to the queue' }).click()
  await expect(page.getByRole('navigation', { name: 'Claims' })).toBeVisible()
  await member.context().close()
})
