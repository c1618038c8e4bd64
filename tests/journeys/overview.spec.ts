import { asOwner, at, expect, expectNoA11yViolations, test } from '../support/journey.ts'
import { insertTransactions, joinWithCard, signInBankCustomer } from '../support/journey-members.ts'

test('A11Y-010 the overview with a status, with bonuses before and after activation, and at the bank has no axe violation', async ({
  page,
}) => {
  const email = await joinWithCard(page, 'skyharbor')
  await insertTransactions(email, [{ merchantName: 'Corner Bistro', ago: 0.1, benefit: 1234 }])
  await asOwner("update members set tier_level = 'VIP' where email = $1", [email])
  await page.goto(at('skyharbor', '/account/overview'))
  await expect(page.getByText('VIP member')).toBeVisible()
  await expectNoA11yViolations(page)

  await joinWithCard(page, 'orchard')
  await page.goto(at('orchard', '/account/overview'))
  const bonus = page.getByRole('button', { name: 'Activate this bonus' })
  await expect(bonus).toBeVisible()
  await expectNoA11yViolations(page)
  await bonus.click()
  await expect(page.getByRole('heading', { name: 'Activated' })).toBeVisible()
  await expectNoA11yViolations(page)

  const customer = await signInBankCustomer(page, 'cleo')
  await asOwner('delete from transactions where member_id = (select id from members where email = $1)', [customer])
  await insertTransactions(customer, [
    { merchantName: 'Corner Bistro', ago: 0.1, cents: 474_50, benefit: 1423, unit: 'cent' },
  ])
  await page.goto(at('beacon', '/account/overview'))
  await expect(page.getByText('$25.50 away from VIP')).toBeVisible()
  await expectNoA11yViolations(page)
})
