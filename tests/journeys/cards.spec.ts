import type { Page } from '@playwright/test'
import {
  asOwner,
  at,
  callApi,
  expect,
  expectNoA11yViolations,
  findMerchant,
  further,
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

  test(
    'LINK-014 LINK-015 ERR-011 that fail are named with their reasons, and the others are linked',
    further,
    async ({ page }) => {
      await withLoadedCards(page)
      await page.goto(at('gallonaire', '/add_card'))
      await expect(page.getByLabel(/Everyday/)).toBeVisible()
      await expectNoA11yViolations(page)
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
        page.getByText('Visa ending in 0002: The card issuer declined to link this card. (DECLINED)'),
      ).toBeVisible()
      await expectNoA11yViolations(page)
      await page.getByRole('link', { name: 'Continue' }).click()
      await expect(page).toHaveURL(/\/card_added$|\/account\/overview$/)
    },
  )

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

  test.describe('that cannot be loaded', () => {
    test.use({ tolerated: /status of (500|404|422)/ })
    test(
      'LINK-036 LINK-022 do not prevent linking a typed card, and are not requested again',
      further,
      async ({ page }) => {
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
      },
    )
  })
})

test.describe('errors', () => {
  test.use({ tolerated: /net::ERR_FAILED|ERR_BLOCKED_BY_CLIENT/ })

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
  await expect(elsewhere.getByText(/This card earns in another dining program.*\(LINKED_ELSEWHERE\)/)).toBeVisible()
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

test(
  'SESS-013 a restaurant page shows no cards once another tab has signed out',
  further,
  async ({ page, context }) => {
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
  },
)

test('LINK-019 LINK-017 after the last card the next page names the deleted one', further, async ({ page }) => {
  await joinWithCard(page, 'gallonaire')
  await page.goto(at('gallonaire', '/account/manage_cards'))
  await page.getByRole('button', { name: /^Delete and close account/ }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Delete and close account' }).click()
  await expect(page).toHaveURL(at('gallonaire'))
  await expect(page.getByText('Your card ending in 4242 has been deleted.')).toBeVisible()
  await page.reload()
  await expect(page.getByText('Your card ending in 4242 has been deleted.')).toHaveCount(0)
})
