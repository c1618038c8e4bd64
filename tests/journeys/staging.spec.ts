import { asOwner, at, expect, expectNoA11yViolations, gallery, test } from '../support/journey.ts'
import { joinWithCard } from '../support/journey-members.ts'

test.use({ tolerated: [/status of (401|404|503)/, { option: true }] as never })

test('ROUTE-023 GEN-003 the staging tools switch member, clock, feature flag and program', async ({ page }) => {
  await page.setViewportSize({ width: 375, height: 800 })
  await page.goto(at('skyharbor', '/staging-tools'))
  await page.getByRole('link', { name: 'Program states' }).click()
  await expect(page.getByRole('heading', { level: 1, name: 'Program states' })).toBeVisible()
  await page.getByLabel('State', { exact: true }).selectOption('Closed account')
  await page.getByRole('button', { name: 'Make a member' }).click()
  await expect(page.getByText(/^Made: closed-[\w-]+@staging\.example, password /)).toBeVisible()
  await expectNoA11yViolations(page)
  expect(await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth)).toBe(0)
  await page
    .getByRole('button', { name: /^Sign in as this member closed-/ })
    .first()
    .click()
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
  await expect(page.getByRole('contentinfo')).toHaveCount(0)
  await page.goto(at('skyharbor', '/SignOut'))

  await page.goto(at('skyharbor', '/staging-tools/states'))
  try {
    await page.getByRole('button', { name: '+366 days' }).click()
    await expect(
      page.getByText(new RegExp(`^The clock is set: ${new Date(Date.now() + 366 * 86_400_000).getUTCFullYear()}-`)),
    ).toBeVisible()
  } finally {
    await page.getByRole('button', { name: 'Real time' }).click()
    await expect(page.getByText(/^Real time: /)).toBeVisible()
  }

  // The tools stay available while the site is closed: otherwise it could not be opened again.
  const closed = page.getByLabel('authFlags: siteMaintenance')
  await closed.click()
  await expect(closed).toBeChecked()
  try {
    await expect.poll(async () => (await page.goto(at('skyharbor', '/earn')))?.status()).toBe(503)
    expect((await page.goto(at('skyharbor', '/staging-tools/states')))?.status()).toBe(200)
  } finally {
    await page.getByLabel('authFlags: siteMaintenance').click()
    await expect(page.getByLabel('authFlags: siteMaintenance')).not.toBeChecked()
  }

  await page.getByLabel('Program code').fill('lantern')
  await page.getByRole('button', { name: 'Open this program' }).click()
  await expect(page).toHaveURL(at('lantern', '/staging-tools/states'))
  await page.goto(`${gallery()}?partner=orchard`)
  await expect(page).toHaveURL(at('orchard'))
})

test('ACT-001 ACT-003 ACT-004 ACT-005 ACT-012 a partner’s file is loaded, and its member activates', async ({
  page,
}) => {
  const email = `enrolled-${Date.now()}@example.com`
  await page.goto(at('skyharbor', '/staging-tools/states'))
  const line = { email, firstName: 'Grace', lastName: 'Hopper', zipCode: '10001', emailOptIn: true }
  await page.getByLabel('File').setInputFiles({
    name: 'members.ndjson',
    mimeType: 'application/x-ndjson',
    buffer: Buffer.from(`${JSON.stringify(line)}\nnot json\n`),
  })
  await expect(page.getByText('Line 2: is not JSON')).toBeVisible()
  await page.getByRole('link', { name: email }).click()
  await page.getByRole('main').getByRole('button', { name: 'Activate my account' }).click()
  await expect(page).toHaveURL(/\/activate\/activated\?publicId=/)
  const [member] = await asOwner('select tier_level, active from members where email = $1', [email])
  expect(member).toEqual({ tier_level: 'OptedIn', active: true })

  for (const [state, email, address] of [
    ['Activated, no web profile', 'withoutwebprofile-', '/join?rfr=2'],
    ['Joined, no card yet', 'withoutcard-', '/login?rfr=3'],
    ['Not active, with a web profile', 'inactive-', '/login?rfr=4'],
  ] as const) {
    await page.goto(at('skyharbor', '/staging-tools/states'))
    await page.getByLabel('State', { exact: true }).selectOption(state)
    await page.getByRole('button', { name: 'Make a member' }).click()
    await expect(page.getByText(/^Made: /)).toBeVisible()
    await page.getByRole('listitem').filter({ hasText: email }).getByRole('link').first().click()
    await expect(page).toHaveURL(at('skyharbor', address))
  }
})

test('a clearing and a refund belong to the transaction that was authorized before', async ({ page }) => {
  const email = await joinWithCard(page, 'skyharbor')
  await page.goto(at('skyharbor', '/staging-tools'))
  const [card] = await asOwner<{ id: string }>(
    'select c.public_id as id from cards c join members m on m.id = c.member_id where m.email = $1',
    [email],
  )
  await page.getByLabel('Card ending in').selectOption(card?.id ?? '')
  for (const [event, amount] of [
    ['auth', '42.10'],
    ['clearing', '45.00'],
    ['refund', '45.00'],
  ] as const) {
    await page.getByLabel('Event').selectOption(event)
    await page.getByLabel('Amount in dollars').fill(amount)
    await page.getByRole('button', { name: 'Send event' }).click()
    const amounts = () =>
      asOwner(
        `select t.ticket_cents::int as ticket, t.cleared_cents::int as cleared, t.refunded_cents::int as refunded
         from transactions t join members m on m.id = t.member_id where m.email = $1`,
        [email],
      )
    await expect.poll(amounts).toEqual([
      {
        auth: { ticket: 42_10, cleared: 0, refunded: 0 },
        clearing: { ticket: 42_10, cleared: 45_00, refunded: 0 },
        refund: { ticket: 42_10, cleared: 45_00, refunded: 45_00 },
      }[event],
    ])
  }
})
