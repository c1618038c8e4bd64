import type { Page } from '@playwright/test'
import { at, dismissPopups, expect, expectNoA11yViolations, further, test } from '../support/journey.ts'
import { openConsole } from '../support/journey-members.ts'

const console_ = (path = '/') => at('console', path)
test.use({ tolerated: [/status of (400|401|404|409)/, { option: true }] as never })

async function signIn(page: Page) {
  await openConsole(page)
  await expect(page.getByRole('heading', { name: 'Programs' })).toBeVisible()
}

/** Returns the number of versions in the history of the entry. */
async function versionCount(page: Page): Promise<number> {
  await page.goto(console_('/skyharbor/earn_details/how-it-works'))
  return page
    .getByRole('row')
    .filter({ has: page.getByRole('link', { name: /^\d+$/ }) })
    .count()
}

test('CMS-022 CMS-024 CMS-026 GEN-004 a text is edited, previewed, published, and appears on an open page and a new one', async ({
  page,
  browser,
}) => {
  const headline = `Dinner, ${Date.now()} feet up`
  const reader = await (await browser.newContext()).newPage()
  await dismissPopups(reader)
  await reader.goto(at('skyharbor', '/how-it-works'))
  const old = (await reader.getByRole('heading', { level: 1 }).textContent()) ?? ''

  await signIn(page)
  await expectNoA11yViolations(page)
  await page.goto(console_('/programs'))
  await page.getByRole('link', { name: 'Content of Skyharbor Miles Dining' }).click()
  await expectNoA11yViolations(page)
  await page.getByRole('link', { name: 'how-it-works', exact: true }).click()
  await expectNoA11yViolations(page)
  const title = page.locator('#main_column\\.0\\.text')
  await expect(title).toHaveValue(old)
  await title.fill(headline)
  await page.getByRole('button', { name: 'Save and preview' }).click()
  await expect(page).toHaveURL(at('skyharbor', '/how-it-works'))
  const saved = await versionCount(page)
  // Previewing the same text again adds no version.
  await page.getByRole('button', { name: 'Save and preview' }).click()
  await expect(page).toHaveURL(at('skyharbor', '/how-it-works'))
  expect(await versionCount(page)).toBe(saved)
  await page.goto(at('skyharbor', '/how-it-works'))
  await expect(page.getByRole('heading', { level: 1 })).toHaveText(headline)
  await expect(page.getByText('You’re viewing unpublished drafts.')).toBeVisible()

  const fresh = await (await browser.newContext()).newPage()
  await fresh.goto(at('skyharbor', '/how-it-works'))
  await expect(fresh.getByRole('heading', { level: 1 })).toHaveText(old)
  await expect(fresh.locator('html')).toHaveAttribute('data-scripted')
  await fresh.locator('a[href="#main"]').press('Enter')
  await expect(fresh).toHaveURL(at('skyharbor', '/how-it-works#main'))
  await fresh.getByRole('contentinfo').getByRole('link', { name: 'Ways to earn' }).click()
  await expect(fresh.getByRole('heading', { level: 1, name: 'Ways to earn' })).toBeVisible()
  await page.getByRole('link', { name: 'Exit preview' }).click()
  await expect(page).toHaveURL(at('skyharbor', '/how-it-works'))
  await expect(page.getByRole('heading', { level: 1 })).toHaveText(old)

  await page.goto(console_('/skyharbor/earn_details/how-it-works'))
  await page.getByRole('button', { name: 'Save and preview' }).click()
  await expect(page.getByText('You’re viewing unpublished drafts.')).toBeVisible()
  await page.goto(console_('/skyharbor/earn_details/how-it-works'))
  await page.getByRole('button', { name: 'Publish' }).click()
  await expect(page.getByText('Published. It is live now.')).toBeVisible()

  // Publishing ends the editor's preview.
  await page.goto(at('skyharbor', '/how-it-works'))
  await expect(page.getByRole('heading', { level: 1 })).toHaveText(headline)
  await expect(page.getByText('You’re viewing unpublished drafts.')).toHaveCount(0)
  await page.goto(console_('/skyharbor/earn_details/how-it-works'))

  // The open page, after a client-side navigation.
  await reader.getByRole('contentinfo').getByRole('link', { name: 'Ways to earn' }).click()
  await expect(reader.getByRole('heading', { level: 1, name: 'Ways to earn' })).toBeVisible()
  await reader.getByRole('contentinfo').getByRole('link', { name: 'How it works' }).click()
  await expect(reader.getByRole('heading', { level: 1 })).toHaveText(headline)
  expect(await reader.content()).not.toContain(old)
  // Also by Back, to an address with a fragment.
  await fresh.goBack()
  await expect(fresh.getByRole('heading', { level: 1 })).toHaveText(headline)
  expect(await fresh.content()).not.toContain(old)

  // Reverted through its history.
  await page.getByRole('button', { name: 'Restore version 1', exact: true }).click()
  await expect(page.getByText('The older version is now the draft.')).toBeVisible()
  await page.getByRole('button', { name: 'Publish' }).click()
  await expect(page.getByText('Published. It is live now.')).toBeVisible()
  await fresh.reload()
  await expect(fresh.getByRole('heading', { level: 1 })).toHaveText('Three moves, then dinner')
  await reader.context().close()
  await fresh.context().close()
})

test('GEN-004 GEN-005 a default message is replaced, with its tokens', further, async ({ page }) => {
  await signIn(page)
  await page.goto(console_('/lantern/copy/messages?q=not_found.title'))
  await expectNoA11yViolations(page)
  const text = `Nothing at {programName} ${Date.now()}`
  await page.getByLabel('Page not found').fill(text)
  await page.getByRole('button', { name: 'Save draft' }).click()
  // The page still shows the result of the search.
  await expect(page.getByLabel('Page not found')).toHaveValue(text)
  await expect(page).toHaveURL(/[?&]q=not_found\.title/)
  await page.getByRole('button', { name: 'Publish' }).click()
  await expect(page.getByText('Published.')).toBeVisible()
  await page.goto(at('lantern', '/nowhere'))
  await expect(page.getByRole('heading', { level: 1 })).toHaveText(text.replace('{programName}', 'Lantern Club Dining'))
  await page.goto(console_('/lantern/copy/messages?q=not_found.title'))
  await page.getByLabel('Page not found').fill('')
  await page.getByRole('button', { name: 'Save draft' }).click()
  await page.getByRole('button', { name: 'Publish' }).click()
  await expect(page.getByText('Published.')).toBeVisible()
  await page.goto(at('lantern', '/nowhere'))
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Page not found')
})

test(
  'blocks are added, moved and removed without a script, invalid fields are marked, and two editors do not overwrite each other',
  further,
  async ({ page, context }) => {
    await signIn(page)
    const slug = `try-${Date.now()}`
    await page.goto(console_('/gallonaire/content'))
    await page.getByLabel('New entry').nth(2).fill(slug)
    await page.getByRole('button', { name: 'Begin' }).nth(2).click()
    await page.getByLabel('Url').first().fill('javascript:alert(1)')
    await page.getByRole('group', { name: 'Main column' }).getByRole('button', { name: 'Add title' }).click()
    await page.locator('#main_column\\.0\\.text').fill('First')
    await page.getByRole('group', { name: 'Main column' }).getByRole('button', { name: 'Add body text' }).click()
    // The page starts at what was added, also for the keyboard.
    await expect(page.locator('#main_column\\.1\\.text')).toBeInViewport()
    await page.keyboard.press('Tab')
    const up = page.getByRole('button', { name: 'Up: Main column 2' })
    await expect(up).toBeFocused()
    await page.locator('#main_column\\.1\\.text').fill('<p>Hello <script>alert(1)</script></p>')
    await up.click()
    await expect(page.locator('#main_column\\.1\\.text')).toHaveValue('First')
    await page.getByRole('button', { name: 'Save draft' }).last().click()
    await expect(page.getByText('must be a path such as /earn/offers')).toBeVisible()
    await expectNoA11yViolations(page)
    await page.getByLabel('Url').first().fill(`/earn/${slug}`)
    await page.getByRole('button', { name: 'Save draft' }).last().click()
    await expect(page.getByText('Draft saved.')).toBeVisible()
    await expect(page.locator('#main_column\\.0\\.text')).toHaveValue('<p>Hello </p>')

    const second = await context.newPage()
    await second.goto(console_(`/gallonaire/earn_details/${slug}`))
    await page.locator('#main_column\\.1\\.text').fill('Mine')
    await page.getByRole('button', { name: 'Save draft' }).last().click()
    await second.locator('#main_column\\.1\\.text').fill('Theirs')
    await second.getByRole('button', { name: 'Save draft' }).last().click()
    await expect(second.getByText('This entry was changed after you opened this page.')).toBeVisible()
    await expect(second.locator('#main_column\\.1\\.text')).toHaveValue('Theirs')
    await page.getByRole('link', { name: '1', exact: true }).click()
    await expect(page.locator('pre')).toContainText('First')
  },
)

test('signing in requires the password, and a wrong one gets a generic error', further, async ({ page }) => {
  await page.goto(console_('/skyharbor'))
  await expect(page).toHaveURL(console_('/sign-in?returnTo=%2Fskyharbor'))
  await expectNoA11yViolations(page)
  await page.getByLabel('Email address').fill('unknown@dineback.example')
  await page.getByLabel('Password').fill('an unknown 1 thing')
  await page.getByRole('button', { name: 'Sign in', exact: true }).click()
  await expect(page.getByRole('alert')).toContainText('don’t match')
})

test('leaving with unsaved text requires confirmation, and a program that shows its drafts says so', async ({
  page,
}) => {
  await signIn(page)
  await page.goto(console_('/orchard/earn_details/how-it-works'))
  await expect(page.getByText('This program shows its drafts to everybody')).toBeVisible()
  await expectNoA11yViolations(page)
  const title = page.locator('#main_column\\.0\\.text')
  const old = await title.inputValue()
  await title.fill(`${old}, again`)
  const dialogEvent = page.waitForEvent('dialog')
  const leaving = page.getByRole('link', { name: 'Programs' }).click()
  const dialog = await dialogEvent
  expect(dialog.type()).toBe('beforeunload')
  await dialog.dismiss()
  await leaving.catch(() => {})
  await expect(title).toHaveValue(`${old}, again`)
  // A saved draft is left without a confirmation dialog.
  await page.getByRole('button', { name: 'Save draft' }).last().click()
  await expect(page.getByText('Draft saved. This program shows its drafts to everybody')).toBeVisible()
  await title.fill(old)
  await page.getByRole('button', { name: 'Save draft' }).last().click()
  await expect(page.getByText('Draft saved.')).toBeVisible()
  await page.getByRole('link', { name: 'Programs' }).click()
  await expect(page.getByRole('heading', { name: 'Programs' })).toBeVisible()
})
