import type { Page } from '@playwright/test'
import {
  asOwner,
  at,
  callApi,
  expect,
  expectNoA11yViolations,
  findMerchant,
  localMoment,
  pauseClock,
  test,
} from '../support/journey.ts'
import { declinedCard, linkCard, testCard } from '../support/journey-cards.ts'
import { joinViaApi, joinWithCard } from '../support/journey-members.ts'

/** Creates a member with a linked card and opens the cards page; returns the card number. */
async function atCards(page: Page, partner: string): Promise<string> {
  await joinViaApi(page, partner)
  await page.goto(at(partner, '/add_card'))
  const number = testCard()
  await linkCard(page, number)
  await expect(page).toHaveURL(at(partner, '/card_added'))
  await page.goto(at(partner, '/account/manage_cards'))
  return number
}

/** Inserts the given number of cards for a member into the table, each with its own brand. */
async function insertCards(lastFour: string, count: number): Promise<void> {
  await asOwner(
    `insert into cards (partner_id, public_id, member_id, token, fingerprint, card_type, description, last_four, expires, linked_at)
     select c.partner_id, gen_random_uuid(), c.member_id, gen_random_uuid(), gen_random_uuid(),
       (array['AMEX', 'MAST', 'DISC', 'VISA'])[1 + n % 4], (array['Amex', 'Mastercard', 'Discover', 'Visa'])[1 + n % 4],
       lpad((7000 + n)::text, 4, '0'), '2034-03', now() - interval '3 days'
     from generate_series(0, $2::int - 1) n,
       (select * from cards where last_four = $1 and removed_at is null order by id desc limit 1) c`,
    [lastFour, count],
  )
}

test('LINK-001 LINK-002 LINK-003 a linked card shows its brand, its state, and its description on wide screens', async ({
  page,
}) => {
  const number = await atCards(page, 'skyharbor')
  await insertCards(number.slice(-4), 3)
  await page.reload()
  for (const brand of ['Visa', 'Amex', 'Mastercard', 'Discover']) {
    await expect(page.getByRole('img', { name: brand })).toBeVisible()
  }
  const card = page.getByRole('listitem').filter({ hasText: 'ending in 7001' })
  await expect(card.getByText('Mastercard', { exact: true })).toBeVisible()
  await expect(card.getByText(/^Earns since \w+ \d+, \d{4}$/)).toBeVisible()
  await expect(card.getByText('Good through March 2034')).toBeVisible()
  await expectNoA11yViolations(page)
  await page.setViewportSize({ width: 660, height: 900 })
  await expect(card.getByText('Mastercard', { exact: true })).toBeHidden()
  await expect(card.getByText('ending in 7001', { exact: true }).first()).toBeVisible()
})

test('a card shows when it begins to earn, and a warning before and after it expires', async ({ page }) => {
  const number = await atCards(page, 'skyharbor')
  const soon = new Date(Date.now() + 20 * 86_400_000).toISOString().slice(0, 7)
  await asOwner("update cards set expires = $2, linked_at = linked_at + interval '2 days' where last_four = $1", [
    number.slice(-4),
    soon,
  ])
  await page.reload()
  const [{ earnsFrom }] = await callApi(page, '/api/Member/Cards')
  await expect(page.getByText(`Earns from ${await localMoment(page, earnsFrom)}`, { exact: true })).toBeVisible()
  await expect(page.getByText(/^Expires at the end of .* When your new card arrives, link it/)).toBeVisible()
  await asOwner("update cards set expires = '2024-02' where last_four = $1", [number.slice(-4)])
  await page.reload()
  await expect(page.getByText('Expired at the end of February 2024. Link the card that replaces it.')).toBeVisible()
})

test('LINK-005 ERR-012 with eleven cards the form shows, with twelve a message', async ({ page }) => {
  const number = await atCards(page, 'gallonaire')
  await insertCards(number.slice(-4), 10)
  await page.reload()
  await expect(page.getByRole('heading', { name: 'Link another card' })).toBeVisible()
  await expect(page.getByRole('button', { name: 'Link card' })).toBeVisible()
  await insertCards(number.slice(-4), 1)
  await page.reload()
  await expect(page.getByText('You’ve linked 12 cards, the most allowed.')).toBeVisible()
  await expect(page.getByRole('button', { name: 'Link card' })).toHaveCount(0)
})

test('LINK-006 LINK-008 LINK-009 LINK-021 LINK-022 LINK-023 LINK-024 LINK-038 the form requires a card and then for the consent', async ({
  page,
}) => {
  await joinViaApi(page, 'gallonaire')
  await page.goto(at('gallonaire', '/add_card'))
  const frame = page.locator('iframe[title="Your card"]')
  await expect(frame).toHaveAttribute('src', /^http:\/\/vault\.localhost:\d+\/frame\?intent=/)
  await expect(page.getByText('Debit cards earn when the payment is processed as credit, without a PIN.')).toBeVisible()
  const submit = page.getByRole('button', { name: 'Link card' })
  // This member has no partner-loaded cards, so a typed one is required.
  await expect(submit).toBeDisabled()
  await submit.press('Enter')
  await expect(page.getByRole('alert').getByText('Please enter your credit card number.')).toBeVisible()
  const inside = page.frameLocator('iframe[title="Your card"]')
  await inside.getByLabel('Card number').fill(testCard())
  await inside.getByLabel(/Expires/).fill('12/30')
  await expect(submit).toBeEnabled()
  await submit.click()
  await expect(
    page.getByText('Linking a card and authorizing activity monitoring is required to complete and earn rewards.'),
  ).toBeVisible()
  await expectNoA11yViolations(page)
})

test.describe('cards that the partner has loaded', () => {
  async function withLoadedCards(page: Page): Promise<void> {
    await joinViaApi(page, 'gallonaire')
    await callApi(page, '/api/staging/partner-cards', { method: 'POST' })
  }

  test('LINK-007 LINK-010 LINK-011 LINK-013 LINK-014 LINK-036 LINK-039 ERR-011 can be selected and linked, are listed, and are not offered again', async ({
    page,
  }) => {
    await withLoadedCards(page)
    let requestCount = 0
    let respond = () => {}
    const blocked = new Promise<void>((resolve) => {
      respond = resolve
    })
    await page.route('**/api/Cards/AllPartnerCards', async (route) => {
      requestCount++
      await blocked
      await route.continue()
    })
    await page.goto(at('gallonaire', '/add_card'))
    await expect(page.getByText('Do not refresh, loading partner cards')).toBeVisible()
    // A screen reader announces nothing within a busy region.
    await expect(page.locator('[aria-busy="true"]').filter({ hasText: 'Do not refresh' })).toHaveCount(0)
    respond()
    const group = page.getByRole('group', { name: 'Cards you have with Gallonaire' })
    await expect(group.getByRole('checkbox')).toHaveCount(3)
    await expectNoA11yViolations(page)
    await group.getByLabel(/Everyday/).check()
    await group.getByLabel(/Travel/).check()
    await page.getByLabel(/I link this card/).check()
    await page.getByRole('button', { name: 'Link card' }).click()
    await expect(page).toHaveURL(at('gallonaire', '/card_added'))
    await page.getByRole('link', { name: 'Go to your account' }).click()
    await page.getByRole('link', { name: 'Linked Cards' }).click()
    await expect(page.getByText(/Everyday Amex/)).toBeVisible()
    await expect(group.getByRole('checkbox')).toHaveCount(1)
    await group.getByLabel(/Family/).check()
    await page.getByLabel(/I link this card/).check()
    await page.getByRole('button', { name: 'Link card' }).click()
    const outcome = page.getByText(/^Your card ending in \d{4} is linked\.$/)
    await expect(outcome).toBeVisible()
    await expect(group).toHaveCount(0)
    await expect(page.getByRole('listitem').filter({ hasText: 'Family' })).toBeVisible()
    expect(await page.evaluate(() => document.activeElement?.textContent)).toContain('is linked.')
    // The next card requires the member's consent again.
    await expect(page.getByLabel(/I link this card/)).not.toBeChecked()
    expect(requestCount).toBe(1)
  })

  test('LINK-014 LINK-015 ERR-011 that fail are named with their reasons, and the others are linked', async ({
    page,
  }) => {
    await withLoadedCards(page)
    await page.goto(at('gallonaire', '/add_card'))
    await page.getByLabel(/Everyday/).check()
    // Chromium lays out a frame of another origin only when it is on the screen.
    await page.locator('iframe[data-ready]').scrollIntoViewIfNeeded()
    const frame = page.frameLocator('iframe[title="Your card"]')
    await frame.getByLabel('Card number').fill(declinedCard())
    await frame.getByLabel(/Expires/).fill('12/30')
    await expect(frame.getByText('Card complete.')).toBeVisible()
    await page.getByLabel(/I link this card/).check()
    await page.getByRole('button', { name: 'Link card' }).click()
    await expect(page.getByText('Some cards could not be linked.')).toBeVisible()
    await expect(page.getByText(/^Everyday Amex ending in \d{4} is linked\.$/)).toBeVisible()
    await expect(
      page.getByText('Visa ending in 0002 - DECLINED: The card issuer declined to link this card.'),
    ).toBeVisible()
    await expectNoA11yViolations(page)
    await page.getByRole('link', { name: 'Continue' }).click()
    await expect(page).toHaveURL(/\/card_added$|\/account\/overview$/)
  })

  test('LINK-012 ERR-012 cannot be selected beyond the limit, and the form says so', async ({ page }) => {
    const number = await atCards(page, 'gallonaire')
    await callApi(page, '/api/staging/partner-cards', { method: 'POST' })
    await insertCards(number.slice(-4), 9)
    await page.reload()
    await page.getByLabel(/Everyday/).check()
    await expect(page.getByLabel(/Travel/)).toBeEnabled()
    await page.getByLabel(/Travel/).check()
    await expect(page.getByLabel(/Family/)).toBeDisabled()
    await expect(page.getByText('You can link up to 12 cards. Uncheck one to choose another.')).toBeVisible()
    await expectNoA11yViolations(page)
    // A typed card in addition: one too many.
    const frame = page.frameLocator('iframe[title="Your card"]')
    await frame.getByLabel('Card number').fill(testCard())
    await frame.getByLabel(/Expires/).fill('12/30')
    await expect(frame.getByText('Card complete.')).toBeVisible()
    await expect(page.getByRole('button', { name: 'Link card' })).toBeDisabled()
    await page.getByLabel(/Travel/).uncheck()
    await expect(page.getByRole('button', { name: 'Link card' })).toBeEnabled()
  })

  test('LINK-013 LINK-014 show the result of linking also when they use the last places', async ({ page }) => {
    const number = await atCards(page, 'gallonaire')
    await callApi(page, '/api/staging/partner-cards', { method: 'POST' })
    await insertCards(number.slice(-4), 9)
    await page.reload()
    await page.getByLabel(/Everyday/).check()
    await page.getByLabel(/Travel/).check()
    await page.getByLabel(/I link this card/).check()
    await page.getByRole('button', { name: 'Link card' }).click()
    await expect(page.getByText('Your 2 cards are linked.')).toBeVisible()
    await expect(page.getByText(/You’ve linked 12 cards/)).toBeVisible()
    await expect(page.getByRole('button', { name: 'Link card' })).toHaveCount(0)
  })

  test.describe('that cannot be loaded', () => {
    test.use({ tolerated: /status of (500|404|422)/ })
    test('LINK-036 LINK-022 do not prevent linking a typed card, and are not requested again', async ({ page }) => {
      await withLoadedCards(page)
      let requestCount = 0
      await page.route('**/api/Cards/AllPartnerCards', (route) => {
        requestCount++
        return route.fulfill({ status: 500, json: { code: 'serverError', title: 'x' } })
      })
      await page.goto(at('gallonaire', '/add_card'))
      await expect(page.getByText('Do not refresh, loading partner cards')).toHaveCount(0)
      await linkCard(page, testCard())
      await expect(page).toHaveURL(at('gallonaire', '/card_added'))
      expect(requestCount).toBe(1)
    })
  })
})

test.describe('errors', () => {
  // Without a session the token of a call is unknown too: 403.
  test.use({ tolerated: /status of (401|403|404|422|500)|net::ERR_FAILED|ERR_BLOCKED_BY_CLIENT/ })

  test('LINK-010 LINK-037 API-030 ERR-005 a failure shows an error; a member who was signed out signs in and returns', async ({
    page,
  }) => {
    await joinViaApi(page, 'skyharbor')
    await page.goto(at('skyharbor', '/add_card'))
    let status = 500
    await page.route('**/api/Member/Cards', (route) =>
      route.request().method() === 'POST' ? route.fulfill({ status, body: '' }) : route.continue(),
    )
    await linkCard(page, testCard())
    await expect(page.getByRole('alert').getByText('Something went wrong. Please refresh the page')).toBeVisible()
    await expect(page.getByRole('button', { name: 'Link card' })).toBeEnabled()
    status = 401
    // The sign-in page redirects a member who is still signed in.
    await page.context().clearCookies()
    await page.getByRole('button', { name: 'Link card' }).click()
    await expect(page).toHaveURL(/\/login\?returnTo=%2Fadd_card/)
  })

  test('LINK-018 LINK-020 a deletion that fails shows an error; a member who was signed out is led to sign in', async ({
    page,
  }) => {
    const number = await atCards(page, 'skyharbor')
    let status = 500
    await page.route('**/api/Member/Cards?id=*', (route) => route.fulfill({ status, json: { code: 'x', title: 'x' } }))
    const remove = async () => {
      await page.getByRole('button', { name: /^Delete and close account/ }).click()
      await page.getByRole('dialog').getByRole('button', { name: 'Delete and close account' }).click()
    }
    await remove()
    await expect(
      page.getByText(`Your card ending in ${number.slice(-4)} can not be deleted, please try again later.`),
    ).toBeVisible()
    status = 401
    await page.context().clearCookies()
    await remove()
    await expect(page).toHaveURL(/\/login\?returnTo=%2Faccount%2Fmanage_cards/)
  })

  test('LINK-033 LINK-034 a frame that does not load within 20 s shows a message and is recorded', async ({ page }) => {
    const events: string[] = []
    page.on('request', (request) => {
      if (request.url().endsWith('/api/Impressions'))
        for (const { eventName, url } of request.postDataJSON())
          events.push(eventName === 'PageView' ? `view of ${url}` : eventName)
    })
    await joinViaApi(page, 'skyharbor')
    await page.route('**/frame?intent=*', (route) => route.abort('blockedbyclient'))
    await page.clock.install()
    await page.addInitScript(() => Object.assign(window, { loadedAt: Date.now() }))
    await page.goto(at('skyharbor', '/add_card'))
    await expect(page.locator('iframe[title="Your card"]')).toBeAttached()
    await pauseClock(page)
    const age = await page.evaluate(() => Date.now() - (window as unknown as { loadedAt: number }).loadedAt)
    // The frame is younger than its page, by however long a busy machine took to load it.
    await page.clock.runFor(Math.max(0, 19_500 - age))
    const errorMessage = page.getByText('The card form didn’t load.')
    if (age < 19_500) await expect(errorMessage).toHaveCount(0)
    await page.clock.runFor(20_000)
    await expect(errorMessage).toBeVisible()
    await expect.poll(() => events).toContain('CardFrameFailed')
    expect(events).not.toContain('CardFrameLoaded')
    // The view of this page may be sent later than the failure, and is not one of those below.
    await expect.poll(() => events).toContain('view of /add_card')
    // For a member who leaves earlier, none has failed.
    events.length = 0
    await page.clock.resume()
    await page.goto(at('skyharbor', '/add_card'))
    await expect(page.locator('iframe[title="Your card"]')).toBeAttached()
    await page.getByRole('contentinfo').getByRole('link', { name: 'Program terms' }).click()
    await expect(page.getByRole('heading', { level: 1, name: 'Program terms' })).toBeVisible()
    await page.clock.runFor(30_000)
    await page.getByRole('contentinfo').getByRole('link', { name: 'Privacy' }).click()
    await expect(page.getByRole('heading', { level: 1, name: 'Privacy, in plain words' })).toBeVisible()
    await page.clock.runFor(5_000)
    // The view of the last page is sent after everything else.
    await expect.poll(() => events).toContain('view of /privacy')
    expect(events).toContain('view of /terms')
    expect(events).not.toContain('CardFrameFailed')
  })
})

test('LINK-034 LINK-035 API-042 the provider’s script opens a session that is sent with the card; a frame that loads is recorded', async ({
  page,
}) => {
  const events: string[] = []
  page.on('request', (request) => {
    if (request.url().endsWith('/api/Impressions'))
      events.push(...request.postDataJSON().map(({ eventName }: { eventName: string }) => eventName))
  })
  await joinViaApi(page, 'skyharbor')
  const opened = page.waitForResponse(/\/provider\/sessions\?key=pk_/)
  await page.goto(at('skyharbor', '/add_card'))
  const { sessionId } = await (await opened).json()
  await expect(page.locator('script[src$="/provider.js"]')).toHaveCount(1)
  const sent = page.waitForRequest((request) => request.method() === 'POST' && request.url().endsWith('/Member/Cards'))
  await linkCard(page, testCard())
  expect((await sent).headers()['x-card-session']).toBe(sessionId)
  await expect(page).toHaveURL(at('skyharbor', '/card_added'))
  await expect.poll(() => events).toContain('CardFrameLoaded')
  expect(events).not.toContain('CardFrameFailed')
})

test('a card that earns in another program moves when its owner agrees by email, and the move can be undone within a day', async ({
  page,
  browser,
}) => {
  const number = await atCards(page, 'skyharbor')
  const lastFour = number.slice(-4)
  const elsewhere = await (await browser.newContext()).newPage()
  await joinViaApi(elsewhere, 'gallonaire')
  await elsewhere.goto(at('gallonaire', '/add_card'))
  await linkCard(elsewhere, number)
  const question = elsewhere.getByRole('dialog', { name: 'This card earns in another program' })
  await expect(question.getByText(`Visa ending in ${lastFour} is linked in another dining program.`)).toBeVisible()
  await expectNoA11yViolations(elsewhere)
  await question.getByRole('button', { name: 'Leave it there' }).click()
  await expect(elsewhere.getByText(/LINKED_ELSEWHERE: This card earns in another dining program/)).toBeVisible()
  await linkCard(elsewhere, number)
  await question.getByRole('button', { name: 'Ask to move it here' }).click()
  await expect(elsewhere.getByText(`We have asked for your card ending in ${lastFour}`)).toBeVisible()
  await expectNoA11yViolations(elsewhere)

  const getMoveLink = async () => {
    const { mails: emails } = await callApi(page, '/api/staging/outbox')
    const email = emails.find(({ subject }: { subject: string }) => subject.includes(`${lastFour} move to`))
    return /http\S+\/card_move#code=[\w-]+/.exec(email?.text ?? '')?.[0] ?? ''
  }
  await expect.poll(getMoveLink).not.toBe('')
  await page.goto(await getMoveLink())
  await expect(page).toHaveURL(at('skyharbor', '/card_move'))
  await expectNoA11yViolations(page)
  await page.getByRole('button', { name: 'Move it' }).click()
  await expect(page.getByText('We’re moving your card')).toBeVisible()
  const arrived = async () => (await callApi(elsewhere, '/api/Member/Cards')).length
  await expect.poll(arrived).toBe(1)
  await elsewhere.goto(at('gallonaire', '/account/manage_cards'))
  await expect(
    elsewhere.getByText(`Visa ending in ${lastFour} was moved here from Skyharbor Miles Dining.`),
  ).toBeVisible()
  await expectNoA11yViolations(elsewhere)

  await page.goto(at('skyharbor', '/account/manage_cards'))
  await expect(page.getByText(`Visa ending in ${lastFour} was moved to Gallonaire Fuel Dining.`)).toBeVisible()
  await expectNoA11yViolations(page)
  await page.getByRole('button', { name: 'Move it back here' }).click()
  await expect(page.getByText(`The card ending in ${lastFour} was moved back.`)).toBeVisible()
  const inList = page.getByRole('listitem').filter({ hasText: `ending in ${lastFour}` })
  await expect(inList).toBeVisible()
  await page.goto(at('skyharbor', '/account/manage_cards'))
  await expect(inList).toBeVisible()
  await elsewhere.reload()
  await expect(elsewhere.getByText(`ending in ${lastFour}`)).toHaveCount(0)
  await elsewhere.context().close()
})

test.describe('one of several cards', () => {
  test.use({ tolerated: /status of 409/ })

  test('that is deleted leaves the focus on the heading of the list, and one that became the last is not deleted unasked', async ({
    page,
  }) => {
    const number = await atCards(page, 'gallonaire')
    await insertCards(number.slice(-4), 2)
    await page.reload()
    const row = page.getByRole('listitem').filter({ hasText: 'ending in 7000' })
    await row.getByRole('button', { name: /^Delete/ }).press('Enter')
    await page
      .getByRole('dialog')
      .getByRole('button', { name: /^Delete/ })
      .press('Enter')
    await expect(page.getByText('Your card ending in 7000 has been deleted.')).toBeVisible()
    await expect(row).toHaveCount(0)
    await expect(page.getByRole('heading', { level: 2, name: 'Linked Cards' })).toBeFocused()

    // Another window deletes a card while the dialog here does not say that the account will be closed.
    await page.getByRole('button', { name: 'Delete ending in 7001' }).click()
    const cards = await callApi(page, '/api/Member/Cards')
    const other = cards.find(({ lastFour }: { lastFour: string }) => lastFour === number.slice(-4))
    await callApi(page, `/api/Member/Cards?id=${other.id}`, { method: 'DELETE' })
    await page.getByRole('dialog').getByRole('button', { name: 'Delete', exact: true }).click()
    await expect(page.getByText('Your cards have changed in another window.')).toBeVisible()
    await expect(page.getByRole('button', { name: 'Delete and close account ending in 7001' })).toBeVisible()
  })
})

test('SESS-013 a restaurant page shows no cards once another tab has signed out', async ({ page, context }) => {
  const number = await atCards(page, 'skyharbor')
  await insertCards(number.slice(-4), 1)
  const merchant = await findMerchant(page, 'location=10001', () => true)
  await page.goto(at('skyharbor', `/merchants/${merchant.id}`))
  await page.getByText('Paying with').click()
  const card = page.getByLabel('Card', { exact: true })
  await card.selectOption({ label: 'Amex ending in 7000' })
  const other = await context.newPage()
  await other.goto(at('skyharbor', '/SignOut'))
  await expect(card).toHaveCount(0)
  await expect(page.getByText('ending in 7000')).toHaveCount(0)
  // The next member of this browser does not see which card was linked.
  await expect.poll(() => page.evaluate(() => localStorage.getItem('cardRegistrationSuccess'))).toBeNull()
})

test('LINK-019 LINK-017 after the last card the next page names the deleted one', async ({ page }) => {
  await joinWithCard(page, 'gallonaire')
  await page.goto(at('gallonaire', '/account/manage_cards'))
  await page.getByRole('button', { name: /^Delete and close account/ }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Delete and close account' }).click()
  await expect(page).toHaveURL(at('gallonaire'))
  await expect(page.getByText('Your card ending in 4242 has been deleted.')).toBeVisible()
  await page.reload()
  await expect(page.getByText('Your card ending in 4242 has been deleted.')).toHaveCount(0)
})
