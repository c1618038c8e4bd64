import { at, expect, expectNoA11yViolations, test } from '../support/journey.ts'
import { joinWithCard } from '../support/journey-members.ts'

test('the choice of notifications has no axe violation', async ({ page }) => {
  await joinWithCard(page, 'orchard')
  await page.goto(at('orchard', '/account/privacy'))
  // The message is shown briefly, so the test waits for it from the start.
  await Promise.all([
    expect(page.getByText('Saved.')).toBeVisible(),
    page.getByRole('checkbox', { name: 'Email: a reward is posted' }).check(),
  ])
  await page.getByRole('checkbox', { name: 'Email: a review is about to expire' }).uncheck()
  await expectNoA11yViolations(page)
})
