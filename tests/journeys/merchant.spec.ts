import {
  asOwner,
  at,
  callApi,
  expect,
  expectAccessible,
  expectNoA11yViolations,
  findMerchant,
  openOrigin,
  test,
} from '../support/journey.ts'
import { insertCard, joinViaApi, joinWithCard } from '../support/journey-members.ts'

const near = 'location=10001&radius=50'

test('MERCH-001 MERCH-009 MERCH-010 MERCH-011 MERCH-015 offers show their days from Sunday on and their limits; members’ offers require a sign-in', async ({
  page,
}) => {
  await openOrigin(page, 'skyharbor')
  const limited = await findMerchant(
    page,
    near,
    (m) => m.offers[0]?.type === 'Limited' && m.offers[0].maxVisitsPerMonth,
  )
  await page.goto(at('skyharbor', `/merchants/${limited.id}`))
  const panel = page.getByRole('region', { name: 'What this meal earns' })
  const days = panel.getByRole('list', { name: 'Earns on' }).first().getByRole('listitem')
  await expect(days).toHaveCount(7)
  const texts = await days.allTextContents()
  expect(texts.map((text) => text.slice(0, 3))).toEqual(['Sun', 'Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat'])
  expect(texts.map((text) => /: earns$/.test(text))).toEqual(
    [0, 1, 2, 3, 4, 5, 6].map((day) => limited.offers[0].days.includes(day)),
  )
  await expect(panel.getByText('Limited offer.')).toBeVisible()
  await expect(
    panel.getByText(`Earn on up to ${limited.offers[0].maxVisitsPerMonth} of your visits each month.`),
  ).toBeVisible()
  await expect(panel.getByText('Each payment counts as a visit.')).toBeVisible()
  await expect(panel.getByRole('link', { name: 'Sign in to see offers' })).toHaveAttribute(
    'href',
    `/login?returnTo=${encodeURIComponent(`/merchants/${limited.id}`)}`,
  )
  const unlimited = await findMerchant(page, near, (m) => m.offers[0]?.type === 'Unlimited')
  await page.goto(at('beacon', `/merchants/${unlimited.id}`))
  await expect(panel.getByText('Unlimited offer. No limit on visits or amounts.')).toBeVisible()
  await expect(panel.getByRole('link', { name: 'Sign in to see offers' })).toHaveAttribute(
    'href',
    `/Login?returnTo=${encodeURIComponent(`/merchants/${unlimited.id}`)}`,
  )
})

test('the earnings of a bill are computed at once, also for other days, with the reason when it earns nothing', async ({
  page,
}) => {
  await openOrigin(page, 'skyharbor')
  const merchant = await findMerchant(
    page,
    near,
    (m) =>
      m.offers.length === 1 &&
      m.offers[0].type === 'Unlimited' &&
      m.offers[0].ratePercent === 100 &&
      m.offers[0].days.length === 7,
  )
  await page.goto(at('skyharbor', `/merchants/${merchant.id}`))
  // The example for visitors uses the rate of members, not the VIP rate, which takes eleven dines.
  await expect(page.getByText('A bill of $60.00 earns members 180 miles.')).toBeVisible()
  await expect(page.getByText('3 miles per dollar for members who receive our emails')).toBeVisible()
  await expect(page.getByText('5 miles per dollar for VIP members')).toBeVisible()
  const bill = page.getByLabel('Bill with tax and tip')
  for (const [typed, sentence] of [
    ['100', 'A bill of $100.00 earns members 300 miles.'],
    ['$80', 'A bill of $80.00 earns members 240 miles.'],
    ['1,000', 'A bill of $1,000.00 earns members 3,000 miles.'],
  ] as const) {
    await bill.fill(typed)
    await expect(page.getByText(sentence)).toBeVisible()
  }
  for (const typed of ['a lot', '0', '']) {
    await bill.fill(typed)
    await expect(page.getByText('Enter an amount from $0.01 to $99,999.99, such as 60, 72.50 or 1,000.')).toBeVisible()
    await expect(page.getByText(/A bill of/)).toHaveCount(0)
  }
  await page.getByText('What does not count').click()
  await expect(page.getByText(/gift cards you buy/)).toBeVisible()
  const picky = await findMerchant(page, near, (m) => m.offers.length === 1 && m.offers[0].days.length < 6)
  const off = [0, 1, 2, 3, 4, 5, 6].find((day) => !picky.offers[0].days.includes(day)) as number
  // 3 January 2027 is a Sunday.
  await page.goto(at('skyharbor', `/merchants/${picky.id}`))
  await page.getByText('On another day').click()
  await page
    .getByLabel('Date', { exact: true })
    .first()
    .fill(`2027-01-${String(3 + off).padStart(2, '0')}`)
  await expect(page.getByText('A bill of $60.00 earns nothing.')).toBeVisible()
  await expect(page.getByText(/offers no reward on/)).toBeVisible()
})

test('an offer with hours or a minimum bill shows them in the search and on the page, and the calculator applies them', async ({
  page,
}) => {
  await joinWithCard(page, 'skyharbor')
  for (const [fits, card, terms] of [
    [({ offers: [offer] }: Found) => Boolean(offer?.hours), '4 PM to 6:30 PM', 'From 4 PM to 6:30 PM.'],
    [
      ({ offers: [offer] }: Found) => (offer?.minSpendCents ?? 0) > 0,
      'meals of $25.00 or more',
      'Meals of $25.00 or more.',
    ],
  ] as const) {
    const merchant = await findMerchant(page, near, fits)
    await page.goto(at('skyharbor', `/search?restaurantOrCuisine=${encodeURIComponent(merchant.name)}&${near}`))
    const article = page.locator(`[data-merchant="${merchant.id}"]`)
    await expect(article.getByText(card)).toBeVisible()
    await expectNoA11yViolations(page)
    await page.goto(at('skyharbor', `/merchants/${merchant.id}`))
    await expect(page.getByText(terms)).toBeVisible()
    if (card !== '4 PM to 6:30 PM') continue
    // A time alone is one of today.
    await page.getByText('On another day').click()
    const asked = page.waitForRequest((request) => request.url().includes('time=20%3A00'))
    await page.getByLabel('Time', { exact: true }).first().fill('20:00')
    expect((await asked).url()).not.toContain('date=')
    await expect(page.getByText('A bill of $60.00 earns nothing.')).toBeVisible()
  }
  await page.getByLabel('Bill with tax and tip').fill('24.99')
  await expect(page.getByText('A bill of $24.99 earns nothing.')).toBeVisible()
})

interface Found {
  offers: { hours: unknown; minSpendCents: number }[]
}

test('PART-036 the fuel program shows on the page that debit cards must be used without a PIN', async ({ page }) => {
  await openOrigin(page, 'gallonaire')
  const merchant = await findMerchant(
    page,
    near,
    (m) => m.offers[0]?.type === 'Unlimited' && m.offers[0].days.length === 7,
  )
  await page.goto(at('gallonaire', `/merchants/${merchant.id}`))
  await page.getByText('What does not count').click()
  await expect(page.getByText(/debit cards used with a PIN: ask for credit instead/)).toBeVisible()
})

test('the calculator considers the card, and debit with a PIN', async ({ page }) => {
  const email = await joinWithCard(page, 'gallonaire')
  await insertCard(email)
  await asOwner(
    `update cards set last_four = '7777', linked_at = now() + interval '1 day' where id = (select max(c.id) from cards c join members m on m.id = c.member_id where m.email = $1)`,
    [email],
  )
  const { id } = await findMerchant(page, 'location=10001', ({ offers }) => offers[0]?.type === 'Unlimited')
  await page.goto(at('gallonaire', `/merchants/${id}`))
  await page.getByLabel('Bill with tax and tip').fill('120')
  await expect(page.getByText('A bill of $120.00 earns 20¢ per gallon.')).toBeVisible()
  await page.getByText('Paying with', { exact: true }).click()
  await page.getByLabel('A debit card with a PIN').check()
  await expect(page.getByText('This meal was paid by debit card with a PIN, which doesn’t earn.')).toBeVisible()
  await expectNoA11yViolations(page)
  await page.getByLabel('A debit card with a PIN').uncheck()
  // The card earns from tomorrow, so today is too early.
  await page.getByLabel('Card', { exact: true }).selectOption({ label: 'Visa ending in 7777' })
  await expect(page.getByText(/Your card was linked on/)).toBeVisible()
  await page.getByText('On another day').click()
  const before = new Date(Date.now() - 86_400_000 * 2).toISOString().slice(0, 10)
  await page.getByRole('region', { name: 'What this meal earns' }).getByLabel('Date').fill(before)
  await expect(page.getByText('Choose today or a later day.')).toBeVisible()
  await expect(page.getByText(/A bill of/)).toHaveCount(0)
})

test('MERCH-002 MERCH-004 MERCH-005 MERCH-006 MERCH-007 the page has menu, telephone, directions, reviews and events', async ({
  page,
}) => {
  await openOrigin(page, 'skyharbor')
  const merchant = await findMerchant(
    page,
    near,
    (m) =>
      m.menuUrl &&
      m.events.length > 0 &&
      m.menus.length > 0 &&
      m.details.rating.numberOfRatings > 6 &&
      m.location.phone,
  )
  await page.goto(at('skyharbor', `/merchants/${merchant.id}`))
  const menu = page.getByRole('link', { name: 'See the full menu' })
  await expect(menu).toHaveAttribute('href', merchant.menuUrl)
  await expect(menu).toHaveAttribute('target', '_blank')
  const pictures = page.getByRole('list', { name: 'Menu photos' }).getByRole('button')
  await expect(pictures).toHaveCount(merchant.menus.length)
  await pictures.first().click()
  const large = page.getByRole('dialog').getByRole('img')
  await expect(large).toBeVisible()
  expect(await large.evaluate((image: HTMLImageElement) => image.naturalWidth)).toBe(600)
  await page.keyboard.press('Escape')
  await expect(page.getByRole('link', { name: /^Call/ })).toHaveAttribute('href', /^tel:\+1\d{10}$/)
  await expect(page.getByRole('link', { name: 'Directions' })).toHaveAttribute(
    'href',
    new RegExp(`to=${merchant.location.latitude},${merchant.location.longitude}`),
  )
  await expect(page.getByText(merchant.events[0].title)).toBeVisible()
  const reviews = page.locator('section', { has: page.getByRole('heading', { name: 'Reviews' }) })
  const first = await reviews.getByRole('listitem').first().textContent()
  // A page that cannot be loaded says so, and leaves the choice of another one.
  await page.route('**/Reviews?*', (route) => route.fulfill({ status: 404, json: {} }))
  await reviews.getByRole('button', { name: 'Next' }).click()
  await expect(reviews.getByRole('alert')).toContainText('Check your connection and try again.')
  await expect(reviews.getByText('No reviews yet.')).toHaveCount(0)
  await expect(reviews.getByText(/^Page 2 of/)).toBeVisible()
  await page.unrouteAll()
  await reviews.getByRole('button', { name: 'Try again' }).click()
  await expect(reviews.getByRole('listitem').first()).not.toHaveText(first ?? '')
  await expect(reviews.getByRole('heading', { name: 'Reviews' })).toBeFocused()
})

test('hours are in the restaurant’s time zone and say whether it is open', async ({ browser }) => {
  const context = await browser.newContext({ timezoneId: 'Asia/Tokyo', serviceWorkers: 'block', locale: 'en-US' })
  const page = await context.newPage()
  await page.goto(at('lantern', '/search?location=10001'))
  const merchant = await findMerchant(page, near, (m) => m.hours?.['5']?.length > 0)
  const [from, to] = merchant.hours['5'][0]
  const text = (clock: string) => {
    const [hour, minute] = clock.split(':').map(Number) as [number, number]
    return `${hour % 12 || 12}${minute ? `:${clock.slice(3)}` : ''} ${hour % 24 < 12 ? 'AM' : 'PM'}`
  }
  const [hour, minute] = from.split(':').map(Number)
  // One hour after opening on Friday, November 20, 2026; New York is five hours behind UTC.
  await page.clock.setFixedTime(new Date(Date.UTC(2026, 10, 20, hour + 6, minute)))
  await page.goto(at('lantern', `/merchants/${merchant.id}`))
  await expect(page.getByText(`Open now, until ${text(to)}`).first()).toBeVisible()
  await expect(page.getByText('All times are local to the restaurant (Eastern Time).')).toBeVisible()
  await context.close()
})

test('MERCH-003 ROUTE-007 online ordering opens a dialog with its own address', async ({ page }) => {
  await openOrigin(page, 'skyharbor')
  const merchant = await findMerchant(page, near, (m) => m.ordering.length > 0)
  const address = at('skyharbor', `/merchants/${merchant.id}`)
  expect((await page.goto(`${address}/order-online`))?.status()).toBe(200)
  const dialog = page.getByRole('dialog', { name: 'Order online' })
  await expect(dialog.getByRole('link', { name: merchant.ordering[0].name })).toHaveAttribute(
    'href',
    merchant.ordering[0].url,
  )
  await page.keyboard.press('Escape')
  await expect(page).toHaveURL(address)
  await page.getByRole('link', { name: 'Order online' }).click()
  await expect(page).toHaveURL(`${address}/order-online`)
  await expect(dialog).toBeVisible()
  await page.keyboard.press('Escape')
  await expect(page).toHaveURL(address)
  // Back leads to the page before the dialog, not into it.
  await page.goBack()
  await expect(page).toHaveURL(address)
  await expect(dialog).toHaveCount(0)
})

test('MERCH-008 CARDM-003 CARDM-004 highlights are labels, where the program has them', async ({ page }) => {
  await openOrigin(page, 'skyharbor')
  const label = async (fits: Parameters<typeof findMerchant>[2], text: string, partner = 'skyharbor') => {
    const merchant = await findMerchant(page, near, fits)
    await page.goto(at(partner, `/merchants/${merchant.id}`))
    await expect(page.locator('article').getByText(text, { exact: true }).first()).toBeVisible()
    return merchant
  }
  await label((m) => m.details.highlight.new, 'New')
  await label((m) => m.details.highlight.comingSoon, 'Coming soon')
  await label((m) => m.details.highlight.leavingSoon, 'Limited time')
  await label((m) => m.ordering.length > 0 && m.features.length > 1, 'Online ordering available')
  await expect(page.getByRole('link', { name: 'Order online' })).toBeVisible()
  const none = await findMerchant(page, near, (m) => m.ordering.length === 0)
  await page.goto(at('skyharbor', `/merchants/${none.id}`))
  await expect(page.locator('article').getByText(/^Online ordering/)).toHaveCount(0)
  const acclaimed = await label((m) => m.acclaimedLevel > 0 || m.details.highlight.acclaimed, 'Acclaimed')
  await page.goto(at('gallonaire', `/merchants/${acclaimed.id}`))
  await expect(page.getByRole('heading', { level: 1 })).toHaveText(acclaimed.name)
  await expect(page.getByText('Acclaimed', { exact: true })).toHaveCount(0)
})

test('MERCH-012 ERR-017 ERR-020 an unknown restaurant has its own page with status 404', async ({ page }) => {
  expect((await page.goto(at('orchard', '/merchants/no-such-place')))?.status()).toBe(404)
  await expect(page.getByRole('heading', { name: 'We could not find this restaurant' })).toBeVisible()
  await page.getByRole('link', { name: 'Search restaurants' }).click()
  await expect(page).toHaveURL(/\/search/)
})

test('MERCH-016 ROUTE-043 the page has structured data and a social image', async ({ page }) => {
  await openOrigin(page, 'skyharbor')
  const merchant = await findMerchant(page, near, (m) => m.hours && m.details.rating.numberOfRatings > 0)
  await page.goto(at('skyharbor', `/merchants/${merchant.id}`))
  const described = page.locator('article > script[type="application/ld+json"]')
  const data = JSON.parse((await described.textContent()) ?? '')
  expect(data).toMatchObject({ '@type': 'Restaurant', name: merchant.name, servesCuisine: merchant.details.cuisines })
  expect(data.address.addressLocality).toBe(merchant.location.address.city)
  const image = await page.locator('meta[property="og:image"]').getAttribute('content')
  const type = await page.evaluate(async (address) => (await fetch(address)).headers.get('content-type'), image ?? '')
  expect(type).toBe('image/png')
})

test('A11Y-009 CARDM-001 CARDM-002 CARDM-005 CARDM-006 CARDM-007 CONST-015 CARDM-008 CARDM-009 CARDM-010 CARDM-012 CARDM-018 a card shows name, cuisine, rating, distance and rate', async ({
  page,
}) => {
  await page.goto(at('skyharbor', '/search?location=10001'))
  const { merchants } = await callApi(page, '/api/v2/Merchants/Search?location=10001')
  for (const [index, merchant] of merchants.slice(0, 5).entries()) {
    const card = page.locator('main article').nth(index)
    await expect(card.getByRole('link', { name: merchant.name, exact: true })).toHaveAttribute(
      'href',
      `/merchants/${merchant.id}`,
    )
    await expect(card.locator('img')).toHaveAttribute('src', `/art/${merchant.id}?w=500&r=1.4`)
    await expect(card.locator('img')).toHaveAttribute('srcset', /w=200&r=1.4 200w.*w=500&r=1.4 500w.*w=600&r=1.4 600w/)
    const { rating, priceRange, cuisines } = merchant.details
    if (rating.numberOfRatings > 0) {
      await expect(card).toContainText(`${rating.overallRating.toFixed(1)}`)
      await expect(card).toContainText(`(${rating.numberOfRatings})`)
      await expect(card.getByText(/out of 5/)).toBeAttached()
    }
    if (priceRange > 0) {
      await expect(card.getByRole('meter')).toHaveJSProperty('value', priceRange)
      await expect(card.getByRole('meter')).toHaveAccessibleName(/./)
    }
    await expect(card).toContainText(cuisines.join('/'))
    const { neighborhood, address } = merchant.location
    const place = neighborhood && neighborhood !== address.city ? `${neighborhood}, ${address.city}` : address.city
    await expect(card).toContainText(place)
    await expect(card).toContainText(`${merchant.distance.toFixed(1)} mi`)
    await expect(card.getByRole('link', { name: 'Sign in to see offers' })).toHaveAttribute(
      'href',
      /^\/login\?returnTo=%2Fsearch/,
    )
  }
  await page.goto(at('beacon', '/search?location=10001'))
  await expect(
    page.locator('main article').first().getByRole('link', { name: 'Sign in to see offers' }),
  ).toHaveAttribute('href', /^\/Login\?returnTo=%2Fsearch/)
  await page.goto(at('lantern', '/search?location=10001'))
  await expect(page.locator('main article').first()).toContainText('Earn up to 3% rewards')
})

test('CARDM-011 CARDM-013 MERCH-013 API-026 a member sees the own rate, and personal offers where the program has them', async ({
  page,
}) => {
  const flexCalls: string[] = []
  page.on('request', (request) => {
    if (request.url().includes('/flex-offers/')) flexCalls.push(request.url())
  })
  await joinViaApi(page, 'skyharbor')
  await page.goto(at('skyharbor', '/search?location=10001'))
  await expect(page.locator('main article').first()).toContainText(/Earn \d/)
  const bookable = await findMerchant(page, near, (m) => m.reservationProviders.length > 0)
  await page.goto(
    at(
      'skyharbor',
      `/search?location=10001&reservations=true&restaurantOrCuisine=${encodeURIComponent(bookable.name)}`,
    ),
  )
  await expect(page.locator('main article').first()).toContainText('500 miles when you reserve')
  await page.goto(at('skyharbor', `/merchants/${bookable.id}`))
  await expect(page.getByText(/You earn \d.* when you pay with a linked card/)).toBeVisible()
  expect(flexCalls).toEqual([])
  await joinViaApi(page, 'orchard')
  const { offers } = await callApi(page, '/api/Member/FlexOffers')
  expect(offers.length).toBeGreaterThan(0)
  const [offer] = offers
  expect(offer.webMessageOfferAmount).toMatch(/^\+\d/)
  const { publicId } = await callApi(page, '/api/Member')
  expect(await callApi(page, `/api/merchants/${offer.merchantId}/flex-offers/members/${publicId}`)).toMatchObject({
    webMessageOfferAmount: offer.webMessageOfferAmount,
  })
  await page.goto(at('orchard', `/merchants/${offer.merchantId}`))
  const amount = offer.webMessageOfferAmount.slice(1)
  await expect(page.getByText(`Your personal offer of ${amount} is included.`)).toBeVisible()
  expect(flexCalls.length).toBeGreaterThan(0)
})

test('CARDM-014 CARDM-015 MERCH-014 a member who has not unlocked a restaurant sees how to, and earns nothing there yet', async ({
  page,
}) => {
  await joinViaApi(page, 'orchard')
  const { tierLevel } = await callApi(page, '/api/Member')
  const needs = (m: { acclaimedLevel: number }) => m.acclaimedLevel === 2
  const merchant = await findMerchant(page, `${near}&acclaimed=true`, needs)
  expect(['OptedOut', 'OptedIn']).toContain(tierLevel)
  await page.goto(
    at(
      'orchard',
      `/search?location=10001&radius=50&acclaimed=true&restaurantOrCuisine=${encodeURIComponent(merchant.name)}`,
    ),
  )
  await page.locator(`[data-merchant="${merchant.id}"]`).getByRole('button', { name: 'Unlock access to earn' }).click()
  const dialog = page.getByRole('dialog', { name: 'Unlock this restaurant' })
  await expect(dialog.getByRole('link', { name: 'Become a VIP' })).toHaveAttribute('href', '/earn/vip-upgrade')
  // By dines or by dollars: the linked page explains which.
  await expect(dialog).toContainText('rewards VIP members. See what it takes to become one.')
  await expectAccessible(page)
  await page.goto(at('orchard', `/merchants/${merchant.id}`))
  await expect(page.getByText(`${merchant.name} rewards VIP members.`).first()).toBeVisible()
  await expect(page.getByText('A bill of $60.00 earns nothing.')).toBeVisible()
})

test('CARDM-014 CARDM-016 PART-040 where the profile has no email setting, the unlock link leads to a page that has it, and the rate follows', async ({
  page,
}) => {
  await joinViaApi(page, 'orchard')
  expect((await callApi(page, '/api/Member')).tierLevel).toBe('OptedOut')
  const merchant = await findMerchant(page, `${near}&acclaimed=true`, (m) => m.acclaimedLevel === 1)
  await page.goto(at('orchard', `/merchants/${merchant.id}`))
  await page.getByRole('button', { name: 'Unlock access to earn' }).first().click()
  await page.getByRole('dialog').getByRole('link', { name: 'Opt in to emails' }).click()
  await expect(page).toHaveURL(at('orchard', '/account/privacy'))
  await page.getByRole('checkbox', { name: 'Offers by email' }).click()
  await expect.poll(async () => (await callApi(page, '/api/Member')).tierLevel).toBe('OptedIn')
  await page.goto(at('orchard', '/account/overview'))
  await expect(page.getByText('You earn 3 points per dollar at participating restaurants.')).toBeVisible()
})

for (const partner of ['skyharbor', 'gallonaire', 'beacon', 'orchard', 'lantern']) {
  test(`A11Y-001 the page of a restaurant of ${partner} has no axe violation on large and small screens`, async ({
    page,
  }) => {
    await openOrigin(page, partner)
    const merchant = await findMerchant(page, near, (m) => m.ordering.length > 0 && m.reservationProviders.length > 0)
    for (const width of [375, 1280]) {
      await page.setViewportSize({ width, height: 800 })
      await page.goto(at(partner, `/merchants/${merchant.id}`))
      if (partner !== 'lantern') await expect(page.getByLabel('Party size')).toBeVisible()
      await expectAccessible(page)
      expect(await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)).toBeLessThanOrEqual(0)
    }
  })
}

test('BON-014 CARDM-013 a restaurant with campaign codes says "Bonus offers" on its card', async ({ page }) => {
  await page.goto(at('lantern', '/search?location=10001'))
  const { merchants } = await callApi(page, '/api/v2/Merchants/Search?location=10001&pageSize=50')
  type Found = { name: string; benefitAvailability: { campaignCodes: string[] } }
  const [campaign] = merchants.filter(({ benefitAvailability }: Found) => benefitAvailability.campaignCodes.length > 0)
  const [plain] = merchants.filter(({ benefitAvailability }: Found) => benefitAvailability.campaignCodes.length === 0)
  for (const [merchant, count] of [
    [campaign, 1],
    [plain, 0],
  ]) {
    await page.goto(at('lantern', `/search?location=10001&restaurantOrCuisine=${encodeURIComponent(merchant.name)}`))
    const card = page.getByRole('article').filter({ has: page.locator(`a[href="/merchants/${merchant.id}"]`) })
    await expect(card).toBeVisible()
    await expect(card.getByText('Bonus offers')).toHaveCount(count)
  }
})
