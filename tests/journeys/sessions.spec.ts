import type { Page } from '@playwright/test'
import { send } from '../support/http.ts'
import { asOwner, at, callApi, expect, expectAccessible, further, openAndAwaitCalls, test } from '../support/journey.ts'
import { joinViaApi, joinWithCard, signIn, signInBankCustomer } from '../support/journey-members.ts'
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

  test(
    'VAL-012 by reCAPTCHA, whose script is loaded up to ten times, and again at the next attempt',
    further,
    async ({ page }) => {
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
    },
  )
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

test(
  'SESS-003 SESS-015 an unattended session ends on time, the next page links back, and a remembered one sets no timer',
  further,
  async ({ page }) => {
    const email = await joinViaApi(page, 'gallonaire')
    await page.clock.install()
    await page.goto(at('gallonaire', '/search?location=10001'))
    // A request that outlives the page, then the page itself.
    const signOutRequest = page.waitForRequest('**/api/SignOut')
    const out = page.waitForRequest((request) => new URL(request.url()).pathname === '/SignOut')
    await page.clock.fastForward('16:00')
    await signOutRequest
    await out
    await page.waitForURL(at('gallonaire'))
    await page.getByRole('button', { name: 'Your session has ended. Select this message to sign in again.' }).click()
    await expect(page).toHaveURL(at('gallonaire', `/login?returnTo=${encodeURIComponent('/search?location=10001')}`))
    await page.getByLabel('Keep me signed in on this device').check()
    await signIn(page, email)
    await expect(page).toHaveURL(at('gallonaire', '/search?location=10001'))
    await page.goto(at('gallonaire', '/how-it-works'))
    await page.clock.fastForward('23:00:00')
    await expect(page.getByText('You will be signed out in one minute.')).toHaveCount(0)
    await expect(page).toHaveURL(at('gallonaire', '/how-it-works'))
  },
)

test(
  'ROUTE-021 SESS-013 ROLE-015 a bank customer is sent through /login to the bank and returns to the page',
  further,
  async ({ page }) => {
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
  },
)

test(
  'SESS-013 ACCT-018 the sign-in page after a change that was not saved says so, once',
  further,
  async ({ page, context }) => {
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
  },
)

test('SESS-013 an account page leads to sign in as soon as another tab signs out', async ({ page, context }) => {
  await joinViaApi(page, 'gallonaire')
  await page.goto(at('gallonaire', '/account/user_profile'))
  await expect(page.getByLabel('First name')).toHaveValue('Ada')
  const other = await context.newPage()
  await other.goto(at('gallonaire', '/SignOut'))
  await expect(page).toHaveURL(at('gallonaire', '/login?returnTo=%2Faccount%2Fuser_profile'))
})

test('SESS-013 SESS-016 an account page of a bank customer is left as soon as another tab signs out, while the bank still asks', async ({
  page,
  context,
}) => {
  await signInBankCustomer(page, 'ada')
  await page.goto(at('beacon', '/account/user_profile'))
  await expect(page.getByLabel('First name')).toHaveValue('Ada')
  const other = await context.newPage()
  await other.goto(at('beacon', '/SignOut'))
  await expect(other.getByText('Do you want to leave your bank as well?')).toBeVisible()
  // Not the sign-in page: the bank, which still has its session, would sign in again without a question.
  await expect(page).toHaveURL(at('beacon', '/'))
  await expect(page.getByRole('banner').getByRole('link', { name: 'Join' })).toBeVisible()
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

test('the page about sign-in and security fits narrow and wide windows, and has no axe violation', async ({ page }) => {
  const email = await joinViaApi(page, 'gallonaire')
  // A second session, which is remembered.
  await asOwner(
    `insert into sessions (id_hash, partner_id, member_id, csrf_token, remembered, started_with, expires_at)
     select sha256(public_id::bytea), partner_id, id, '', true, 'password', now() + interval '1 day'
     from members where email = $1`,
    [email],
  )
  await page.goto(at('gallonaire', '/account/security'))
  await expect(page.getByText('Stays signed in')).toBeVisible()
  const fields = page.locator('input[autocomplete=new-password]')
  for (const field of await fields.all()) await field.fill('another kettle of fish '.repeat(3))
  for (const width of [375, 1280]) {
    await page.setViewportSize({ width, height: 900 })
    expect(await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth)).toBe(0)
    await expectAccessible(page)
  }
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

test('RECV-010 a member opens the link of the email and verifies the address', async ({ page }) => {
  const email = await joinViaApi(page, 'gallonaire')
  await page.goto(at('gallonaire', '/account/security'))
  await expect(page.getByText('Not verified yet')).toBeVisible()
  await expectAccessible(page)
  const [sent] = await asOwner<{ text: string }>(
    "select body_text as text from emails where recipient = $1 and topic = 'verification.code'",
    [email],
  )
  const link = /http:\/\/\S+#code=\S+/.exec(sent?.text ?? '')?.[0] ?? ''
  expect(link).toContain(at('gallonaire', '/account/verify_email#code='))
  await page.goto(link)
  await expect(page.getByText(`Your link works. Continue to verify ${email}.`)).toBeVisible()
  await expect(page).toHaveURL(at('gallonaire', '/account/verify_email'))
  await expectAccessible(page)
  await page.getByRole('button', { name: 'Verify' }).click()
  await expect(page.getByText(`${email} is verified.`)).toBeVisible()
  await page.getByRole('link', { name: 'Back to sign-in & security' }).click()
  await expect(page.getByText('Verified', { exact: true })).toBeVisible()
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
  await expect(page.getByLabel(/^Name of this device/)).toHaveValue('')
  const emailsAbout = (topic: string) =>
    asOwner<{ text: string }>('select body_text as text from emails where recipient = $1 and topic = $2', [
      email,
      topic,
    ])
  expect(await emailsAbout('session.passkey-added')).toMatchObject([{ text: expect.stringContaining('My laptop') }])
  await expect(page.getByRole('listitem').filter({ hasText: 'My laptop' })).toContainText('Not used yet')
  await page.goto(at('gallonaire', '/SignOut'))
  await page.goto(at('gallonaire', '/login'))
  await page.getByLabel('Keep me signed in on this device').check()
  await page.getByRole('button', { name: 'Sign in with a passkey' }).click()
  await expect(page).toHaveURL(at('gallonaire', '/add_card'))
  expect((await callApi(page, '/api/Member')).email).toBe(email)
  await page.goto(at('gallonaire', '/account/security'))
  await expect(page.getByText('with a passkey')).toBeVisible()
  await expect(page.getByText('Stays signed in')).toBeVisible()
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
  expect(await emailsAbout('session.passkey-removed')).toHaveLength(1)
  await page.goto(at('gallonaire', '/SignOut'))
  await page.goto(at('gallonaire', '/login'))
  await page.getByRole('button', { name: 'Sign in with a passkey' }).click()
  await expect(page.getByRole('alert')).toContainText(
    /This passkey doesn’t match an account here|The passkey wasn’t used/,
  )
})

test(
  'SESS-013 SESS-012 API-039 ERR-005 a member whose session has ended is sent to sign in and returns to the same page',
  further,
  async ({ page, context }) => {
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
  },
)
