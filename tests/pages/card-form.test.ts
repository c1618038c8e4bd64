import { within } from '@testing-library/dom'
import { beforeAll, expect, test, vi } from 'vitest'
import { asOwner, withoutBotCheck } from '../support/app.ts'
import { linkCard, newMember, type TestMember } from '../support/members.ts'
import { type OpenPage, openPage, type Responder, type StubResponse, setUpPages } from '../support/page-dom.ts'

// What is left of an attempt at the next one. The frame of the vault is replaced: this DOM loads none.

const app = setUpPages()
beforeAll(() => withoutBotCheck('gallonaire', app))

const cardsPage = '/account/manage_cards'
const linking = ({ method, path }: { method: string; path: string }) =>
  method === 'POST' && path === '/api/Member/Cards'
const linkButton = ({ screen }: OpenPage) => screen.getByRole('button', { name: 'Link card' })

/** Adds a second card to a member with one; returns the last digits of both. */
async function withTwoCards(member: TestMember): Promise<[string, string]> {
  const { number } = await linkCard(app, member)
  await asOwner(
    app,
    `insert into cards (partner_id, public_id, member_id, token, fingerprint, card_type, description, last_four, expires, linked_at)
     select partner_id, gen_random_uuid(), member_id, gen_random_uuid(), gen_random_uuid(), 'VISA', 'Visa', '7000', '2034-03',
       now() - interval '3 days'
     from cards where member_id = (select id from members where public_id = $1)`,
    [member.publicId],
  )
  return [number.slice(-4), '7000']
}

/** Replaces the vault's frame; returns the function that sends its messages. */
async function replaceFrame({ screen }: OpenPage) {
  const frame = await screen.findByTitle<HTMLIFrameElement>('Your card')
  const source = { postMessage() {} }
  Object.defineProperty(frame, 'contentWindow', { value: source, configurable: true })
  const { origin } = new URL(frame.src)
  return (message: object, over: object = {}) =>
    window.dispatchEvent(
      Object.assign(new Event('message'), { origin, source, data: JSON.stringify(message), ...over }),
    )
}

const sealed = { type: 'dineback-card', encryptedCardNumber: 'x'.repeat(60), lastFour: '4242', cardType: 'VISA' }

const expectDisabled = (page: OpenPage, isDisabled: boolean) =>
  vi.waitFor(() => expect(linkButton(page)).toHaveAttribute('aria-disabled', String(isDisabled)), 20_000)

const problem = (status: number, code: string, title: string) => ({
  status,
  body: { type: `urn:dineback:${code}`, title, status, code, reference: 'r' },
})

const registered = (description: string, lastFour: string, code?: string) => ({
  memberCard: { id: `card-${lastFour}`, cardType: 'visa', description, lastFour, partnerCardId: '' },
  ...(code && { error: { code, message: `Reason ${code}` } }),
})

test('a sealed card is sent once, and what an attempt has shown is gone at the next one', async () => {
  const member = await newMember(app, 'gallonaire')
  const [, second] = await withTwoCards(member)
  let stub: StubResponse = { body: { cardRegistration: [registered('Visa', '4242', 'DECLINED')] } }
  const responder: Responder = (request) => (linking(request) ? stub : undefined)
  const page = await openPage(app, 'gallonaire', cardsPage, { visitor: member.visitor, responder })
  const { user, screen } = page
  const submit = async () => {
    await user.click(screen.getByLabelText(/I link this card/))
    await user.click(linkButton(page))
  }
  let send = await replaceFrame(page)
  send({ type: 'dineback-frame', state: 'ready' })
  // Only the frame may send a card.
  send(sealed, { source: window })
  send(sealed, { origin: window.location.origin })
  expect(await screen.findByRole('button', { name: 'Link card' })).toHaveAttribute('aria-disabled', 'true')
  send(sealed)
  await expectDisabled(page, false)
  // A card that is deleted in the frame is none.
  send({ type: 'dineback-frame', state: 'cleared' })
  await expectDisabled(page, true)
  send(sealed)
  await expectDisabled(page, false)
  await submit()
  const outcome = 'No card could be linked.'
  expect(await screen.findByText(outcome)).toBeVisible()
  const [reason] = screen.getAllByRole('listitem').filter((item) => /ending in 4242: /.test(item.textContent))
  expect(reason).toHaveTextContent(/^Visa ending in 4242: Reason DECLINED \(DECLINED\)$/)
  await expectDisabled(page, true)
  expect(screen.getByLabelText(/I link this card/)).not.toBeChecked()
  // Another attempt has a frame of its own.
  await vi.waitFor(() => {
    expect(page.calls('POST /api/Member/Cards/Intent').map(({ body }) => body)).toEqual([
      { attempt: 1 },
      { attempt: 2 },
    ])
  }, 20_000)
  send = await replaceFrame(page)
  send(sealed)
  await vi.waitFor(() => expect(screen.queryByText(outcome)).toBeNull(), 20_000)
  stub = { status: 500 }
  await submit()
  expect(await screen.findByText(/Something went wrong/)).toBeVisible()
  stub = { body: { cardRegistration: [registered('Visa', '4242')] } }
  await user.click(linkButton(page))
  const linked = 'Your card ending in 4242 is linked.'
  expect(await screen.findByText(linked)).toBeVisible()
  expect(screen.queryByText(/Something went wrong/)).toBeNull()
  // A repeated request has the same key, so that it links nothing twice.
  const keys = page.calls('POST /api/Member/Cards').map(({ headers }) => headers['idempotency-key'])
  expect(keys[2]).toBe(keys[1])
  // Without a confirmation nothing is deleted. A deletion removes the result of the attempt before it.
  const remove = async (choice: string) => {
    await user.click(screen.getByRole('button', { name: `Delete ending in ${second}` }))
    await user.click(within(await screen.findByRole('dialog')).getByRole('button', { name: choice }))
    await vi.waitFor(() => expect(screen.queryByRole('dialog')).toBeNull(), 20_000)
  }
  await remove('Keep card')
  expect(page.calls('DELETE /api/Member/Cards')).toEqual([])
  expect(screen.getByText(linked)).toBeVisible()
  await remove('Delete')
  await vi.waitFor(() => expect(screen.queryByText(linked)).toBeNull(), 20_000)
})

test('an attempt without anything names the card and the consent at once, and each goes when it is given', async () => {
  const { visitor } = await newMember(app, 'gallonaire')
  const page = await openPage(app, 'gallonaire', '/add_card', { visitor })
  const { user, screen } = page
  const send = await replaceFrame(page)
  send({ type: 'dineback-frame', state: 'cleared' })
  await user.click(linkButton(page))
  const consent = screen.getByLabelText(/I link this card/)
  const missing = 'Linking a card and authorizing activity monitoring is required to complete and earn rewards.'
  const banner = within(await screen.findByRole('alert'))
  expect(banner.getByText('Please check these fields:')).toBeVisible()
  expect(banner.getAllByRole('listitem').map(({ textContent }) => textContent)).toEqual([
    'Please enter your credit card number.',
    'Check the month and year on your card.',
    missing,
  ])
  expect(consent).toHaveAccessibleDescription(missing)
  await user.click(banner.getByRole('link', { name: missing }))
  expect(consent).toHaveFocus()
  await user.click(consent)
  expect(consent).not.toHaveAccessibleDescription()
  const listed = () => [...screen.getByRole('alert').querySelectorAll('li')].map(({ textContent }) => textContent)
  expect(listed()).toEqual(['Please enter your credit card number.', 'Check the month and year on your card.'])
  // What is right is no longer asked for.
  send({ type: 'dineback-frame', state: 'invalid', wrong: 'number', both: true })
  await user.click(linkButton(page))
  expect(listed()).toEqual(['Check the card number.', 'Check the month and year on your card.'])
  send({ type: 'dineback-frame', state: 'invalid', wrong: 'number' })
  await user.click(linkButton(page))
  expect(screen.getByRole('alert')).toHaveTextContent(/^ERRORCheck the card number\.$/)
  send(sealed)
  await vi.waitFor(() => expect(screen.queryByRole('alert')).toBeNull(), 20_000)
  expect(page.calls('POST /api/Member/Cards')).toEqual([])
})

test('a consent that is missing stays reported while a card is typed, and a card too many is named', async () => {
  const member = await newMember(app, 'gallonaire')
  await withTwoCards(member)
  expect((await member.visitor.change('POST', '/api/staging/partner-cards')).status).toBe(200)
  await asOwner(
    app,
    `insert into cards (partner_id, public_id, member_id, token, fingerprint, card_type, description, last_four, expires, linked_at)
     select c.partner_id, gen_random_uuid(), c.member_id, gen_random_uuid(), gen_random_uuid(), 'VISA', 'Visa',
       lpad((8000 + n)::text, 4, '0'), '2034-03', now()
     from generate_series(1, 9) n, cards c where c.member_id = (select id from members where public_id = $1)
       and c.last_four = '7000'`,
    [member.publicId],
  )
  const page = await openPage(app, 'gallonaire', cardsPage, { visitor: member.visitor })
  const { user, screen } = page
  const send = await replaceFrame(page)
  send(sealed)
  await expectDisabled(page, false)
  await user.click(linkButton(page))
  const missing = /^Linking a card and authorizing activity monitoring is required/
  expect(await screen.findByText(missing)).toBeVisible()
  expect(screen.getByLabelText(/I link this card/)).toHaveFocus()
  send({ ...sealed, lastFour: '4343' })
  send({ type: 'dineback-frame', state: 'height', height: 180 })
  await vi.waitFor(() => expect(screen.getByTitle('Your card')).toHaveAttribute('height', '180'), 20_000)
  expect(screen.getByText(missing)).toBeVisible()
  // The typed card takes the last place.
  expect(await screen.findByLabelText(/Everyday/)).toBeDisabled()
  send({ type: 'dineback-frame', state: 'cleared' })
  await vi.waitFor(() => expect(screen.getByLabelText(/Everyday/)).toBeEnabled(), 20_000)
  await user.click(screen.getByLabelText(/Everyday/))
  send(sealed)
  await expectDisabled(page, true)
  await user.click(linkButton(page))
  expect(await screen.findByText(/^You chose 2 cards, but there is room for 1\./)).toBeVisible()
  expect(page.calls('POST /api/Member/Cards')).toEqual([])
})

test.each(['Ask to move it here', 'Leave it there', 'Escape'])(
  'of several cards only the one that earns in another program is requested: %s',
  async (choice) => {
    const member = await newMember(app, 'gallonaire')
    expect((await member.visitor.change('POST', '/api/staging/partner-cards')).status).toBe(200)
    const cards: { description: string; lastFour: string }[] = (
      await member.visitor.get('/api/Cards/AllPartnerCards')
    ).json()
    const [here, there] = ['Everyday', 'Travel'].map((name) => cards.find((card) => card.description.includes(name)))
    if (!here || !there) throw new Error('no such cards')
    const sent: Record<string, unknown>[] = []
    const responder: Responder = (request) => {
      if (!linking(request)) return
      sent.push(request.body)
      const [code, first] = request.body.moveHere ? ['MOVE_REQUESTED', []] : ['LINKED_ELSEWHERE', [here]]
      const linked = first.map(({ description, lastFour }) => registered(description, lastFour))
      return { body: { cardRegistration: [...linked, registered(there.description, there.lastFour, code as string)] } }
    }
    const page = await openPage(app, 'gallonaire', '/add_card', { visitor: member.visitor, responder })
    const { user, screen } = page
    for (const name of [/Everyday/, /Travel/, /I link this card/]) await user.click(await screen.findByLabelText(name))
    await user.click(linkButton(page))
    const dialog = within(await screen.findByRole('dialog', { name: 'This card earns in another program' }))
    expect(dialog.getAllByText(/is linked in another dining program/)).toHaveLength(1)
    if (choice === 'Escape') await user.keyboard('{Escape}')
    else await user.click(dialog.getByRole('button', { name: choice }))
    const isRequested = choice === 'Ask to move it here'
    const result = isRequested
      ? `We have asked for your card ending in ${there.lastFour}`
      : `${there.description} ending in ${there.lastFour}: Reason LINKED_ELSEWHERE (LINKED_ELSEWHERE)`
    expect(await screen.findByText(result)).toBeVisible()
    const linked = isRequested ? `Your card ending in ${here.lastFour} is linked.` : /^Everyday .* is linked\.$/
    expect(screen.getByText(linked)).toBeVisible()
    expect(screen.queryByRole('dialog')).toBeNull()
    const again = { moveHere: true, creditCards: [expect.objectContaining({ lastFour: there.lastFour })] }
    expect(sent.slice(1)).toEqual(isRequested ? [expect.objectContaining(again)] : [])
    expect(screen.queryByRole('link', { name: 'Continue' })).not.toBeNull()
  },
)

test('LINK-043 a card that was asked for is mentioned again after a reload, until its holder can no longer agree', async () => {
  const { visitor } = await newMember(app, 'gallonaire')
  let asked = [{ askedAt: '2026-11-20T18:30:00.000Z', until: '2026-11-27T18:30:00.000Z' }]
  const responder: Responder = ({ path }) => (path === '/api/Member/Cards/Requests' ? { body: asked } : undefined)
  const page = await openPage(app, 'gallonaire', '/add_card', { visitor, responder })
  const title = /^You asked for a card of another program on Nov 2\d, 2026/
  const { screen } = page
  expect(await screen.findByText(title)).toBeVisible()
  expect(screen.getByText(/its holder can agree until Nov 2\d, 2026/)).toBeVisible()
  asked = []
  const later = await page.goto('/add_card')
  await vi.waitFor(() => expect(later.calls('GET /api/Member/Cards/Requests')).toHaveLength(1), 20_000)
  expect(later.screen.queryByText(title)).toBeNull()
})

test('LINK-041 when the cards of the partner cannot be loaded, the form says so, and a card can be entered', async () => {
  const member = await newMember(app, 'gallonaire')
  const text = /^We couldn’t load your cards with Gallonaire\./
  const open = async (stub: StubResponse) => {
    const responder: Responder = ({ path }) => (path === '/api/Cards/AllPartnerCards' ? stub : undefined)
    const page = await openPage(app, 'gallonaire', '/add_card', { visitor: member.visitor, responder })
    const send = await replaceFrame(page)
    send(sealed)
    await expectDisabled(page, false)
    return page.screen
  }
  for (const stub of [{ status: 500 }, { fails: true }] as const)
    expect(await (await open(stub)).findByText(text)).toBeVisible()
  const screen = await open({ body: [] })
  expect([screen.getByText(/^\* Required field$/), screen.queryByText(text)]).toEqual([expect.anything(), null])
})

test('when no card can be entered, the page says why as far as it is known', async () => {
  const member = await newMember(app, 'gallonaire')
  for (const [stub, text] of [
    [problem(503, 'vaultUnavailable', 'The vault is away.'), 'The vault is away.'],
    [{ fails: true }, /^The card form didn’t load\./],
  ] as const) {
    const responder: Responder = ({ path }) => (path === '/api/Member/Cards/Intent' ? stub : undefined)
    const { screen } = await openPage(app, 'gallonaire', '/add_card', { visitor: member.visitor, responder })
    expect(await screen.findByText(text)).toBeVisible()
    expect(screen.queryByTitle('Your card')).toBeNull()
  }
})

test('a move that cannot be undone says so, and the list is requested again', async () => {
  const member = await newMember(app, 'gallonaire')
  await withTwoCards(member)
  const move = { description: 'Visa', lastFour: '4242', program: 'Orchard', undoUntil: new Date().toISOString() }
  let fails = true
  let moves = [
    { ...move, id: '00000000-0000-4000-8000-000000000001', direction: 'here' },
    { ...move, id: '00000000-0000-4000-8000-000000000002', direction: 'away' },
  ]
  const responder: Responder = ({ method, path, body }) => {
    if (!path.startsWith('/api/Member/Cards/Moves')) return
    if (method === 'GET') return { body: moves }
    if (fails) return problem(409, 'moveOver', 'Too late to move it back.')
    moves = moves.filter(({ id }) => id !== body.id)
    return { body: { undone: true } }
  }
  const page = await openPage(app, 'gallonaire', cardsPage, { visitor: member.visitor, responder })
  const { user, screen } = page
  const lists = () => page.calls('GET /api/Member/Cards/Moves').length
  const members = () => page.calls('GET /api/Member').length
  const membersBefore = members()
  await user.click(await screen.findByRole('button', { name: 'Move it back to Orchard' }))
  expect(await screen.findByText('Too late to move it back.')).toBeVisible()
  await vi.waitFor(() => expect(lists()).toBe(2), 20_000)
  fails = false
  await user.click(screen.getByRole('button', { name: 'Move it back here' }))
  expect(await screen.findByText('The card ending in 4242 was moved back.')).toBeVisible()
  await vi.waitFor(() => expect(screen.queryByRole('button', { name: 'Move it back here' })).toBeNull(), 20_000)
  expect(screen.getByRole('button', { name: 'Move it back to Orchard' })).toBeVisible()
  expect(page.calls('GET /api/Member/Cards').length).toBeGreaterThan(0)
  // The type of the member depends on the cards.
  await vi.waitFor(() => expect(members()).toBe(membersBefore + 2), 20_000)
})

test('the owner of a card decides about its move once, with the code of the email, which leaves the address', async () => {
  let stub: StubResponse = { status: 500 }
  const responder: Responder = ({ path }) => (path === '/api/Cards/MoveAnswer' ? stub : undefined)
  const page = await openPage(app, 'skyharbor', '/card_move', { responder })
  const { user, screen } = page
  const decisions = () => page.calls('POST /api/Cards/MoveAnswer').map(({ body }) => body)
  await user.click(screen.getByRole('button', { name: 'Keep it here' }))
  const withoutCode = 'Please open this page with the link in our email.'
  expect(await screen.findByText(withoutCode)).toBeVisible()
  expect(decisions()).toEqual([])
  window.location.hash = 'code=ABC-123'
  // This DOM does not report it by itself.
  window.dispatchEvent(new PopStateEvent('popstate', { state: window.history.state }))
  await vi.waitFor(() => expect(window.location.hash).toBe(''), 20_000)
  await user.click(screen.getByRole('button', { name: 'Move it' }))
  expect(await screen.findByText(/Something went wrong/)).toBeVisible()
  expect(screen.queryByText(withoutCode)).toBeNull()
  stub = { body: { allowed: false } }
  await user.click(screen.getByRole('button', { name: 'Keep it here' }))
  expect(await screen.findByText('Your card stays here')).toBeVisible()
  expect(screen.queryByText(/Something went wrong/)).toBeNull()
  expect(screen.queryByRole('button', { name: 'Keep it here' })).toBeNull()
  expect(decisions()).toEqual([
    { code: 'ABC-123', allow: true },
    { code: 'ABC-123', allow: false },
  ])
  // A code that was used before has nothing left to decide.
  stub = problem(410, 'moveRequestOver', 'This request is over.')
  const late = await page.goto('/card_move')
  window.location.hash = 'code=ABC-123'
  window.dispatchEvent(new PopStateEvent('popstate', { state: window.history.state }))
  await vi.waitFor(() => expect(window.location.hash).toBe(''), 20_000)
  await late.user.click(await late.screen.findByRole('button', { name: 'Move it' }))
  expect(await late.screen.findByText('This request is over.')).toBeVisible()
  expect(late.screen.queryByRole('button', { name: 'Move it' })).toBeNull()
})
