import type { Page } from '@playwright/test'
import { at, dismissPopups, expect, test } from '../support/journey.ts'
import { join } from '../support/journey-members.ts'

test.use({ tolerated: [/status of (401|404|503)/, { option: true }] as never })

/** Sets a feature flag with the staging tools and waits until every page follows. */
async function setFlag(page: Page, partner: string, label: string, on: boolean) {
  await page.goto(at(partner, '/staging-tools'))
  const box = page.getByLabel(label)
  const saved = page.waitForResponse((response) => response.url().endsWith('/api/staging/flags') && response.ok())
  await box.setChecked(on)
  await saved
}

test('SESS-020 SHELL-028 SHELL-029 SHELL-032 PART-033 API-016 sign-in under maintenance shows a message within a second, also on an open page', async ({
  page,
  browser,
}) => {
  const reader = await (await browser.newContext()).newPage()
  await dismissPopups(reader)
  await reader.goto(at('gallonaire', '/how-it-works'))
  await setFlag(page, 'gallonaire', 'Sign-in is under maintenance', true)
  try {
    await page.goto(at('gallonaire', '/login'))
    await expect(page.getByRole('heading', { name: "We're Working On It" })).toBeVisible()
    await expect(
      page.getByText(
        "We're currently experiencing an issue with our login process. Our team is working to resolve it as quickly as possible. Please check back later.",
      ),
    ).toBeVisible()
    await expect(page.getByRole('main').getByRole('link', { name: 'Back to the home page' })).toHaveAttribute(
      'href',
      '/',
    )
    await reader.getByRole('banner').getByRole('link', { name: 'Sign in' }).click()
    await expect(reader.getByRole('heading', { name: "We're Working On It" })).toBeVisible()
    expect((await page.goto(at('gallonaire', '/join')))?.status()).toBe(200)
    await expect(page.getByRole('heading', { name: "We're Working On It" })).toHaveCount(0)
  } finally {
    await setFlag(page, 'gallonaire', 'Sign-in is under maintenance', false)
    await reader.context().close()
  }
})

test('ENR-015 SHELL-030 joining under maintenance shows a message', async ({ page }) => {
  await setFlag(page, 'orchard', 'Joining is under maintenance', true)
  try {
    await page.goto(at('orchard', '/join'))
    await expect(
      page.getByText(/experiencing an issue with our enrollment process\. .* Please check back later\./),
    ).toBeVisible()
  } finally {
    await setFlag(page, 'orchard', 'Joining is under maintenance', false)
  }
})

test('SHELL-031 any other page under maintenance gets 503 and a general message', async ({ page }) => {
  await setFlag(page, 'lantern', 'The whole site is under maintenance', true)
  try {
    // All processes apply it within a second.
    await expect.poll(async () => (await page.goto(at('lantern', '/earn')))?.status()).toBe(503)
    await expect(
      page.getByText(
        "We're currently experiencing an issue. Our team is working to resolve it as quickly as possible. Please check back later.",
      ),
    ).toBeVisible()
  } finally {
    // The tools are an ordinary page.
    await page.evaluate(async () => {
      const { csrfToken } = await (await fetch('/api/CSRF')).json()
      await fetch('/api/staging/flags', {
        method: 'PUT',
        headers: { 'content-type': 'application/json', 'x-xsrf-token': csrfToken },
        body: JSON.stringify({ kind: 'authFlags', name: 'siteMaintenance', value: false }),
      })
    })
  }
  await expect.poll(async () => (await page.goto(at('lantern', '/earn')))?.status()).toBe(200)
})

test('GEN-002 HOME-003 HOME-010 CMS-010 ROLE-002 TRACK-013 API-009 an invited visitor is greeted, also on later visits without the public id in the address', async ({
  page,
  browser,
}) => {
  await page.goto(at('gallonaire', '/join'))
  await join(page)
  await expect(page).toHaveURL(/add_card/)
  const publicId = await page.evaluate(async () => (await (await fetch('/api/Member')).json()).publicId)
  const known = await (await browser.newContext()).newPage()
  await known.goto(at('gallonaire', `/?publicId=${publicId}`))
  const heading = (await known.getByRole('heading', { level: 1 }).textContent()) ?? ''
  await known.waitForFunction(() => document.cookie.includes('public_id='))
  await known.goto(at('gallonaire'))
  await expect(known.getByRole('heading', { level: 1 })).toHaveText(heading)
  const stranger = await (await browser.newContext()).newPage()
  await stranger.goto(at('gallonaire'))
  await expect(stranger.getByRole('heading', { level: 1 })).not.toHaveText(heading)
  await stranger.goto(at('gallonaire', '/?publicId=AAAAAAAAAAAAAAAAAAAAAA'))
  await expect(stranger.getByRole('heading', { level: 1 })).not.toHaveText(heading)
  // The member herself sees the content for members without a card.
  await page.goto(at('gallonaire'))
  await expect(page.getByRole('heading', { level: 1 })).not.toHaveText(heading)
  await known.context().close()
  await stranger.context().close()
})

test('CMS-004 CMS-009 ACCT-013 ACCT-014 ACCT-015 ACCT-016 ACCT-020 side texts, link groups and the referral link come from content', async ({
  page,
  context,
}) => {
  await context.grantPermissions(['clipboard-read', 'clipboard-write'])
  await page.goto(at('gallonaire', '/search?location=10001'))
  await expect(page.getByRole('complementary').filter({ hasText: '$50 = 10¢.' })).toBeVisible()
  await page.goto(at('gallonaire', '/join'))
  await join(page)
  await expect(page).toHaveURL(/add_card/)
  await page.goto(at('gallonaire', '/account/overview'))
  await expect(page.getByRole('heading', { name: 'Share the ride' })).toBeVisible()
  const link = page.getByLabel('Your referral link')
  await link.click()
  await expect(page.getByText('Your referral link has been copied.')).toBeVisible()
  const copied = new URL(await page.evaluate(() => navigator.clipboard.readText()))
  const { publicId, referralCode } = await page.evaluate(async () => (await fetch('/api/Member')).json())
  expect(copied.pathname).toBe('/join')
  expect(Object.fromEntries(copied.searchParams)).toEqual({
    utm_source: 'account_overview',
    utm_medium: 'web',
    utm_campaign: 'referral',
    referrer: referralCode,
  })
  expect(copied.href).not.toContain(publicId)
  await expect(
    page
      .getByRole('main')
      .getByRole('link', { name: /All the ways|bag 50/ })
      .first(),
  ).toBeVisible()
})
