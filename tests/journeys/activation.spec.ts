import { asOwner, at, expect, test } from '../support/journey.ts'

test.use({ tolerated: [/status of (401|404|409|500)/, { option: true }] as never })

/** Creates a member as loaded from a partner's file; returns the public id. */
async function enrolled(partner: string): Promise<string> {
  const id = `enrolled${Date.now()}`.padEnd(22, 'x').slice(0, 22)
  await asOwner(
    `insert into members (partner_id, public_id, referral_code, family_id, email, first_name, last_name, zip_code, tier_level)
     values ($1, $2, left(md5($2), 12), $2, $3, 'Ada', 'Enrolled', '10001', 'NonActivated')`,
    [partner, id, `${id}@example.com`],
  )
  return id
}

test('ERR-010 ACT-006 ACT-007 ACT-010 ACT-011 ACT-013 ROUTE-001 ROLE-003 an invited member sees the invitation, activates, and gets a confirmation', async ({
  page,
}) => {
  const publicId = await enrolled('skyharbor')
  await page.goto(at('skyharbor', `/?publicId=${publicId}`))
  await page.getByRole('main').getByRole('link', { name: 'Activate my account' }).click()
  await expect(page).toHaveURL(at('skyharbor', `/activate?publicId=${publicId}`))
  await expect(page.getByRole('heading', { name: 'Activate your dining account' })).toBeVisible()
  const button = page.getByRole('button', { name: 'Activate my account' })
  await page.route('**/api/Member/Activate', (route) => route.fulfill({ status: 500, json: {} }), { times: 1 })
  await button.click()
  await expect(page.getByRole('alert')).toHaveText(
    /There was an error activating your account\. Please contact customer support\. 1-800-555-0141/,
  )
  const length = await page.evaluate(() => history.length)
  await button.click()
  await expect(page).toHaveURL(at('skyharbor', `/activate/activated?publicId=${publicId}`))
  await expect(page.getByRole('heading', { name: 'Active, from this minute' })).toBeVisible()
  expect(await page.evaluate(() => history.length)).toBe(length)
  // Later the same link cannot activate anything.
  await page.goto(at('skyharbor', `/activate?publicId=${publicId}`))
  await expect(page).toHaveURL(/\/(join|login)\?rfr=[234]$/)
})

test('ACT-013 a member who is not activated sees the invitation also where the front page is Discover', async ({
  page,
}) => {
  for (const [partner, label] of [
    ['beacon', 'Activate my membership'],
    ['orchard', 'Open my account'],
  ] as const) {
    const publicId = await enrolled(partner)
    await page.goto(at(partner, `/?publicId=${publicId}`))
    await page.getByRole('main').getByRole('link', { name: label }).click()
    await expect(page).toHaveURL(at(partner, `/activate?publicId=${publicId}`))
  }
})

test('ACT-003 ENR-016 a member whose account has no password learns how to set one', async ({ page }) => {
  const publicId = await enrolled('skyharbor')
  await asOwner(
    "update members set tier_level = 'OptedIn', active = true, has_web_profile = false where public_id = $1",
    [publicId],
  )
  await page.goto(at('skyharbor', `/activate?publicId=${publicId}`))
  await expect(page).toHaveURL(at('skyharbor', '/join?rfr=2'))
  const note = page.getByRole('status').filter({ hasText: 'You already have an account' })
  await expect(note).toContainText('It has no password yet.')
  await page.getByLabel('Email address').fill(`${publicId}@example.com`)
  await page.getByLabel('Last name').focus()
  await expect(
    page.getByText('This email address already has an account. Sign in, or reset your password if you have none.'),
  ).toBeVisible()
  await note.getByRole('link', { name: 'Set a password' }).click()
  await expect(page).toHaveURL(at('skyharbor', '/recover'))
  await page.getByLabel(/^Email address/).fill(`${publicId}@example.com`)
  await page.getByRole('button', { name: 'Send me a code' }).click()
  await expect(page).toHaveURL(at('skyharbor', '/recover/confirm'))
  const link = async () => {
    const [email] = await asOwner<{ body_text: string }>(
      "select body_text from emails where recipient = $1 and topic = 'recovery.code'",
      [`${publicId}@example.com`],
    )
    return /#code=\S+/.exec(email?.body_text ?? '')?.[0] ?? ''
  }
  await expect.poll(link).not.toBe('')
  await page.goto(at('skyharbor', `/recover/confirm${await link()}`))
  await page.getByRole('button', { name: 'Continue' }).click()
  await expect(page.getByText('When you save it, you are signed out everywhere.')).toBeVisible()
  for (const name of [/^New password/, /^Confirm new password/]) {
    await page.getByRole('textbox', { name }).fill('sourdough 4 breakfast')
  }
  await page.getByRole('button', { name: 'Save new password' }).click()
  await expect(page.getByRole('heading', { name: 'Password changed' })).toBeVisible()
})

test('ROUTE-001 ACT-001 ACT-002 ACT-009 a visitor without an invitation is redirected to join, and unknown addresses are not found', async ({
  page,
}) => {
  await page.goto(at('skyharbor', '/activate'))
  await expect(page).toHaveURL(at('skyharbor', '/join?rfr=0'))
  await page.goto(at('skyharbor', '/activate?publicId=AAAAAAAAAAAAAAAAAAAAAA'))
  await expect(page).toHaveURL(at('skyharbor', '/join?rfr=1'))
  for (const path of ['/activate/', '/activate/elsewhere']) {
    await page.goto(at('skyharbor', path))
    await expect(page).toHaveURL(at('skyharbor', '/join?rfr=0'))
  }
  const elsewhere = at('skyharbor', '/activate/elsewhere?publicId=AAAAAAAAAAAAAAAAAAAAAA')
  expect((await page.goto(elsewhere))?.status()).toBe(404)
  expect((await page.goto(at('lantern', '/activate')))?.status()).toBe(404)
})
