import { within } from '@testing-library/dom'
import { beforeAll, describe, expect, test, vi } from 'vitest'
import { asOwner, withoutBotCheck } from '../support/app.ts'
import { linkCard, newMember, type TestMember } from '../support/members.ts'
import { type OpenPage, openPage, type StubResponse, setUpPages } from '../support/page-dom.ts'

const app = setUpPages()
beforeAll(() => withoutBotCheck('gallonaire', app))

const cardsPage = '/account/manage_cards'

/** Creates a member with a linked card. */
async function cardHolder(partner: string): Promise<TestMember & { lastFour: string }> {
  const holder = await newMember(app, partner)
  const { number } = await linkCard(app, holder)
  return { ...holder, lastFour: number.slice(-4) }
}

/** Inserts the given number of cards for a member, like the first one, each with its own brand. */
const insertCards = ({ publicId }: TestMember, count: number) =>
  asOwner(
    app,
    `insert into cards (partner_id, public_id, member_id, token, fingerprint, card_type, description, last_four, expires, linked_at)
     select c.partner_id, gen_random_uuid(), c.member_id, gen_random_uuid(), gen_random_uuid(),
       (array['AMEX', 'MAST', 'DISC', 'VISA'])[1 + n % 4], (array['Amex', 'Mastercard', 'Discover', 'Visa'])[1 + n % 4],
       lpad((7000 + n)::text, 4, '0'), '2034-03', now() - interval '3 days'
     from generate_series(0, $2::int - 1) n,
       (select * from cards where member_id = (select id from members where public_id = $1) order by id limit 1) c`,
    [publicId, count],
  )

const loadPartnerCards = async ({ visitor }: TestMember) => {
  expect((await visitor.change('POST', '/api/staging/partner-cards')).status).toBe(200)
}

const linkButton = ({ screen }: OpenPage) => screen.queryByRole('button', { name: 'Link card' })
const itemsWith = ({ screen }: OpenPage, text: string) =>
  screen.queryAllByRole('listitem').filter(({ textContent }) => textContent?.includes(text))

/** Checks partner-loaded cards and the consent, and submits the form. */
async function linkPartnerCards({ screen, user }: OpenPage, ...cards: RegExp[]): Promise<void> {
  for (const card of cards) await user.click(await screen.findByLabelText(card))
  await user.click(screen.getByLabelText(/I link this card/))
  await user.click(screen.getByRole('button', { name: 'Link card' }))
}

test('a card shows when it begins to earn, and a warning before and after it expires', async () => {
  const { visitor, publicId } = await cardHolder('skyharbor')
  const soon = new Date(Date.now() + 20 * 86_400_000).toISOString().slice(0, 7)
  const ofMember = 'where member_id = (select id from members where public_id = $1)'
  await asOwner(app, `update cards set expires = $2, linked_at = linked_at + interval '2 days' ${ofMember}`, [
    publicId,
    soon,
  ])
  const page = await openPage(app, 'skyharbor', cardsPage, { visitor })
  const [{ earnsFrom }] = (await visitor.get('/api/Member/Cards')).json()
  const moment = new Date(earnsFrom).toLocaleString('en-US', { dateStyle: 'medium', timeStyle: 'short' })
  // Queries compare text with single plain spaces.
  await page.screen.findByText(`Earns from ${moment.replace(/\s/g, ' ')}`)
  await page.screen.findByText(/^Expires at the end of .* When your new card arrives, link it/)
  await asOwner(app, `update cards set expires = '2024-02' ${ofMember}`, [publicId])
  const later = await page.goto(cardsPage)
  await later.screen.findByText('Expired at the end of February 2024. Link the card that replaces it.')
})

test('LINK-005 ERR-012 with eleven cards the form shows, with twelve a message', async () => {
  const holder = await cardHolder('gallonaire')
  await insertCards(holder, 10)
  const page = await openPage(app, 'gallonaire', cardsPage, holder)
  expect(await page.screen.findByRole('heading', { name: 'Link another card' })).toBeVisible()
  expect(linkButton(page)).toBeVisible()
  await insertCards(holder, 1)
  const later = await page.goto(cardsPage)
  expect(await later.screen.findByText(/^You’ve linked 12 cards, the most allowed\./)).toBeVisible()
  expect(linkButton(later)).toBeNull()
})

describe('cards that the partner has loaded', () => {
  test('LINK-007 LINK-010 LINK-011 LINK-013 LINK-014 LINK-036 LINK-039 ERR-011 can be selected and linked, are listed, and are not offered again', async () => {
    const holder = await newMember(app, 'gallonaire')
    await loadPartnerCards(holder)
    const held = Promise.withResolvers<undefined>()
    const page = await openPage(app, 'gallonaire', '/add_card', {
      visitor: holder.visitor,
      responder: ({ path }) => (path === '/api/Cards/AllPartnerCards' ? held.promise : undefined),
    })
    const { screen, user } = page
    const waiting = await screen.findByText('Do not refresh, loading partner cards')
    expect(waiting).toBeVisible()
    // A screen reader announces nothing within a busy region.
    expect(waiting.closest('[aria-busy="true"]')).toBeNull()
    held.resolve(undefined)
    const group = async () => within(await screen.findByRole('group', { name: 'Cards you have with Gallonaire' }))
    expect((await group()).getAllByRole('checkbox')).toHaveLength(3)
    await linkPartnerCards(page, /Everyday/, /Travel/)
    await vi.waitFor(() => expect(page.address).toBe('/card_added'), 20_000)
    expect(await screen.findByText(/^Your cards ending in \d{4} and \d{4} are linked\./)).toBeVisible()
    await user.click(await screen.findByRole('link', { name: 'Go to your account' }))
    // The menu of the header has the same link.
    const tabs = within(await screen.findByRole('navigation', { name: 'Account' }))
    await user.click(tabs.getByRole('link', { name: 'Linked Cards' }))
    expect(await screen.findByText(/Everyday Amex/)).toBeVisible()
    expect((await group()).getAllByRole('checkbox')).toHaveLength(1)
    await linkPartnerCards(page, /Family/)
    const outcome = await screen.findByText(/^Your card ending in \d{4} is linked\.$/)
    expect(outcome).toBeVisible()
    await vi.waitFor(() => {
      expect(screen.queryByRole('group', { name: 'Cards you have with Gallonaire' })).toBeNull()
      expect(itemsWith(page, 'Family')).toHaveLength(1)
      expect(document.activeElement).toHaveTextContent('is linked.')
    }, 20_000)
    expect(document.activeElement).toContainElement(outcome)
    // The next card requires the member's consent again.
    expect(screen.getByLabelText(/I link this card/)).not.toBeChecked()
    expect(page.calls('GET /api/Cards/AllPartnerCards')).toHaveLength(1)
  })

  test('LINK-013 LINK-014 show the result of linking also when they use the last places', async () => {
    const holder = await cardHolder('gallonaire')
    await loadPartnerCards(holder)
    await insertCards(holder, 9)
    const page = await openPage(app, 'gallonaire', cardsPage, holder)
    await linkPartnerCards(page, /Everyday/, /Travel/)
    expect(await page.screen.findByText(/You’ve linked 12 cards/)).toBeVisible()
    expect(await page.screen.findByText('Your 2 cards are linked.')).toBeVisible()
    expect(await page.screen.findByText(/Everyday.* ending in \d{4} is linked\.$/)).toBeVisible()
    expect(await page.screen.findByText(/Travel.* ending in \d{4} is linked\.$/)).toBeVisible()
    expect(linkButton(page)).toBeNull()
  })
})

test('a complete card that is then made invalid is not linked, and the error says what is wrong', async () => {
  const { visitor } = await newMember(app, 'skyharbor')
  const page = await openPage(app, 'skyharbor', '/add_card', { visitor })
  const { user, screen } = page
  const frame = await screen.findByTitle<HTMLIFrameElement>('Your card')
  // This DOM loads no frames.
  const source = { postMessage() {} }
  Object.defineProperty(frame, 'contentWindow', { value: source })
  const { origin } = new URL(frame.src)
  const send = (message: object) =>
    window.dispatchEvent(Object.assign(new Event('message'), { origin, source, data: JSON.stringify(message) }))
  const untilDisabled = (isDisabled: boolean) =>
    vi.waitFor(() => expect(linkButton(page)).toHaveAttribute('aria-disabled', String(isDisabled)), 20_000)
  send({ type: 'dineback-frame', state: 'ready' })
  await user.click(screen.getByLabelText(/I link this card/))
  for (const [wrong, text] of [
    ['number', 'Check the card number.'],
    ['expiry', 'Check the month and year on your card.'],
  ]) {
    send({ type: 'dineback-card', encryptedCardNumber: 'x'.repeat(60), lastFour: '4242', cardType: 'VISA' })
    await untilDisabled(false)
    send({ type: 'dineback-frame', state: 'invalid', wrong })
    await untilDisabled(true)
    await user.click(screen.getByRole('button', { name: 'Link card' }))
    expect(await screen.findByText(text as string)).toBeVisible()
  }
  expect(page.calls('POST /api/Member/Cards')).toEqual([])
})

describe('errors', () => {
  test('LINK-010 LINK-037 API-030 ERR-005 a failure shows an error; a member who was signed out signs in and returns', async () => {
    const holder = await newMember(app, 'gallonaire')
    await loadPartnerCards(holder)
    let status = 500
    const page = await openPage(app, 'gallonaire', '/add_card', {
      visitor: holder.visitor,
      responder: ({ method, path }): StubResponse | undefined =>
        method === 'POST' && path === '/api/Member/Cards' ? { status, body: '' } : undefined,
    })
    const { screen, user } = page
    await linkPartnerCards(page, /Everyday/)
    await screen.findByText('Something went wrong. Please try again in a moment.', {
      selector: '[role="alert"] *',
    })
    await vi.waitFor(() => expect(linkButton(page)).not.toHaveAttribute('aria-disabled', 'true'), 20_000)
    expect(linkButton(page)).toBeEnabled()
    status = 401
    // The sign-in page redirects a member who is still signed in.
    holder.visitor.cookies.clear()
    await user.click(screen.getByRole('button', { name: 'Link card' }))
    expect((await page.follow()).address).toBe('/login?returnTo=%2Fadd_card')
  })

  test('LINK-018 LINK-020 a deletion that fails shows an error; a member who was signed out is led to sign in', async () => {
    const { visitor, lastFour } = await cardHolder('skyharbor')
    let status = 500
    const page = await openPage(app, 'skyharbor', cardsPage, {
      visitor,
      responder: ({ path }): StubResponse | undefined =>
        path.startsWith('/api/Member/Cards?id=') ? { status, body: { code: 'x', title: 'x' } } : undefined,
    })
    const remove = async () => {
      await page.user.click(await page.screen.findByRole('button', { name: /^Delete and close account/ }))
      const dialog = within(await page.screen.findByRole('dialog'))
      await page.user.click(dialog.getByRole('button', { name: 'Delete and close account' }))
    }
    await remove()
    expect(
      await page.screen.findByText(`Your card ending in ${lastFour} can not be deleted, please try again later.`),
    ).toBeVisible()
    expect(page.screen.queryByRole('dialog')).toBeNull()
    status = 401
    // The sign-in page redirects a member who is still signed in.
    visitor.cookies.clear()
    await remove()
    expect((await page.follow()).address).toBe('/login?returnTo=%2Faccount%2Fmanage_cards')
  })
})

describe('one of several cards', () => {
  test('that an operator may not delete has the reason of the server', async () => {
    const { visitor } = await cardHolder('skyharbor')
    const title = 'You see this account as its member does, and cannot change it.'
    const responder = ({ path }: { path: string }): StubResponse | undefined =>
      path.startsWith('/api/Member/Cards?id=')
        ? { status: 403, body: { type: 'urn:dineback:readOnly', title, status: 403, code: 'readOnly', reference: 'r' } }
        : undefined
    const { screen, user } = await openPage(app, 'skyharbor', cardsPage, { visitor, responder })
    await user.click(await screen.findByRole('button', { name: /^Delete and close account/ }))
    const dialog = within(await screen.findByRole('dialog'))
    await user.click(dialog.getByRole('button', { name: 'Delete and close account' }))
    expect(await screen.findByText(title)).toBeVisible()
    expect(screen.queryByText(/can not be deleted/)).toBeNull()
  })

  test('that is deleted while the member goes on elsewhere leaves the focus there', async () => {
    const holder = await cardHolder('gallonaire')
    await insertCards(holder, 1)
    const deleted = Promise.withResolvers<undefined>()
    const page = await openPage(app, 'gallonaire', cardsPage, {
      ...holder,
      responder: ({ method }) => (method === 'DELETE' ? deleted.promise : undefined),
    })
    const { screen, user } = page
    await user.click(await screen.findByRole('button', { name: 'Delete ending in 7000' }))
    await user.click(within(await screen.findByRole('dialog')).getByRole('button', { name: 'Delete' }))
    await screen.findByText('Deleting...')
    const link = within(screen.getByRole('navigation', { name: 'Account' })).getByRole('link', { name: 'Profile' })
    link.focus()
    deleted.resolve(undefined)
    expect(await screen.findByText('Your card ending in 7000 has been deleted.')).toBeVisible()
    await vi.waitFor(() => expect(itemsWith(page, 'ending in 7000')).toHaveLength(0), 20_000)
    expect(link).toHaveFocus()
  })

  test('that is deleted leaves the focus on the heading of the list, and one that became the last is not deleted unasked', async () => {
    const holder = await cardHolder('gallonaire')
    await insertCards(holder, 2)
    const page = await openPage(app, 'gallonaire', cardsPage, holder)
    const { screen, user } = page
    const press = async (button: HTMLElement) => {
      button.focus()
      await user.keyboard('{Enter}')
    }
    await press(await screen.findByRole('button', { name: 'Delete ending in 7000' }))
    await press(within(await screen.findByRole('dialog')).getByRole('button', { name: /^Delete/ }))
    expect(await screen.findByText('Your card ending in 7000 has been deleted.')).toBeVisible()
    await vi.waitFor(() => expect(itemsWith(page, 'ending in 7000')).toHaveLength(0), 20_000)
    const heading = screen.getByRole('heading', { level: 2, name: 'Linked Cards' })
    await vi.waitFor(() => expect(heading).toHaveFocus(), 20_000)

    // Another window deletes a card while the dialog here does not say that the account will be closed.
    await user.click(screen.getByRole('button', { name: 'Delete ending in 7001' }))
    const cards = (await holder.visitor.get('/api/Member/Cards')).json()
    const other = cards.find(({ lastFour }: { lastFour: string }) => lastFour === holder.lastFour)
    const deleted = await holder.visitor.change('DELETE', `/api/Member/Cards?id=${other.id}`)
    expect(deleted.status).toBe(200)
    await user.click(within(await screen.findByRole('dialog')).getByRole('button', { name: 'Delete' }))
    expect(await screen.findByText(/^Your cards have changed in another window\./)).toBeVisible()
    expect(await screen.findByRole('button', { name: 'Delete and close account ending in 7001' })).toBeVisible()
  })
})
