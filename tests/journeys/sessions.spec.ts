import type { Page } from '@playwright/test'
import { send } from '../support/http.ts'
import {
  asOwner,
  at,
  callApi,
  dismissPopups,
  expect,
  expectAccessible,
  findMerchant,
  localMoment,
  openAndAwaitCalls,
  openOrigin,
  test,
} from '../support/journey.ts'
import { insertTransactions, joinViaApi, joinWithCard, signIn, signInBankCustomer } from '../support/journey-members.ts'
import { ownServer } from '../support/journey-servers.ts'

test.use({ tolerated: [/status of (400|401|403|404|409|410)/, { option: true }] as never })

test('VAL-012 ERR-015 API-040 the first attempt is sent at once, the next one after an invisible proof', async ({
  page,
}) => {
  const sent: string[] = []
  page.on('request', (request) => {
    const { pathname } = new URL(request.url())
    if (pathname === '/api/SignIn') sent.push(request.postDataJSON().gRecaptchaResponse === '' ? 'bare' : 'proven')
    if (pathname === '/api/BotCheck/Solve') sent.push('solved')
  })
  await page.goto(at('gallonaire', '/login'))
  for (let attempt = 0; attempt < 2; attempt++) {
    await signIn(page, `unknown-${Date.now()}@example.com`, 'not this one')
    await expect(page.getByRole('alert')).toContainText('Invalid user name or password')
    await expect.poll(() => sent.length).toBe(attempt === 0 ? 1 : 3)
  }
  expect(sent).toEqual(['bare', 'solved', 'proven'])
})

test.describe('a proof that cannot be had', () => {
  test.use({ tolerated: /status of (400|401|429)|ERR_FAILED/ })
  const attempt = async (page: Page, message: string) => {
    await signIn(page, `unknown-${Date.now()}@example.com`, 'not this one')
    await expect(page.getByRole('alert')).toContainText(message)
  }

  test('VAL-012 is reported by its cause, and the next attempt tries again', async ({ page }) => {
    await page.goto(at('gallonaire', '/login'))
    await attempt(page, 'Invalid user name or password')
    const challenge = '**/api/BotCheck/Challenge'
    await page.route(challenge, (route) => route.abort())
    await attempt(page, 'Check your connection and try again.')
    await page.unroute(challenge)
    await page.route(challenge, (route) =>
      route.fulfill({
        status: 429,
        json: { type: 'urn:x', code: 'tooManyRequests', title: 'Too many attempts.', status: 429, reference: 'r' },
      }),
    )
    await attempt(page, 'Too many attempts.')
    await page.unroute(challenge)
    await attempt(page, 'Invalid user name or password')
  })

  test('VAL-012 by reCAPTCHA, whose script is loaded up to ten times, and again at the next attempt', async ({
    page,
  }) => {
    const script = 'https://recaptcha.example/api.js'
    // As of an installation with reCAPTCHA, whose policy allows its script.
    await page.addInitScript((address) => {
      const { json } = Response.prototype
      Response.prototype.json = async function () {
        const value = await json.call(this)
        if (value.site) value.site.botCheck = { kind: 'recaptcha', siteKey: 'a-site', script: address }
        return value
      }
    }, script)
    await page.route(at('gallonaire', '/login'), async (route) => {
      if (route.request().method() !== 'GET') return route.continue()
      const { text } = await send({ port: ownServer().port, host: 'gallonaire.localhost', path: '/login' })
      await route.fulfill({ contentType: 'text/html', body: text })
    })
    let tries = 0
    await page.route(script, (route) => {
      tries++
      return route.abort()
    })
    await page.goto(at('gallonaire', '/login'))
    await attempt(page, 'Invalid user name or password')
    await attempt(page, 'Too many network errors, give up on reCaptcha.')
    expect(tries).toBe(10)
    await page.unroute(script)
    // Its answers, without its puzzle.
    const stub = `window.calls = []
      window.grecaptcha = {
        render: (element, options) => (calls.push(options.sitekey), (grecaptcha.options = options), 7),
        execute: (widget) => grecaptcha.options.callback('proof of ' + widget),
        reset: (widget) => calls.push('reset ' + widget),
      }`
    await page.route(script, (route) => route.fulfill({ contentType: 'text/javascript', body: stub }))
    const sent = page.waitForRequest('**/api/SignIn')
    await attempt(page, 'You must complete the reCAPTCHA to continue.')
    expect((await sent).postDataJSON().gRecaptchaResponse).toBe('proof of 7')
    expect(await page.evaluate(() => (window as unknown as { calls: string[] }).calls)).toEqual(['a-site', 'reset 7'])
  })
})

test('SESS-002 SESS-003 SESS-004 API-006 a minute before its end a session offers to stay signed in, and accepting refreshes the member', async ({
  page,
}) => {
  await joinViaApi(page, 'gallonaire')
  await page.clock.install()
  await page.goto(at('gallonaire', '/how-it-works'))
  const warning = page.getByText('You will be signed out in one minute. Select this message to stay signed in.')
  await page.clock.fastForward('13:30')
  await expect(warning).toHaveCount(0)
  await page.clock.fastForward('00:40')
  await expect(warning).toBeVisible()
  const response = page.waitForResponse('**/api/Member')
  await warning.click()
  expect((await response).status()).toBe(200)
  await expect(page).toHaveURL(at('gallonaire', '/how-it-works'))
})

test('SESS-003 SESS-015 an unattended session ends on time, and a remembered one sets no timer', async ({ page }) => {
  const email = await joinViaApi(page, 'gallonaire')
  await page.clock.install()
  await page.goto(at('gallonaire', '/how-it-works'))
  // A request that outlives the page, then the page itself.
  const signOutRequest = page.waitForRequest('**/api/SignOut')
  const out = page.waitForRequest((request) => new URL(request.url()).pathname === '/SignOut')
  await page.clock.fastForward('16:00')
  await signOutRequest
  await out
  await page.waitForURL(at('gallonaire'))
  await page.goto(at('gallonaire', '/login'))
  await page.getByLabel('Keep me signed in on this device').check()
  await signIn(page, email)
  await expect(page).toHaveURL(/add_card/)
  await page.goto(at('gallonaire', '/how-it-works'))
  await page.clock.fastForward('23:00:00')
  await expect(page.getByText('You will be signed out in one minute.')).toHaveCount(0)
  await expect(page).toHaveURL(at('gallonaire', '/how-it-works'))
})

test('SESS-005 API-006 each new page checks who is signed in, another search on the same page does not', async ({
  page,
}) => {
  await joinViaApi(page, 'gallonaire')
  await page.goto(at('gallonaire', '/how-it-works'))
  await page.waitForLoadState('networkidle')
  let requestCount = 0
  page.on('request', (request) => {
    if (new URL(request.url()).pathname === '/api/Member') requestCount++
  })
  await page.getByRole('contentinfo').getByRole('link', { name: 'Find food' }).click()
  await expect(page).toHaveURL(/search/)
  await expect.poll(() => requestCount).toBeGreaterThanOrEqual(1)
  await page.waitForLoadState('networkidle')
  const before = requestCount
  // The same page with a different query.
  await page
    .getByRole('main')
    .getByRole('link', { name: /^(2|Next|Page 2)/ })
    .first()
    .click()
  await expect(page).toHaveURL(/page/i)
  await page.waitForLoadState('networkidle')
  expect(requestCount).toBe(before)
})

test('SESS-013 SESS-012 API-039 ERR-005 a member whose session has ended is sent to sign in and returns to the same page', async ({
  page,
  context,
}) => {
  const email = await joinViaApi(page, 'gallonaire')
  // A page without a stream, whose connection would stay open.
  await page.goto(at('gallonaire', '/account/user_profile'))
  // A request by the first page after its cookie is gone would redirect to the sign-in page before the click does.
  await page.waitForLoadState('networkidle')
  await context.clearCookies()
  await page.getByRole('navigation', { name: 'Account' }).getByRole('link', { name: 'Linked Cards' }).click()
  await expect(page).toHaveURL(at('gallonaire', '/login?returnTo=%2Faccount%2Fmanage_cards'))
  await signIn(page, email)
  await expect(page).toHaveURL(at('gallonaire', '/account/manage_cards'))
})

test('ROUTE-021 SESS-013 ROLE-015 a bank customer is sent through /login to the bank and returns to the page', async ({
  page,
}) => {
  await signInBankCustomer(page, 'dag')
  await page.goto(at('beacon', '/SignOut'))
  await page.goto(at('beacon', '/account/user_profile'))
  // The bank still has a session, or shows its sign-in page.
  const name = page.getByLabel('User name')
  await expect(name.or(page.getByRole('heading', { name: 'Profile' }))).toBeVisible()
  if (await name.isVisible()) {
    await name.fill('dag@beacon.example')
    await page.getByLabel('Password').fill('dine-with-dag')
    await page.getByRole('button', { name: 'Continue' }).click()
  }
  await expect(page).toHaveURL(at('beacon', '/account/user_profile'))
})

test('SESS-013 ROLE-015 ACCT-018 after a sign-out in another tab, every account page and its form lead to sign in', async ({
  page,
  context,
}) => {
  await joinViaApi(page, 'gallonaire')
  // A request of this page that is answered after the sign-out would lead to sign in before the click does.
  await page.goto(at('gallonaire', '/account/security'), { waitUntil: 'networkidle' })
  const cookies = await context.cookies()
  // This tab has no scripts. They would notify the first tab, which would leave before the click does.
  const other = await context.newPage()
  await openOrigin(other, 'gallonaire')
  await other.evaluate(() => fetch('/SignOut'))
  await other.close()
  await page.getByRole('navigation', { name: 'Account' }).getByRole('link', { name: 'Profile' }).click()
  await expect(page).toHaveURL(at('gallonaire', '/login?returnTo=%2Faccount%2Fuser_profile'))
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
  await context.addCookies(cookies)
  await joinViaApi(page, 'gallonaire')
  await page.goto(at('gallonaire', '/account/user_profile'))
  await page.getByLabel('First name').fill('Grace')
  await context.clearCookies()
  await page.getByRole('button', { name: /^Save/ }).click()
  await expect(page).toHaveURL(at('gallonaire', '/login?returnTo=%2Faccount%2Fuser_profile'))
  const notice = page.getByText('You were signed out, so your change was not saved. Sign in and try again.')
  await expect(notice).toBeVisible()
  await page.reload()
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
  await expect(notice).toHaveCount(0)
})

test('SESS-013 an account page leads to sign in as soon as another tab signs out', async ({ page, context }) => {
  await joinViaApi(page, 'gallonaire')
  await page.goto(at('gallonaire', '/account/user_profile'))
  await expect(page.getByLabel('First name')).toHaveValue('Ada')
  const other = await context.newPage()
  await other.goto(at('gallonaire', '/SignOut'))
  await expect(page).toHaveURL(at('gallonaire', '/login?returnTo=%2Faccount%2Fuser_profile'))
})

test('SESS-013 a page leads to sign in also when its request for the member was sent before the session ended', async ({
  page,
  context,
}) => {
  const email = await joinWithCard(page, 'gallonaire')
  await insertTransactions(email, [{ merchantName: 'Corner Bistro' }])
  await openAndAwaitCalls(page, at('gallonaire', '/account/manage_cards'))
  const member = await callApi(page, '/api/Member')
  // Holds every response with the member until the test releases it, but not those without a session.
  const released = Promise.withResolvers<void>()
  let [asked, isSignedIn] = [0, true]
  await page.route('**/api/Member', async (route) => {
    if (!isSignedIn) return route.continue()
    asked++
    await released.promise
    // The page may have left meanwhile.
    await route.fulfill({ json: member }).catch(() => {})
  })
  await page.getByRole('navigation', { name: 'Account' }).getByRole('link', { name: 'Reviews & History' }).click()
  // The page requests the member after a navigation, and when its stream of activity has opened.
  await expect.poll(() => asked).toBe(2)
  await expect(page.getByText('Why? Corner Bistro')).toBeVisible()
  const rejected = page.waitForResponse((response) => response.url().endsWith('/Story') && response.status() === 401)
  // Another request of the page may lead there before.
  const left = page.waitForURL('**/login?**', { timeout: 30_000 })
  isSignedIn = false
  await context.clearCookies()
  await page.getByText('Why? Corner Bistro').evaluateAll(([why]) => (why as HTMLElement | undefined)?.click())
  await Promise.race([rejected, left])
  // The page has handled that response.
  await page.evaluate(() => fetch('/robots.txt').then((response) => response.text())).catch(() => {})
  released.resolve()
  await left
  await expect(page).toHaveURL(at('gallonaire', '/login?returnTo=%2Faccount%2Frecent_activity'))
})

test('SESS-005 SESS-013 after another member has signed in in another tab, a page shows no data of the first one', async ({
  page,
  context,
  browser,
}) => {
  await joinWithCard(page, 'gallonaire')
  const menu = page.getByRole('navigation', { name: 'Account' })
  await openAndAwaitCalls(page, at('gallonaire', '/account/manage_cards'))
  const cards = page.getByText('ending in 4242')
  await expect(cards.first()).toBeVisible()
  await menu.getByRole('link', { name: 'Profile' }).click()
  await expect(page.getByLabel('First name')).toHaveValue('Ada')
  const other = await context.newPage()
  // The session of another member replaces the current one at once, as signing in does.
  const signInOther = async () => {
    const elsewhere = await browser.newContext()
    await joinViaApi(await elsewhere.newPage(), 'gallonaire')
    await context.addCookies(await elsewhere.cookies())
    await elsewhere.close()
  }
  const storedMember = () => page.evaluate(() => localStorage.getItem('RN_MEMBER'))
  const first = await storedMember()
  await signInOther()
  const mark = (name: string) => page.evaluate((text) => void Object.assign(window, { mark: text }), name)
  const isReplaced = (name: string) =>
    page.waitForFunction(
      (text) => (window as { mark?: string }).mark !== text && document.documentElement.dataset.scripted,
      name,
    )
  await mark('of the first member')
  await menu.getByRole('link', { name: 'Linked Cards' }).click()
  await expect(page).toHaveURL(at('gallonaire', '/account/manage_cards'))
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
  await expect(cards).toHaveCount(0)
  // The first page of the other member changes the pages of other tabs at once.
  await isReplaced('of the first member')
  await expect.poll(async () => [null, first].includes(await storedMember())).toBe(false)
  await mark('of the second member')
  await signInOther()
  await other.goto(at('gallonaire', '/account/user_profile'))
  await isReplaced('of the second member')
})

test('API-007 ENR-003 a member changes the password, and the browser sends it cut to 56 characters', async ({
  page,
}) => {
  const email = await joinViaApi(page, 'gallonaire')
  await page.goto(at('gallonaire', '/account/security'))
  const password = 'another kettle of fish '.repeat(3)
  const sent = page.waitForRequest((request) => request.method() === 'PUT' && request.url().endsWith('/api/Member'))
  const fields = page.locator('input[autocomplete=new-password]')
  await fields.nth(0).fill(password)
  await fields.nth(1).fill(password)
  for (const width of [375, 1280]) {
    await page.setViewportSize({ width, height: 900 })
    expect(await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth)).toBe(0)
    await expectAccessible(page)
  }
  await page.getByRole('button', { name: 'Change password' }).click()
  expect((await sent).postDataJSON().password).toBe(password.slice(0, 56))
  await expect(page.getByText('Your password was changed.')).toBeVisible()
  await page.goto(at('gallonaire', '/SignOut'))
  await page.goto(at('gallonaire', '/login'))
  await signIn(page, email, password)
  await expect(page).toHaveURL(at('gallonaire', '/add_card'))
})

test('changing the password lists all errors at once, as other forms do', async ({ page }) => {
  await joinViaApi(page, 'gallonaire')
  await page.goto(at('gallonaire', '/account/security'))
  const fields = page.locator('input[autocomplete=new-password]')
  await fields.nth(0).fill('kettle')
  await fields.nth(1).fill('kettles')
  await page.getByRole('button', { name: 'Change password' }).click()
  await expect(page.getByRole('main').getByRole('alert').getByRole('link')).toHaveCount(2)
  await expect(fields.nth(0)).toBeFocused()
})

test('SESS-012 a visitor who signs in to see offers, or joins instead, returns to the restaurant', async ({ page }) => {
  const email = await joinViaApi(page, 'gallonaire')
  await page.goto(at('gallonaire', '/SignOut'))
  const { id } = await findMerchant(page, 'location=10001')
  await page.goto(at('gallonaire', `/merchants/${id}`))
  await page.getByRole('main').getByRole('link', { name: 'Sign in to see offers' }).first().click()
  const back = `returnTo=${encodeURIComponent(`/merchants/${id}`)}`
  await expect(page).toHaveURL(at('gallonaire', `/login?${back}`))
  await page.getByRole('main').getByRole('link', { name: 'Join now' }).click()
  await expect(page).toHaveURL(at('gallonaire', `/join?${back}`))
  await page.getByRole('main').getByRole('link', { name: 'Sign in' }).click()
  await expect(page).toHaveURL(at('gallonaire', `/login?${back}`))
  await signIn(page, email)
  await expect(page).toHaveURL(at('gallonaire', `/merchants/${id}`))
  // A member who is signed in needs no form.
  await page.goto(at('gallonaire', `/login?${back}`))
  await expect(page).toHaveURL(at('gallonaire', `/merchants/${id}`))
})

test('SESS-003 the page after a sign-out says so, and after an expired session it links back to the previous page', async ({
  page,
}) => {
  const email = await joinViaApi(page, 'gallonaire')
  await page.goto(at('gallonaire', '/how-it-works'))
  await page.getByRole('banner').getByRole('link', { name: 'Sign out' }).click()
  await expect(page.getByText('You have been signed out.')).toBeVisible()
  await page.reload()
  await expect(page.getByRole('banner').getByRole('link', { name: 'Sign in' })).toBeVisible()
  await expect(page.getByText('You have been signed out.')).toHaveCount(0)
  await page.goto(at('gallonaire', '/login'))
  await signIn(page, email)
  await expect(page).toHaveURL(/add_card/)
  await page.clock.install()
  await page.goto(at('gallonaire', '/search?location=10001'))
  await page.clock.fastForward('16:00')
  await page.waitForURL(at('gallonaire'))
  await page.getByRole('button', { name: 'Your session has ended. Select this message to sign in again.' }).click()
  await expect(page).toHaveURL(at('gallonaire', `/login?returnTo=${encodeURIComponent('/search?location=10001')}`))
})

test('the layout of the sign-in page does not shift when its script starts', async ({ page, browser }) => {
  await page.goto(at('gallonaire', '/login'))
  const placeOf = (shown: Page) =>
    shown.getByRole('link', { name: 'Forgot your password?' }).evaluate((link) => link.getBoundingClientRect().top)
  const bare = await (await browser.newContext({ javaScriptEnabled: false })).newPage()
  await bare.goto(at('gallonaire', '/login'))
  const before = (await bare.getByRole('link', { name: 'Forgot your password?' }).boundingBox())?.y ?? 0
  expect(Math.abs((await placeOf(page)) - before)).toBeLessThan(2)
  await bare.context().close()
})

test('SESS-014 API-022 API-039 signing out goes to /SignOut and ends the session', async ({ page }) => {
  await joinViaApi(page, 'gallonaire')
  await page.goto(at('gallonaire', '/how-it-works'))
  await page.getByRole('banner').getByRole('link', { name: 'Sign out' }).click()
  await expect(page).toHaveURL(at('gallonaire'))
  await expect(page.getByRole('banner').getByRole('link', { name: 'Sign in' })).toBeVisible()
  expect(await callApi(page, '/api/SignOut')).toEqual({ signedOut: true })
})

test('SESS-017 SESS-018 SESS-019 a visitor whom an invitation sends to sign in sees why and can sign in', async ({
  page,
}) => {
  const email = await joinViaApi(page, 'gallonaire')
  await page.goto(at('gallonaire', '/SignOut'))
  await page.goto(at('gallonaire', '/login?rfr=3'))
  await expect(page.getByText('Your account is already active. Please sign in.')).toBeVisible()
  await page.goto(at('gallonaire', '/login?rfr=4'))
  await expect(page.getByText(/Please sign in, or call us at 1-800-555-0162 and we will help\./)).toBeVisible()
  await signIn(page, email)
  await expect(page).toHaveURL(at('gallonaire', '/add_card'))
})

test('a member sees where the account is signed in and ends a session from elsewhere', async ({ page, browser }) => {
  const email = await joinViaApi(page, 'gallonaire')
  const phone = await (await browser.newContext()).newPage()
  await dismissPopups(phone)
  await phone.goto(at('gallonaire', '/login'))
  await phone.getByLabel('Keep me signed in on this device').check()
  await signIn(phone, email)
  await expect(phone).toHaveURL(/add_card/)
  await page.goto(at('gallonaire', '/account/security'))
  const remembered = page.getByRole('listitem').filter({ hasText: 'Stays signed in' })
  const { beganAt } = (await callApi(page, '/api/Member/Sessions')).find(
    (session: { remembered: boolean }) => session.remembered,
  )
  await expect(remembered).toContainText(`Since ${await localMoment(page, beganAt)}, with your password`)
  await expectAccessible(page)
  await page.getByRole('button', { name: 'Sign out everywhere else' }).click()
  await expect(page.getByText('You’re now signed in only here.')).toBeVisible()
  await expect(remembered).toHaveCount(0)
  await phone.goto(at('gallonaire', '/account/security'))
  await expect(phone).toHaveURL(/login/)
  await phone.context().close()
})

test('a passkey is added after re-authentication, signs in without a password, and can be removed', async ({
  page,
  context,
}) => {
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
  const email = await joinViaApi(page, 'gallonaire')
  await asOwner(
    "update sessions set authenticated_at = now() - interval '1 hour' where member_id = (select id from members where email = $1)",
    [email],
  )
  await page.goto(at('gallonaire', '/account/security'))
  await page.getByLabel(/^Name of this device/).fill('My laptop')
  await page.getByRole('button', { name: 'Add a passkey' }).click()
  const dialog = page.getByRole('dialog', { name: 'Confirm it’s you' })
  await dialog.getByRole('textbox', { name: /^Password/ }).fill('not this one')
  await dialog.getByRole('button', { name: 'Continue' }).click()
  await expect(dialog.getByText('This password is incorrect.')).toBeVisible()
  await expectAccessible(page)
  await dialog.getByRole('textbox', { name: /^Password/ }).fill('sourdough 4 breakfast')
  await dialog.getByRole('button', { name: 'Continue' }).click()
  await expect(page.getByText('Your passkey is ready.')).toBeVisible()
  await expect(page.getByRole('listitem').filter({ hasText: 'My laptop' })).toContainText('Not used yet')
  await page.goto(at('gallonaire', '/SignOut'))
  await page.goto(at('gallonaire', '/login'))
  await page.getByRole('button', { name: 'Sign in with a passkey' }).click()
  await expect(page).toHaveURL(at('gallonaire', '/add_card'))
  expect((await callApi(page, '/api/Member')).email).toBe(email)
  await page.goto(at('gallonaire', '/account/security'))
  await expect(page.getByText('with a passkey')).toBeVisible()
  // A passkey re-authenticates as well as a password does.
  await asOwner(
    "update sessions set authenticated_at = now() - interval '1 hour' where member_id = (select id from members where email = $1)",
    [email],
  )
  await page.goto(at('gallonaire', '/account/privacy'))
  const download = page.waitForEvent('download')
  const passkeyButton = page.getByRole('dialog').getByRole('button', { name: 'Use a passkey' })
  // Before hydration a press has no effect.
  await expect(async () => {
    await page.getByRole('button', { name: 'Download my data' }).click()
    await expect(passkeyButton).toBeVisible({ timeout: 2_000 })
  }).toPass()
  await passkeyButton.click()
  expect((await download).suggestedFilename()).toBe('gallonaire-my-data.json')
  await page.goto(at('gallonaire', '/account/security'))
  await page.getByRole('button', { name: 'Remove My laptop' }).click()
  await expect(page.getByText('You don’t have any passkeys yet.')).toBeVisible()
  await page.goto(at('gallonaire', '/SignOut'))
  await page.goto(at('gallonaire', '/login'))
  await page.getByRole('button', { name: 'Sign in with a passkey' }).click()
  await expect(page.getByRole('alert')).toContainText(
    /This passkey doesn’t match an account here|The passkey wasn’t used/,
  )
})
