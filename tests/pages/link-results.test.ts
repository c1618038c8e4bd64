import { within } from '@testing-library/dom'
import { beforeAll, expect, test, vi } from 'vitest'
import { withoutBotCheck } from '../support/app.ts'
import { linkCard, newMember, type TestMember } from '../support/members.ts'
import { type OpenPage, openPage, type Responder, setUpPages } from '../support/page-dom.ts'

// The frame of the vault and the responses about cards are replaced: only what the page makes of them is tested.

const app = setUpPages()
beforeAll(() => withoutBotCheck('gallonaire', app))

const cardsPage = '/account/manage_cards'

interface PartnerCard {
  description: string
  lastFour: string
}

/** Creates a member with a linked card and three that the partner has loaded. */
async function holderOfPartnerCards() {
  const member = await newMember(app, 'gallonaire')
  const { number } = await linkCard(app, member)
  expect((await member.visitor.change('POST', '/api/staging/partner-cards')).status).toBe(200)
  const cards: PartnerCard[] = (await member.visitor.get('/api/Cards/AllPartnerCards')).json()
  const find = (name: string) => cards.find(({ description }) => description.includes(name)) as PartnerCard
  return { member, number, everyday: find('Everyday'), travel: find('Travel'), family: find('Family') }
}

const registered = ({ description, lastFour }: PartnerCard, code?: string) => ({
  memberCard: { id: `card-${lastFour}`, cardType: 'amex', description, lastFour, partnerCardId: `partner-${lastFour}` },
  ...(code && { error: { code, message: `Reason ${code}` } }),
})

const linking = ({ method, path }: { method: string; path: string }) =>
  method === 'POST' && path === '/api/Member/Cards'

const lastFourOf = ({ body }: { body: { creditCards: PartnerCard[] } }) =>
  body.creditCards.map(({ lastFour }) => lastFour)

/** Replaces the vault's frame; returns the function that sends its messages, and the messages to it. */
async function replaceFrame({ screen }: OpenPage) {
  const frame = await screen.findByTitle<HTMLIFrameElement>('Your card')
  const received: unknown[][] = []
  const source = { postMessage: (...given: unknown[]) => received.push(given) }
  Object.defineProperty(frame, 'contentWindow', { value: source, configurable: true })
  const { origin } = new URL(frame.src)
  const send = (message: object) =>
    window.dispatchEvent(Object.assign(new Event('message'), { origin, source, data: JSON.stringify(message) }))
  return { frame, origin, received, send }
}

const typed = { type: 'dineback-card', encryptedCardNumber: 'x'.repeat(60), lastFour: '4242', cardType: 'VISA' }

const submit = async ({ screen, user }: OpenPage) => {
  await user.click(screen.getByLabelText(/I link this card/))
  await user.click(screen.getByRole('button', { name: 'Link card' }))
}

test('when one of two cards was linked, the cards are requested again and nothing stays chosen', async () => {
  const { member, everyday, travel } = await holderOfPartnerCards()
  const responder: Responder = (request) =>
    linking(request)
      ? { body: { cardRegistration: [registered(everyday), registered(travel, 'DECLINED')] } }
      : undefined
  const page = await openPage(app, 'gallonaire', cardsPage, { visitor: member.visitor, responder })
  const { screen, user } = page
  const checkbox = (name: RegExp) => screen.findByRole('checkbox', { name })
  for (const name of [/Everyday/, /Travel/, /Family/, /Family/]) await user.click(await checkbox(name))
  const listed = () =>
    ['GET /api/Member/Cards', 'GET /api/Member/Cards/Moves', 'GET /api/Member'].map((call) => page.calls(call).length)
  const before = listed()
  await submit(page)
  expect(await screen.findByText('Some cards could not be linked.')).toBeVisible()
  expect(page.calls('POST /api/Member/Cards').map(lastFourOf)).toEqual([[everyday.lastFour, travel.lastFour]])
  await vi.waitFor(() => expect(listed()).toEqual(before.map((count) => count + 1)), 20_000)
  expect(await checkbox(/Travel/)).not.toBeChecked()
  expect(screen.queryByRole('checkbox', { name: /Everyday/ })).toBeNull()
  expect(screen.getByRole('checkbox', { name: /I link this card/ })).not.toBeChecked()
  expect(screen.getByRole('button', { name: 'Link card' })).toHaveAttribute('aria-disabled', 'true')
})

test.each([
  { outcome: 'is requested', fails: false },
  { outcome: 'cannot be requested', fails: true },
])('the next step is offered once the member, who has a card now, $outcome', async ({ fails }) => {
  const { visitor } = await newMember(app, 'gallonaire')
  expect((await visitor.change('POST', '/api/staging/partner-cards')).status).toBe(200)
  const [first, second]: PartnerCard[] = (await visitor.get('/api/Cards/AllPartnerCards')).json()
  if (!first || !second) throw new Error('no two cards')
  const member = Promise.withResolvers<void>()
  let isLinked = false
  const responder: Responder = async (request) => {
    if (linking(request)) {
      isLinked = true
      return { body: { cardRegistration: [registered(first), registered(second, 'DECLINED')] } }
    }
    if (!isLinked || request.path !== '/api/Member') return
    await member.promise
    return fails ? { fails } : undefined
  }
  const page = await openPage(app, 'gallonaire', '/add_card', { visitor, responder })
  const { screen, user } = page
  for (const { lastFour } of [first, second])
    await user.click(await screen.findByRole('checkbox', { name: new RegExp(lastFour) }))
  await submit(page)
  // Without it the next page would lead back to this one.
  await vi.waitFor(() => expect(page.calls('GET /api/Member')).toHaveLength(1), 20_000)
  expect(screen.queryByRole('link', { name: 'Continue' })).toBeNull()
  member.resolve()
  expect(await screen.findByRole('link', { name: 'Continue' })).toBeVisible()
  expect(screen.getByText('Some cards could not be linked.')).toBeVisible()
})

test('a card that was typed hides the partner’s card of the same brand and digits, and none of another brand', async () => {
  const { member, everyday } = await holderOfPartnerCards()
  let cardType = 'visa'
  const responder: Responder = (request) => {
    if (!linking(request)) return
    const { memberCard } = registered({ description: 'Typed', lastFour: everyday.lastFour })
    return { body: { cardRegistration: [{ memberCard: { ...memberCard, cardType, partnerCardId: '' } }] } }
  }
  const page = await openPage(app, 'gallonaire', cardsPage, { visitor: member.visitor, responder })
  const { screen } = page
  expect(await screen.findByRole('checkbox', { name: /Everyday/ })).toBeVisible()
  for (const [brand, isOffered] of [
    ['visa', true],
    ['amex', false],
  ] as const) {
    cardType = brand
    const { send } = await replaceFrame(page)
    send(typed)
    await vi.waitFor(() => {
      expect(screen.getByRole('button', { name: 'Link card' })).toHaveAttribute('aria-disabled', 'false')
    }, 20_000)
    await submit(page)
    expect(await screen.findByText(`Your card ending in ${everyday.lastFour} is linked.`)).toBeVisible()
    expect([brand, screen.queryByRole('checkbox', { name: /Everyday/ }) !== null]).toEqual([brand, isOffered])
  }
})

test('a request to move one of several cards names it alone, and the results of the others stay', async () => {
  const { member, everyday, travel, family } = await holderOfPartnerCards()
  const visa = { description: 'Visa', lastFour: '4242' }
  const responder: Responder = (request) => {
    if (!linking(request)) return
    const first = [
      registered(everyday),
      registered(travel, 'LINKED_ELSEWHERE'),
      registered(family, 'DECLINED'),
      registered(visa),
    ]
    return { body: { cardRegistration: request.body.moveHere ? [registered(travel, 'MOVE_REQUESTED')] : first } }
  }
  const page = await openPage(app, 'gallonaire', '/add_card', { visitor: member.visitor, responder })
  const { screen, user } = page
  for (const name of [/Everyday/, /Travel/, /Family/]) await user.click(await screen.findByRole('checkbox', { name }))
  const { send } = await replaceFrame(page)
  send(typed)
  await submit(page)
  const dialog = within(await screen.findByRole('dialog'))
  await user.click(dialog.getByRole('button', { name: 'Ask to move it here' }))
  expect(await screen.findByText(`We have asked for your card ending in ${travel.lastFour}`)).toBeVisible()
  const texts = screen
    .getAllByRole('listitem')
    .flatMap(({ textContent }) => (/ (?:is linked\.|ending in \d{4}: )/.test(textContent) ? [textContent] : []))
  expect(texts).toEqual([
    `${everyday.description} ending in ${everyday.lastFour} is linked.`,
    'Visa ending in 4242 is linked.',
    `${family.description} ending in ${family.lastFour}: Reason DECLINED (DECLINED)`,
  ])
  const requests = page.calls('POST /api/Member/Cards')
  expect(requests.map(lastFourOf)).toEqual([
    [everyday.lastFour, travel.lastFour, family.lastFour, '4242'],
    [travel.lastFour],
  ])
  // With the key of the first request, the server would reject the second one.
  const keys = requests.map(({ headers }) => headers['idempotency-key'])
  expect(keys).toEqual([expect.stringMatching(/^[\da-f]{64}$/), expect.stringMatching(/^[\da-f]{64}$/)])
  expect(keys[0]).not.toBe(keys[1])
})

test('a form without a card makes the frame show its errors, and the frame has a height within limits', async () => {
  const { visitor } = await newMember(app, 'skyharbor')
  const page = await openPage(app, 'skyharbor', '/add_card', { visitor })
  const { frame, origin, received, send } = await replaceFrame(page)
  send({ type: 'dineback-frame', state: 'ready' })
  for (const [height, shown] of [
    [30, '80'],
    [300, '300'],
    [1999, '700'],
  ]) {
    send({ type: 'dineback-frame', state: 'height', height })
    await vi.waitFor(() => expect(frame).toHaveAttribute('height', shown), 20_000)
  }
  expect(received).toEqual([])
  for (const count of [1, 2]) {
    await page.user.click(page.screen.getByRole('button', { name: 'Link card' }))
    await vi.waitFor(() => expect(received).toHaveLength(count), 20_000)
    expect(frame).toHaveFocus()
  }
  expect(received[0]).toEqual(['dineback-check', origin])
})

test('the only card is deleted with the account, and stored for the notice of the next page', async () => {
  const member: TestMember = await newMember(app, 'skyharbor')
  const { number } = await linkCard(app, member)
  const page = await openPage(app, 'skyharbor', cardsPage, { visitor: member.visitor })
  const name = /^Delete and close account/
  await page.user.click(await page.screen.findByRole('button', { name }))
  await page.user.click(within(await page.screen.findByRole('dialog')).getByRole('button', { name }))
  await vi.waitFor(() => expect(page.left).toBe('/SignOut?reason=closed'), 20_000)
  expect(page.calls('DELETE /api/Member/Cards')[0]?.path).toMatch(/closesAccount=true/)
  // It stays out of reach until the other page is there.
  expect(page.screen.queryByRole('button', { name })).toBeNull()
  // Modules outlive the document here, so that the next one does not take it.
  expect(sessionStorage.getItem('deletedCard')).toBe(number.slice(-4))
})

test('the owner who allows a move sees that it is under way', async () => {
  const response = Promise.withResolvers<{ body: unknown }>()
  const responder: Responder = ({ path }) => (path === '/api/Cards/MoveAnswer' ? response.promise : undefined)
  const { screen, user } = await openPage(app, 'skyharbor', '/card_move#code=ABC-123', { responder })
  const keep = screen.getByRole('button', { name: 'Keep it here' })
  await user.click(screen.getByRole('button', { name: 'Move it' }))
  await vi.waitFor(() => expect(screen.queryByRole('button', { name: 'Move it' })).toBeNull(), 20_000)
  expect(keep).toHaveTextContent('Keep it here')
  response.resolve({ body: { allowed: true } })
  expect(await screen.findByText('We’re moving your card')).toBeVisible()
  expect(screen.getByText(/^We’ll email you when it’s done\./)).toBeVisible()
})
