import { within } from '@testing-library/dom'
import { expect, test, vi } from 'vitest'
import { asOwner } from '../support/app.ts'
import type { Visitor } from '../support/members.ts'
import { type OpenPage, openPage, type StubResponse, setUpPages } from '../support/page-dom.ts'
import { newMemberWithCard } from '../support/page-members.ts'

const app = setUpPages()

const overview = '/account/overview'
const points = 'Points Plus: two dinners, 400 points more'
const stored = 'RN_BONUS_ORC-PLUS'

/** The part of the page with this heading, once it is there. */
const sectionOf = async ({ screen }: OpenPage, name: string) =>
  within((await screen.findByRole('heading', { name })).closest('section') as HTMLElement)
const heading = ({ screen }: OpenPage, name: string) => screen.queryByRole('heading', { name })
const publicIdOf = async (visitor: Visitor) => (await visitor.get('/api/Member')).json().publicId

test('BON-001 BON-002 BON-003 BON-009 BON-010 BON-011 GEN-011 ACCT-017 a bonus is activated on the overview and moves to the activated ones', async () => {
  const { visitor } = await newMemberWithCard(app, 'orchard')
  let page = await openPage(app, 'orchard', overview, { visitor })
  const available = await sectionOf(page, 'Bonuses for you')
  // In content order, with text, image and button; other kinds of banners are shown elsewhere.
  const textsOf = (level: number) => available.getAllByRole('heading', { level }).map(({ textContent }) => textContent)
  expect(textsOf(3)).toEqual(['Bonuses for you'])
  expect(textsOf(4)).toEqual([points, 'A welcome gift: 500 points'])
  expect(heading(page, 'Activated')).toBeNull()
  const [first] = available.getAllByRole('listitem')
  await page.user.click(within(first as HTMLElement).getByRole('button'))
  const activated = await sectionOf(page, 'Activated')
  expect(await page.screen.findByText('Bonus activated.')).toBeVisible()
  expect(page.calls('POST /api/Member/Bonus/ORC-PLUS').map(({ body }) => body)).toEqual([undefined])
  expect(activated.getByText(points)).toBeVisible()
  expect(activated.queryByRole('button')).toBeNull()
  const [owner, time] = localStorage.getItem(stored)?.split(' ') ?? []
  expect(owner).toBe(await publicIdOf(visitor))
  expect(Date.now() - Number(time)).toBeLessThan(60_000)
  page = await page.goto(overview)
  expect((await sectionOf(page, 'Activated')).getByText(points)).toBeVisible()
})

test('BON-003 BON-004 for 35 minutes the browser counts the bonus as enrolled, after that the record decides', async () => {
  const { visitor } = await newMemberWithCard(app, 'orchard')
  const publicId = await publicIdOf(visitor)
  let page = await openPage(app, 'orchard', overview, { visitor })
  const setActivated = (memberId: string, ago: number) =>
    localStorage.setItem(stored, `${memberId} ${Date.now() - ago}`)
  setActivated(publicId, 2_000_000)
  page = await page.goto(overview)
  await vi.waitFor(() => expect(heading(page, 'Activated')).toBeVisible(), 20_000)
  for (const [memberId, ago] of [
    [publicId, 2_100_001],
    // Of another member who uses this browser.
    ['another-member', 1000],
  ] as const) {
    setActivated(memberId, ago)
    page = await page.goto(overview)
    expect((await sectionOf(page, 'Bonuses for you')).getByText(points)).toBeVisible()
    expect(heading(page, 'Activated')).toBeNull()
  }
})

test('BON-012 show the specified text, and activation can be tried again', async () => {
  const { visitor } = await newMemberWithCard(app, 'orchard')
  const broken: StubResponse[] = [{ status: 500 }, { body: false }]
  const page = await openPage(app, 'orchard', overview, {
    visitor,
    responder: ({ path }) => (path.startsWith('/api/Member/Bonus/') ? broken[0] : undefined),
  })
  const press = () => page.user.click(page.screen.getByRole('button', { name: 'Activate this bonus' }))
  const failure = 'Something went wrong, please refresh you browser.'
  while (broken.length > 0) {
    await press()
    expect(await page.screen.findByText(failure)).toBeVisible()
    expect(heading(page, 'Activated')).toBeNull()
    broken.shift()
  }
  await press()
  await vi.waitFor(() => expect(heading(page, 'Activated')).toBeVisible(), 20_000)
  expect(page.screen.queryByText(failure)).toBeNull()
})

test('a bonus that is pressed while another one is activated is activated, too', async () => {
  const { visitor } = await newMemberWithCard(app, 'orchard')
  const first = Promise.withResolvers<undefined>()
  const page = await openPage(app, 'orchard', overview, {
    visitor,
    responder: ({ path }) => (path === '/api/Member/Bonus/ORC-PLUS' ? first.promise : undefined),
  })
  const buttons = (await sectionOf(page, 'Bonuses for you')).getAllByRole('button')
  expect(buttons).toHaveLength(2)
  for (const button of buttons) await page.user.click(button)
  first.resolve(undefined)
  await vi.waitFor(() => expect(heading(page, 'Bonuses for you')).toBeNull(), 20_000)
  expect((await sectionOf(page, 'Activated')).getAllByRole('listitem')).toHaveLength(2)
})

test('BON-008 the app’s bonus has a text in the browser and a button in the app', async () => {
  const { visitor } = await newMemberWithCard(app, 'gallonaire')
  const cardOf = async ({ screen }: OpenPage) => {
    const title = await screen.findByText('Only in the app: a bonus with your name on it')
    return within(title.closest('li') as HTMLElement)
  }
  expect((await cardOf(await openPage(app, 'gallonaire', overview, { visitor }))).queryByRole('button')).toBeNull()
  const inApp = { 'user-agent': 'Mozilla/5.0 DinebackApp/2.1.0 (ios)' }
  const phone: Visitor = {
    ...visitor,
    send: (method, url, body, headers) => visitor.send(method, url, body, { ...headers, ...inApp }),
    get: (url, headers) => visitor.get(url, { ...headers, ...inApp }),
  }
  const page = await openPage(app, 'gallonaire', overview, { visitor: phone })
  await page.user.click((await cardOf(page)).getByRole('button', { name: 'Switch it on' }))
  await vi.waitFor(() => expect(heading(page, 'Activated')).toBeVisible(), 20_000)
})

test('BON-007 a member who joined from an email campaign is offered its bonus for 90 days', async () => {
  const { visitor, email } = await newMemberWithCard(app, 'skyharbor')
  const offers = async () => {
    const { screen } = await openPage(app, 'skyharbor', overview, { visitor })
    await screen.findByRole('heading', { name: 'Latest activity' })
    return screen.queryAllByText('500 miles for your first dine').length
  }
  expect(await offers()).toBe(0)
  const joined = (days: number) =>
    asOwner(
      app,
      "update members set enrollment_source = 'EMAIL-NMB', joined_at = now() - make_interval(days => $2) where email = $1",
      [email, days],
    )
  await joined(89)
  expect(await offers()).toBe(1)
  await joined(91)
  expect(await offers()).toBe(0)
})
