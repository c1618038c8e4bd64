import { within } from '@testing-library/dom'
import { expect, test, vi } from 'vitest'
import { visit } from '../support/app.ts'
import { newMember } from '../support/members.ts'
import { openPage, setUpPages } from '../support/page-dom.ts'
import { findMerchant } from '../support/page-members.ts'

const app = setUpPages()

const near = 'location=10001&radius=50'

/** The cards of a page's restaurants, in order, once they are there. */
const findCards = ({ screen }: Awaited<ReturnType<typeof openPage>>) =>
  vi.waitFor(() => within(screen.getByRole('main')).getAllByRole('article'), 20_000)

async function findFirstCard(page: Awaited<ReturnType<typeof openPage>>) {
  const [first] = await findCards(page)
  return first as HTMLElement
}

test('MERCH-008 CARDM-003 CARDM-004 highlights are labels, where the program has them', async () => {
  const visitor = visit(app, 'skyharbor')
  const label = async (fits: Parameters<typeof findMerchant>[2], text: string) => {
    const merchant = await findMerchant(visitor, near, fits)
    const page = await openPage(app, 'skyharbor', `/merchants/${merchant.id}`, { visitor })
    const article = await findFirstCard(page)
    expect(within(article).getAllByText(text)[0]).toBeVisible()
    return { merchant, page }
  }
  await label((m) => m.details.highlight.new, 'New')
  await label((m) => m.details.highlight.comingSoon, 'Coming soon')
  await label((m) => m.details.highlight.leavingSoon, 'Limited time')
  const { page } = await label((m) => m.ordering.length > 0 && m.features.length > 1, 'Online ordering available')
  const { screen: ordering } = page
  expect(ordering.getByRole('link', { name: 'Order online' })).toBeVisible()
  const none = await findMerchant(visitor, near, (m) => m.ordering.length === 0)
  const without = await findFirstCard(await page.goto(`/merchants/${none.id}`))
  expect(within(without).getByRole('heading', { level: 1 })).toHaveTextContent(none.name)
  expect(within(without).queryByText(/^Online ordering/)).toBeNull()
  const { merchant: acclaimed } = await label((m) => m.acclaimedLevel > 0 || m.details.highlight.acclaimed, 'Acclaimed')
  const { screen } = await openPage(app, 'gallonaire', `/merchants/${acclaimed.id}`)
  expect((await screen.findByRole('heading', { level: 1 })).textContent).toBe(acclaimed.name)
  expect(screen.queryByText('Acclaimed')).toBeNull()
})

test('A11Y-009 CARDM-001 CARDM-002 CARDM-005 CARDM-006 CARDM-007 CONST-015 CARDM-008 CARDM-009 CARDM-010 CARDM-012 CARDM-018 a card shows name, cuisine, rating, distance and rate', async () => {
  const page = await openPage(app, 'skyharbor', '/search?location=10001')
  const { merchants } = (await page.visitor.get('/api/v2/Merchants/Search?location=10001')).json()
  const cards = await findCards(page)
  expect(cards.length).toBeGreaterThanOrEqual(5)
  for (const [index, merchant] of merchants.slice(0, 5).entries()) {
    const element = cards[index] as HTMLElement
    const card = within(element)
    expect(card.getByRole('link', { name: merchant.name })).toHaveAttribute('href', `/merchants/${merchant.id}`)
    const image = element.querySelector('img')
    expect(image).toHaveAttribute('src', `/art/${merchant.id}?w=500&r=1.4`)
    expect(image?.getAttribute('srcset')).toMatch(/w=200&r=1.4 200w.*w=500&r=1.4 500w.*w=600&r=1.4 600w/)
    const { rating, priceRange, cuisines } = merchant.details
    if (rating.numberOfRatings > 0) {
      expect(element).toHaveTextContent(rating.overallRating.toFixed(1))
      expect(element).toHaveTextContent(`(${rating.numberOfRatings})`)
      expect(card.getByText(/out of 5/)).toBeInTheDocument()
    }
    if (priceRange > 0) {
      // This DOM limits the property to 1.
      expect(card.getByRole('meter')).toHaveAttribute('value', String(priceRange))
      expect(card.getByRole('meter')).toHaveAttribute('max', '4')
      expect(card.getByRole('meter')).toHaveAccessibleName(expect.stringMatching(/./))
    }
    expect(element).toHaveTextContent(cuisines.join('/'))
    const { neighborhood, address } = merchant.location
    const place = neighborhood && neighborhood !== address.city ? `${neighborhood}, ${address.city}` : address.city
    expect(element).toHaveTextContent(place)
    expect(element).toHaveTextContent(`${merchant.distance.toFixed(1)} mi`)
    expect(card.getByRole('link', { name: 'Sign in to see offers' })).toHaveAttribute(
      'href',
      expect.stringMatching(/^\/login\?returnTo=%2Fsearch/),
    )
  }
  const bank = await findFirstCard(await openPage(app, 'beacon', '/search?location=10001'))
  expect(within(bank).getByRole('link', { name: 'Sign in to see offers' })).toHaveAttribute(
    'href',
    expect.stringMatching(/^\/Login\?returnTo=%2Fsearch/),
  )
  const browse = await findFirstCard(await openPage(app, 'lantern', '/search?location=10001'))
  expect(browse).toHaveTextContent('Earn up to 3% in rewards')
})

test('CARDM-011 CARDM-013 MERCH-013 API-026 a member sees the own rate, and personal offers where the program has them', async () => {
  const { visitor } = await newMember(app, 'skyharbor')
  const results = await openPage(app, 'skyharbor', '/search?location=10001', { visitor })
  expect((await findFirstCard(results)).textContent).toMatch(/Earn \d/)
  const flexCalls = results.requests.filter(({ path }) => /flex-?offers/i.test(path))
  const bookable = await findMerchant(visitor, near, (m) => m.reservationProviders.length > 0)
  const name = encodeURIComponent(bookable.name)
  const found = await results.goto(`/search?location=10001&reservations=true&restaurantOrCuisine=${name}`)
  expect(await findFirstCard(found)).toHaveTextContent('500 miles when you reserve')
  flexCalls.push(...found.requests.filter(({ path }) => /flex-?offers/i.test(path)))
  const page = await found.goto(`/merchants/${bookable.id}`)
  expect(await page.screen.findByText(/You earn \d.* when you pay with a linked card/)).toBeVisible()
  flexCalls.push(...page.requests.filter(({ path }) => /flex-?offers/i.test(path)))
  expect(flexCalls).toEqual([])
  const other = await newMember(app, 'orchard')
  const { offers } = (await other.visitor.get('/api/Member/FlexOffers')).json()
  expect(offers.length).toBeGreaterThan(0)
  const [offer] = offers
  expect(offer.webMessageOfferAmount).toMatch(/^\+\d/)
  const { publicId } = (await other.visitor.get('/api/Member')).json()
  const own = await other.visitor.get(`/api/merchants/${offer.merchantId}/flex-offers/members/${publicId}`)
  expect(own.json()).toMatchObject({ webMessageOfferAmount: offer.webMessageOfferAmount })
  const personal = await openPage(app, 'orchard', `/merchants/${offer.merchantId}`, { visitor: other.visitor })
  expect(
    await personal.screen.findByText(/^Your personal offer of [\d.]+ points? per dollar is included\.$/),
  ).toBeVisible()
  // A restaurant without an offer for this member is no error: it would be one in the browser's console.
  const plain = await findMerchant(
    other.visitor,
    near,
    ({ id }) => !offers.some((each: typeof offer) => each.merchantId === id),
  )
  const without = await personal.goto(`/merchants/${plain.id}`)
  expect(await without.screen.findByText(/^You earn .* with a linked card/)).toBeVisible()
  const answers = [...personal.requests, ...without.requests].filter(({ path }) => /flex-?offers/i.test(path))
  expect(answers.length).toBeGreaterThan(0)
  expect(answers.filter(({ path }) => path.includes('/flex-offers/'))).toEqual([])
})

test('CARDM-014 CARDM-015 MERCH-014 a member who has not unlocked a restaurant sees how to, and earns nothing there yet', async () => {
  const { visitor } = await newMember(app, 'orchard')
  const { tierLevel } = (await visitor.get('/api/Member')).json()
  expect(['OptedOut', 'OptedIn']).toContain(tierLevel)
  const merchant = await findMerchant(visitor, `${near}&acclaimed=true`, (m) => m.acclaimedLevel === 2)
  const name = encodeURIComponent(merchant.name)
  const search = `/search?location=10001&radius=50&acclaimed=true&restaurantOrCuisine=${name}`
  const found = await openPage(app, 'orchard', search, { visitor })
  const card = await vi.waitFor(() => {
    const element = document.querySelector<HTMLElement>(`[data-merchant="${merchant.id}"]`)
    expect(element).not.toBeNull()
    return element as HTMLElement
  }, 20_000)
  await found.user.click(within(card).getByRole('button', { name: 'Unlock access to earn' }))
  const dialog = await found.screen.findByRole('dialog', { name: 'Unlock this restaurant' })
  expect(within(dialog).getByRole('link', { name: 'Become a VIP' })).toHaveAttribute('href', '/earn/vip-upgrade')
  // By dines or by dollars: the linked page explains which.
  expect(dialog).toHaveTextContent('rewards VIP members. See what it takes to become one.')
  const page = await found.goto(`/merchants/${merchant.id}`)
  const [sentence] = await page.screen.findAllByText((text) => text.startsWith(`${merchant.name} rewards VIP members.`))
  expect(sentence).toBeVisible()
  expect(await page.screen.findByText('A bill of $60.00 earns nothing.')).toBeVisible()
})

test('CARDM-014 CARDM-016 PART-040 where the profile has no email setting, the unlock link leads to a page that has it, and the rate follows', async () => {
  const { visitor } = await newMember(app, 'orchard')
  const readTier = async () => (await visitor.get('/api/Member')).json().tierLevel
  expect(await readTier()).toBe('OptedOut')
  const merchant = await findMerchant(visitor, `${near}&acclaimed=true`, (m) => m.acclaimedLevel === 1)
  const page = await openPage(app, 'orchard', `/merchants/${merchant.id}`, { visitor })
  const { user, screen } = page
  const [unlock] = await screen.findAllByRole('button', { name: 'Unlock access to earn' })
  await user.click(unlock as HTMLElement)
  await user.click(within(await screen.findByRole('dialog')).getByRole('link', { name: 'Opt in to emails' }))
  await vi.waitFor(() => expect(page.address).toBe('/account/privacy'), 20_000)
  await user.click(await screen.findByRole('checkbox', { name: 'Offers by email' }))
  await vi.waitFor(async () => expect(await readTier()).toBe('OptedIn'), 20_000)
  const overview = await page.goto('/account/overview')
  const rate = 'You earn 3 points per dollar at participating restaurants.'
  expect(await overview.screen.findByText(rate)).toBeVisible()
})

test('BON-014 CARDM-013 a restaurant with campaign codes says "Bonus offers" on its card', async () => {
  const visitor = visit(app, 'lantern')
  const { merchants } = (await visitor.get('/api/v2/Merchants/Search?location=10001&pageSize=50')).json()
  type Found = { id: string; name: string; benefitAvailability: { campaignCodes: string[] } }
  const isCampaign = ({ benefitAvailability }: Found) => benefitAvailability.campaignCodes.length > 0
  const campaign = merchants.find((each: Found) => isCampaign(each))
  const plain = merchants.find((each: Found) => !isCampaign(each))
  for (const [merchant, count] of [
    [campaign, 1],
    [plain, 0],
  ]) {
    const search = `/search?location=10001&restaurantOrCuisine=${encodeURIComponent(merchant.name)}`
    const page = await openPage(app, 'lantern', search, { visitor })
    const hasLink = (article: HTMLElement) => article.querySelector(`a[href="/merchants/${merchant.id}"]`) !== null
    const card = await vi.waitFor(() => {
      const found = page.screen.getAllByRole('article').filter(hasLink)
      expect(found).toHaveLength(1)
      return found[0] as HTMLElement
    }, 20_000)
    expect(within(card).queryAllByText('Bonus offers')).toHaveLength(count)
  }
})
