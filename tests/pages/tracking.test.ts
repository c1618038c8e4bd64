import { expect, test, vi } from 'vitest'
import { joinForm, visit } from '../support/app.ts'
import { newMember } from '../support/members.ts'
import { openPage, setUpPages } from '../support/page-dom.ts'
import type { PageRequest } from '../support/page-network.ts'

const app = setUpPages()

test('SESS-017 ENR-016 a page view contains the reason why an invitation led to joining or signing in, and nothing else of the address', async () => {
  const sent: { eventName: string; url: string; memberId?: string }[] = []
  const responder = ({ path, body }: PageRequest) => {
    if (path !== '/api/Impressions') return undefined
    sent.push(...body)
    return { status: 202, body: { accepted: 1 } }
  }
  const views = () => sent.filter(({ eventName }) => eventName === 'PageView').map(({ url }) => url)
  const counted = ['/join?rfr=2', '/login?rfr=4', '/login', '/earn']
  const visitor = visit(app, 'skyharbor')
  for (const [index, address] of [
    '/join?rfr=2&utm_source=x',
    '/login?rfr=4',
    '/login?rfr=9',
    '/earn?rfr=3',
  ].entries()) {
    await openPage(app, 'skyharbor', address, { visitor, responder })
    await vi.waitFor(() => expect(views()).toEqual(counted.slice(0, index + 1)), 20_000)
  }
  expect(sent.filter(({ memberId }) => memberId)).toEqual([])
  const member = await newMember(app)
  await openPage(app, 'skyharbor', '/how-it-works', { visitor: member.visitor, responder })
  await vi.waitFor(() => expect(views()).toContain('/how-it-works'), 20_000)
  expect(sent.find(({ url }) => url === '/how-it-works')?.memberId).toBe(member.publicId)
})

test('TRACK-001 TRACK-002 TRACK-006 marketing values replace the earlier ones and are sent with joining', async () => {
  let page = await openPage(app, 'orchard', '/?utm_campaign=autumn&utm_source=mail')
  const { cookies } = page.visitor
  const stored = () => Object.fromEntries([...cookies].filter(([name]) => name.startsWith('utm_')))
  await vi.waitFor(() => expect(stored()).toEqual({ utm_campaign: 'autumn', utm_source: 'mail' }), 20_000)
  page = await page.goto('/?utm_source=paper')
  await vi.waitFor(() => expect(stored()).toEqual({ utm_source: 'paper' }), 20_000)
  const home = await page.goto('/')
  const { user, screen } = home
  const joining = () => home.calls('POST /api/Members/Prospects/Email')
  const form = screen.getByRole('main').querySelector('form') as HTMLElement
  await user.type(form.querySelector('input') as HTMLElement, joinForm().email)
  await user.click(form.querySelector('button') as HTMLElement)
  await vi.waitFor(() => expect(joining()).toHaveLength(1), 20_000)
  expect(joining()[0]?.body).toMatchObject({ utmSource: 'paper' })
  await vi.waitFor(() => expect(home.address).toBe('/join'), 20_000)
  // Another page of the same document, such as the target of a link in a text.
  window.history.replaceState(null, '', '/earn?utm_source=text')
  window.dispatchEvent(new PopStateEvent('popstate'))
  await vi.waitFor(() => expect(stored()).toEqual({ utm_source: 'text' }), 20_000)
})
