import { asOwner, at, callApi, expect, expectNoA11yViolations, test } from '../support/journey.ts'
import { insertTransactions, joinWithCard, signInBankCustomer } from '../support/journey-members.ts'

const year = new Date().getUTCFullYear()

test('ACCT-001 ACCT-002 ACCT-003 the account has its pages, each with a title; any other address leads to the overview', async ({
  page,
}) => {
  await joinWithCard(page, 'skyharbor')
  for (const path of ['/account', '/account/nothing', '/account/overview/deeper']) {
    await page.goto(at('skyharbor', path))
    await expect(page).toHaveURL(at('skyharbor', '/account/overview'))
  }
  const titles = {
    overview: 'Account Overview',
    recent_activity: 'Reviews & History',
    manage_cards: 'Linked Cards',
    user_profile: 'Profile',
  }
  for (const [path, title] of Object.entries(titles)) {
    await page.goto(at('skyharbor', `/account/${path}`))
    await expect(page).toHaveTitle(new RegExp(`^${title}.*Skyharbor`))
  }
})

test('ACCT-004 ACCT-011 CARDM-016 each tier has its text and its rate, and miles are a plain number', async ({
  page,
}) => {
  const email = await joinWithCard(page, 'skyharbor')
  await insertTransactions(email, [{ merchantName: 'Corner Bistro', ago: 0.1, benefit: 1234 }])
  const tiers = { OptedOut: 'Member', OptedIn: 'Select member', VIP: 'VIP member' }
  const rates: string[] = []
  for (const [tier, text] of Object.entries(tiers)) {
    await asOwner('update members set tier_level = $2 where email = $1', [email, tier])
    await page.goto(at('skyharbor', '/account/overview'))
    const summary = page.locator('section').filter({ has: page.getByRole('heading', { name: 'Your status' }) })
    await expect(summary).toContainText(text)
    rates.push((await summary.getByText(/^You earn/).textContent()) ?? '')
  }
  expect(new Set(rates).size).toBe(3)
  await expect(page.getByText('1,234', { exact: true })).toBeVisible()
  await expect(page.getByText(`miles in ${year}`)).toBeVisible()
  await expectNoA11yViolations(page)
})

test('ACCT-006 ACCT-007 ACCT-008 the progress to VIP is a meter with a text, and a member who has reached it sees no text', async ({
  page,
}) => {
  const email = await joinWithCard(page, 'skyharbor')
  await insertTransactions(
    email,
    Array.from({ length: 7 }, (_, index) => ({ merchantName: `Place ${index}`, ago: 0.05, benefit: 10 })),
  )
  await page.goto(at('skyharbor', '/account/overview'))
  await expect(page.getByText(`7 of 11 visits made toward VIP ${year}`)).toBeVisible()
  await expect(page.getByText('4 dines away from VIP')).toBeVisible()
  await insertTransactions(
    email,
    Array.from({ length: 5 }, (_, index) => ({ merchantName: `Other ${index}`, ago: 0.05, benefit: 10 })),
  )
  await page.reload()
  await expect(page.getByText(`11 of 11 visits made toward VIP ${year + 1}`)).toBeVisible()
  await expect(page.getByText(/away from VIP/)).toHaveCount(0)
  await expect(page.getByText(/It begins tomorrow/)).toHaveCount(0)
  await asOwner(
    "update members set vip_from = (now() at time zone 'UTC')::date + 1, vip_until = '2099-12-31' where email = $1",
    [email],
  )
  await page.reload()
  await expect(page.getByText(/^You have reached VIP\. It begins tomorrow, \w+ \d+\.$/)).toBeVisible()
})

test('ACCT-009 a fuel program shows the discount per gallon and no meter', async ({ page }) => {
  const email = await joinWithCard(page, 'gallonaire')
  await insertTransactions(email, [{ merchantName: 'Corner Bistro', ago: 0.1, benefit: 30, unit: 'cent' }])
  await page.goto(at('gallonaire', '/account/overview'))
  await expect(page.getByText('30¢ per gallon', { exact: true }).first()).toBeVisible()
  await expect(page.getByText(`fuel savings in ${year}`)).toBeVisible()
  await expect(page.getByText(/away from VIP/)).toHaveCount(0)
})

test('ACCT-005 ACCT-008 ACCT-009 ACCT-010 ACCT-021 the bank hides its rates, shows the year from the dine summary, and counts dollars to VIP', async ({
  page,
}) => {
  const email = await signInBankCustomer(page, 'cleo')
  await asOwner('delete from transactions where member_id = (select id from members where email = $1)', [email])
  await insertTransactions(email, [
    { merchantName: 'Corner Bistro', ago: 0.1, cents: 474_50, benefit: 1423, unit: 'cent' },
  ])
  const response = page.waitForResponse('**/api/Member/DineSummary').catch(() => null)
  await page.goto(at('beacon', '/account/recent_activity'))
  await page.getByRole('navigation', { name: 'Account' }).getByRole('link', { name: 'Account Overview' }).click()
  expect((await response)?.status()).toBe(200)
  await expect(page.getByText('$14.23', { exact: true }).first()).toBeVisible()
  await expect(page.getByText('$25.50 away from VIP')).toBeVisible()
  await expect(page.getByText(/^\$474\.50 of \$500\.00 spent toward VIP \d{4}$/)).toBeVisible()
  await expect(page.getByText(/visits made toward VIP/)).toHaveCount(0)
  await expect(page.getByRole('heading', { name: 'Your status' })).toHaveCount(0)
  await expectNoA11yViolations(page)
  await page.goto(at('beacon', '/account/recent_activity'))
  await expect(page.getByRole('heading', { name: 'Your balance' })).toBeVisible()
})

test.describe('bonuses', () => {
  test('BON-001 BON-002 BON-003 BON-009 BON-010 BON-011 GEN-011 ACCT-017 a bonus is activated on the overview and moves to the activated ones', async ({
    page,
  }) => {
    await joinWithCard(page, 'orchard')
    await page.goto(at('orchard', '/account/overview'))
    const available = page.locator('section').filter({ has: page.getByRole('heading', { name: 'Bonuses for you' }) })
    const activated = page.locator('section').filter({ has: page.getByRole('heading', { name: 'Activated' }) })
    // In content order, with text, image and button; other kinds of banners are shown elsewhere.
    await expect(available.getByRole('heading', { level: 3 })).toHaveText('Bonuses for you')
    await expect(available.getByRole('heading', { level: 4 })).toHaveText([
      'Points Plus: two dinners, 400 points more',
      'A welcome gift: 500 points',
    ])
    await expect(activated).toHaveCount(0)
    await expectNoA11yViolations(page)
    const sent = page.waitForRequest((request) => request.url().endsWith('/api/Member/Bonus/ORC-PLUS'))
    await available.getByRole('listitem').first().getByRole('button').click()
    expect((await sent).postData()).toBeNull()
    await expect(activated.getByText('Points Plus: two dinners, 400 points more')).toBeVisible()
    await expect(activated.getByRole('button')).toHaveCount(0)
    const stored = await page.evaluate(() => localStorage.getItem('RN_BONUS_ORC-PLUS'))
    const [owner, time] = stored?.split(' ') ?? []
    expect(owner).toBe((await callApi(page, '/api/Member')).publicId)
    expect(Date.now() - Number(time)).toBeLessThan(60_000)
    await expectNoA11yViolations(page)
    await page.reload()
    await expect(activated.getByText('Points Plus: two dinners, 400 points more')).toBeVisible()
  })

  test('BON-003 BON-004 for 35 minutes the browser counts the bonus as enrolled, after that the record decides', async ({
    page,
  }) => {
    await joinWithCard(page, 'orchard')
    const { publicId } = await callApi(page, '/api/Member')
    const setActivated = (memberId: string, ago: number) =>
      page.evaluate(([id, ms]) => localStorage.setItem('RN_BONUS_ORC-PLUS', `${id} ${Date.now() - ms}`), [
        memberId,
        ago,
      ] as const)
    await setActivated(publicId, 2_000_000)
    await page.goto(at('orchard', '/account/overview'))
    await expect(page.getByRole('heading', { name: 'Activated' })).toBeVisible()
    for (const [memberId, ago] of [
      [publicId, 2_100_001],
      // Of another member who uses this browser.
      ['another-member', 1000],
    ] as const) {
      await setActivated(memberId, ago)
      await page.reload()
      await expect(page.getByRole('heading', { name: 'Bonuses for you' })).toBeVisible()
      await expect(page.getByRole('heading', { name: 'Activated' })).toHaveCount(0)
    }
  })

  test.describe('activation errors', () => {
    test.use({ tolerated: /status of (401|404|422|500)/ })
    test('BON-012 show the specified text, and activation can be tried again', async ({ page }) => {
      await joinWithCard(page, 'orchard')
      await page.goto(at('orchard', '/account/overview'))
      await page.route('**/api/Member/Bonus/*', (route) => route.fulfill({ status: 500, body: '' }))
      const button = page.getByRole('button', { name: 'Activate this bonus' })
      await button.click()
      await expect(page.getByText('Something went wrong, please refresh you browser.')).toBeVisible()
      await page.unroute('**/api/Member/Bonus/*')
      await button.click()
      await expect(page.getByRole('heading', { name: 'Activated' })).toBeVisible()
    })
  })

  test('BON-008 the app’s bonus has a text in the browser and a button in the app', async ({ page, context }) => {
    await joinWithCard(page, 'gallonaire')
    await page.goto(at('gallonaire', '/account/overview'))
    const card = page.getByRole('listitem').filter({ hasText: 'Only in the app: a bonus with your name on it' })
    await expect(card).toBeVisible()
    await expect(card.getByRole('button')).toHaveCount(0)
    const device = await context.newCDPSession(page)
    await device.send('Emulation.setUserAgentOverride', { userAgent: 'Mozilla/5.0 DinebackApp/2.1.0 (ios)' })
    await page.reload()
    await card.getByRole('button', { name: 'Switch it on' }).click()
    await expect(page.getByRole('heading', { name: 'Activated' })).toBeVisible()
  })

  test('BON-007 a member who joined from an email campaign is offered its bonus for 90 days', async ({ page }) => {
    const email = await joinWithCard(page, 'skyharbor')
    const offer = page.getByText('500 miles for your first dine')
    await page.goto(at('skyharbor', '/account/overview'))
    await expect(page.getByRole('heading', { name: 'Latest activity' })).toBeVisible()
    await expect(offer).toHaveCount(0)
    const joined = (days: number) =>
      asOwner(
        "update members set enrollment_source = 'EMAIL-NMB', joined_at = now() - make_interval(days => $2) where email = $1",
        [email, days],
      )
    await joined(89)
    await page.reload()
    await expect(offer).toBeVisible()
    await joined(91)
    await page.reload()
    await expect(page.getByRole('heading', { name: 'Latest activity' })).toBeVisible()
    await expect(offer).toHaveCount(0)
  })
})
