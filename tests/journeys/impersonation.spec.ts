import type { Browser, Page } from '@playwright/test'
import {
  asOwner,
  at,
  callApi,
  dismissPopups,
  expect,
  expectNoA11yViolations,
  further,
  openOrigin,
  test,
} from '../support/journey.ts'
import { joinViaApi, openConsole } from '../support/journey-members.ts'

test.use({ tolerated: [/status of (401|403|404|410)/, { option: true }] as never })

/** Joins in another browser. */
async function joinElsewhere(browser: Browser) {
  const member = await (await browser.newContext()).newPage()
  await dismissPopups(member)
  return { member, email: await joinViaApi(member, 'gallonaire') }
}

async function findMember(page: Page, email: string) {
  await page.goto(at('console', `/gallonaire/members?q=${encodeURIComponent(email)}`))
  await page.getByRole('link', { name: 'Ada Lovelace' }).click()
  await expect(page.getByRole('heading', { name: 'Ada Lovelace', level: 1 })).toBeVisible()
}

/** Begins the impersonation from the member's page. */
async function viewAsMember(page: Page, reason: string, { change = false } = {}) {
  await page.getByRole('button', { name: 'View as member' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('Reason').fill(reason)
  if (change) await dialog.getByLabel(/I need to change something/).check()
  await dialog.getByRole('button', { name: 'View as member' }).click()
}

/** Opens the passkeys of the signed-in operator. */
async function openSecurity(page: Page) {
  await page.getByRole('button', { name: /^Signed in as / }).click()
  await page.getByRole('menuitem', { name: 'Passkeys and sessions' }).click()
}

test('EMU-001 EMU-002 EMU-004 SESS-015 Case 28 Case 16 an operator sees the app as a member does, in the console’s frame, and leaves it', async ({
  page,
  browser,
}) => {
  const { member, email } = await joinElsewhere(browser)
  await openConsole(page)
  await expectNoA11yViolations(page)
  await findMember(page, email)
  await expectNoA11yViolations(page)
  await viewAsMember(page, 'Question about a missing transaction')
  const frame = page.frameLocator('iframe[name="emulation"]')
  await expect(frame.getByText('Marta Ellison is viewing this account as Ada Lovelace.')).toBeVisible()
  await expect(frame.getByText('Nothing can be changed.')).toBeVisible()
  await expect(frame.getByRole('heading', { name: 'Hello, Ada' })).toBeVisible()
  const inside = page.frame({ name: 'emulation' })
  await expect.poll(() => inside?.evaluate(() => localStorage.getItem('emulationId') ?? '')).toMatch(/^[0-9a-f-]{36}$/)
  // No change is possible here, and the page says so.
  await frame.getByRole('navigation', { name: 'Account' }).getByRole('link', { name: 'Privacy' }).click()
  await frame.getByLabel('Offers by email').click()
  await frame.getByRole('button', { name: 'Stop emails' }).click()
  await expect(
    frame.getByText('You’re viewing this account as its member sees it. Nothing can be changed here.'),
  ).toBeVisible()
  expect((await callApi(member, '/api/Member')).emailOptIn).toBe(true)
  // A message from another origin does not end it.
  await page.evaluate(() => window.frames[0]?.postMessage({ exit: 'no' }, '*'))
  await inside?.evaluate(() => window.postMessage({ exit: true }, '*'))
  await frame.getByRole('navigation', { name: 'Account' }).getByRole('link', { name: 'Profile' }).click()
  await expect(frame.getByLabel('Email address', { exact: true })).toHaveValue(email)
  // Pages of this browser's own sessions do not take the viewed member for the one who has signed in.
  expect(await inside?.evaluate(() => localStorage.getItem('RN_MEMBER'))).toBeNull()
  // A reload shows the same visit.
  await page.reload()
  await expect(frame.getByText('Marta Ellison is viewing this account as Ada Lovelace.')).toBeVisible()
  // Before its script has run, the frame hears no message.
  await expect(frame.locator('html[data-scripted]')).toHaveCount(1)
  // The console's message does: the frame signs out, and the console returns to the member.
  const signOutRequest = page.waitForRequest('**/api/SignOut')
  await page.getByRole('button', { name: 'End' }).click()
  expect((await signOutRequest).headers()['x-emulation']).toBe('1')
  await page.getByRole('tab', { name: 'Access' }).click()
  await expect(page.getByRole('region', { name: 'Who has viewed this account' })).toBeVisible()
  await expect(
    page.getByRole('row', { name: /Marta Ellison Question about a missing transaction View only/ }),
  ).toBeVisible()
  expect((await callApi(member, '/api/Member')).email).toBe(email)
  await member.context().close()
})

test.describe('with the program’s service worker', () => {
  test.use({ serviceWorkers: 'allow' })

  test(
    'EMU-001 EMU-002 the Exit link in the frame ends the impersonation, the frame says so, and another one can begin',
    further,
    async ({ page, browser }) => {
      const { member, email } = await joinElsewhere(browser)
      await openConsole(page)
      await findMember(page, email)
      await viewAsMember(page, 'Question about a missing transaction', { change: true })
      const frame = page.frameLocator('iframe[name="emulation"]')
      await expect(frame.getByText('Changes here are made for Ada Lovelace and recorded.')).toBeVisible()
      await page.frame({ name: 'emulation' })?.evaluate(() => navigator.serviceWorker.ready.then(() => true))
      await frame.getByRole('link', { name: 'Exit' }).click()
      await expect(frame.getByText('You have left the member’s view.')).toBeVisible()
      // By now the program's service worker controls the frame's pages.
      await findMember(page, email)
      await viewAsMember(page, 'Another question')
      await expect(frame.getByText('Marta Ellison is viewing this account as Ada Lovelace.')).toBeVisible()
      await member.context().close()
    },
  )
})

test('EMU-003 impersonation data left in the browser’s storage is cleared with a sign-out', async ({ page }) => {
  await joinViaApi(page, 'gallonaire')
  await page.evaluate(() => localStorage.setItem('emulationId', 'left behind'))
  const out = page.waitForRequest('**/SignOut')
  await page.goto(at('gallonaire', '/how-it-works')).catch(() => {})
  await out
  await page.waitForURL(at('gallonaire'))
  expect(await page.evaluate(() => localStorage.getItem('emulationId'))).toBeNull()
})

test('CON-730 a link on a member’s page leads to the console without signing in again', async ({ page }) => {
  await openConsole(page)
  await openOrigin(page, 'gallonaire')
  await page.evaluate((to) => location.assign(to), at('console', '/gallonaire/claims?state=decided#first'))
  await expect(page.getByRole('heading', { name: 'Claims', level: 1 })).toBeVisible()
  await expect(page.getByRole('radio', { name: 'Decided' })).toBeChecked()
})

test('an operator adds a passkey, must use it after the password, and gets in', further, async ({ page, context }) => {
  const email = `petra-${Date.now()}@dineback.example`
  await asOwner(
    `insert into console.operators (email, name, password_hash, role)
     select $1, 'Petra', password_hash, 'admin' from console.operators where email = 'admin@dineback.example'`,
    [email],
  )
  const devices = await context.newCDPSession(page)
  await devices.send('WebAuthn.enable')
  await devices.send('WebAuthn.addVirtualAuthenticator', {
    options: {
      protocol: 'ctap2',
      transport: 'internal',
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
      automaticPresenceSimulation: true,
    },
  })
  await openConsole(page, email)
  await openSecurity(page)
  await expectNoA11yViolations(page)
  await page.getByLabel('Name of this device').fill('Laptop')
  await page.getByRole('button', { name: 'Add' }).click()
  await expect(page.getByRole('row', { name: /Laptop/ })).toBeVisible()
  await expectNoA11yViolations(page)
  await page.getByRole('button', { name: 'Sign out' }).click()
  await openConsole(page, email)
  await expect(page).toHaveURL(at('console', '/passkey'))
  await page.goto(at('console', '/gallonaire/members'))
  await expect(page).toHaveURL(at('console', '/passkey?returnTo=%2Fgallonaire%2Fmembers'))
  await expectNoA11yViolations(page)
  await page.getByRole('button', { name: 'Use your passkey' }).click()
  await expect(page).toHaveURL(at('console', '/gallonaire/members'))
  await openSecurity(page)
  await page.getByRole('button', { name: 'Remove Laptop' }).click()
  await expect(page.getByText('You don’t have any passkeys yet.')).toBeVisible()
})
