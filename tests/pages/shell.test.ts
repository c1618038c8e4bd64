import { within } from '@testing-library/dom'
import { expect, test, vi } from 'vitest'
import { withoutBotCheck } from '../support/app.ts'
import { createCardMember } from '../support/card-member.ts'
import { type OpenPage, openPage, setUpPages } from '../support/page-dom.ts'
import { fillJoinForm } from '../support/page-forms.ts'

const app = setUpPages()
const partners = ['skyharbor', 'gallonaire', 'beacon', 'orchard', 'lantern'] as const

// By element: the headers and footers of articles would have the same roles here.
const bar = () => within(document.querySelector('body > header') as HTMLElement)
const footer = () => within(document.querySelector('body > footer') as HTMLElement)
/** The links of the bar without those of the menu, which is a part of it that is closed at first. */
const barLinks = (name: string | RegExp) =>
  bar()
    .queryAllByRole('link', { name })
    .filter((link) => !link.closest('nav'))
const title = () => within(document.body).getByRole('heading', { level: 1 })

/** Presses the menu's button, which names the menu that the browser opens; returns the menu. */
async function openMenu({ user, screen }: OpenPage) {
  const button = screen.getByRole('button', { name: 'Menu' })
  const menu = screen.getByRole('navigation', { name: 'Main' })
  await user.click(button)
  expect(button).toHaveAttribute('popovertarget', menu.id)
  return within(menu)
}
const texts = (links: HTMLElement[]) => links.map((link) => link.textContent?.trim()).filter(Boolean)

test('SHELL-001 SHELL-002 every page has skip link, header, announcement, content and footer in this order', async () => {
  const page = await openPage(app, 'skyharbor', '/search?location=10001')
  const [first] = await page.screen.findAllByRole('article')
  await page.user.click(within(first as HTMLElement).getAllByRole('link')[0] as HTMLElement)
  expect(await page.screen.findByRole('button', { name: 'Back' })).toBeVisible()
  const order = [
    ...document.querySelectorAll(
      'a[href="#main"], header:has(nav, button), aside[aria-label="Announcement"], main, footer',
    ),
  ]
    .filter((element) => !element.closest('main') || element.matches('main'))
    .map((element) => element.tagName)
  expect(order).toEqual(['A', 'HEADER', 'ASIDE', 'MAIN', 'FOOTER'])
  expect(bar().getByRole('button', { name: 'Menu' })).toBeVisible()
  for (const name of [/home$/, 'Find a restaurant', 'Join']) {
    expect([name, barLinks(name).length]).toEqual([name, 1])
    expect(barLinks(name)[0]).toBeVisible()
  }
})

test('SHELL-003 SHELL-004 SHELL-005 the bar omits the menu while joining, and search where it is not needed', async () => {
  let page = await openPage(app, 'gallonaire', '/join')
  expect(title()).toBeVisible()
  expect(bar().queryByRole('button', { name: 'Menu' })).toBeNull()
  page = await page.goto('/discover')
  expect(bar().getByRole('button', { name: 'Menu' })).toBeVisible()
  expect(barLinks('Find a restaurant')).toEqual([])
  page = await page.goto('/search?location=10001')
  const [search] = barLinks('Find a restaurant')
  expect(search).toHaveAttribute('aria-disabled', 'true')
  const entries = window.history.length
  await page.user.click(search as HTMLElement)
  // A navigation adds an entry, which follows the click: after another one there is only that of the latter.
  await page.user.click(footer().getByRole('link', { name: 'Restaurants by city' }))
  await vi.waitFor(() => expect(page.address).toBe('/restaurants'), 20_000)
  expect(window.history.length).toBe(entries + 1)
  page.back()
  await vi.waitFor(() => expect(page.address).toBe('/search?location=10001'), 20_000)
})

test('SHELL-008 SHELL-010 SHELL-011 ROLE-011 ROLE-014 the bar offers sign-in and joining as each program allows', async () => {
  await openPage(app, 'orchard', '/join')
  expect(bar().getByText('Already a member?')).toBeVisible()
  expect(bar().getByRole('link', { name: 'Sign in' })).toBeVisible()
  const matrix = {
    skyharbor: ['Sign in', 'Join'],
    gallonaire: ['Sign in', 'Join'],
    beacon: ['Join'],
    orchard: ['Sign in', 'Join'],
    lantern: [],
  }
  for (const partner of partners) {
    const page = await openPage(app, partner, '/')
    expect([partner, texts(barLinks(/^(Sign in|Join)$/))]).toEqual([partner, matrix[partner]])
    const first = texts((await openMenu(page)).queryAllByRole('link', { name: /^(Sign in|Join)$/ }))
    expect([partner, first.sort()]).toEqual([partner, [...matrix[partner]].sort()])
  }
})

test('SHELL-012 ROLE-006 a member without a card is led to link one', async () => {
  await withoutBotCheck('gallonaire', app)
  let page = await openPage(app, 'gallonaire', '/join')
  const { user, screen } = page
  await fillJoinForm({ user, screen }, 'ada-joins@example.com')
  await user.click(screen.getByLabelText(/Email me offers/))
  await user.click(screen.getByLabelText(/I accept the terms/))
  await user.click(screen.getByRole('button', { name: 'Continue to your card' }))
  await vi.waitFor(() => expect(page.address).toMatch(/add_card/), 20_000)
  page = await page.goto('/search?location=10001')
  const next = '/add_card?returnTo=%2Fsearch%3Flocation%3D10001'
  expect(barLinks('Finish joining').map((link) => link.getAttribute('href'))).toEqual([next])
  expect(footer().getByRole('link', { name: 'Finish joining' })).toHaveAttribute('href', next)
  const menu = await openMenu(page)
  expect(menu.getByRole('link', { name: 'Finish joining' })).toBeVisible()
  expect(menu.getAllByRole('link').at(-1)).toHaveTextContent(/^Sign out$/)
})

test('a click with a key for another tab or window leaves the page as it is', async () => {
  const page = await openPage(app, 'skyharbor', '/how-it-works')
  const link = footer().getByRole('link', { name: 'Restaurants by city' })
  const [before, entries] = [page.requests.length, window.history.length]
  for (const key of ['Control', 'Meta', 'Shift', 'Alt']) {
    const click = vi.fn((event: Event) => [event.defaultPrevented, event.preventDefault()])
    window.addEventListener('click', click, { once: true })
    await page.user.keyboard(`{${key}>}`)
    await page.user.click(link)
    await page.user.keyboard(`{/${key}}`)
    expect([key, click.mock.results[0]?.value[0]]).toEqual([key, false])
  }
  expect([page.requests.length, window.history.length, page.address]).toEqual([before, entries, '/how-it-works'])
})

test('SHELL-017 Back leads to the previous page, or to the list that contains the page', async () => {
  let page = await openPage(app, 'beacon', '/search?location=10001')
  const [first] = await page.screen.findAllByRole('article')
  await page.user.click(within(first as HTMLElement).getAllByRole('link')[0] as HTMLElement)
  await vi.waitFor(() => expect(page.address).toMatch(/merchants/), 20_000)
  const merchant = page.address
  await vi.waitFor(() => expect(document.getElementById('main')).toHaveFocus(), 20_000)
  const { length } = window.history
  await page.user.click(await page.screen.findByRole('button', { name: 'Back' }))
  await vi.waitFor(() => expect(page.address).toMatch(/\/search\?location=10001/), 20_000)
  expect(window.history).toHaveLength(length)
  expect((await page.screen.findAllByRole('article'))[0]).toBeVisible()
  page = await page.goto(merchant)
  await page.user.click(page.screen.getByRole('button', { name: 'Back' }))
  // The search page continues to the last search by itself.
  await vi.waitFor(() => expect(page.address).toMatch(/\/search(\?|$)/), 20_000)
  expect((await page.screen.findAllByRole('article'))[0]).toBeVisible()
})

test('SHELL-018 SHELL-019 SHELL-020 SHELL-021 SHELL-022 SHELL-023 SHELL-024 PART-027 PART-039 the footer of each program has its links and contacts', async () => {
  for (const partner of partners) {
    await openPage(app, partner, '/')
    expect(footer().queryAllByText('Powered by Dineback')).toHaveLength(partner === 'gallonaire' ? 0 : 1)
    const own = { skyharbor: 'Sign in', gallonaire: 'Sign in', orchard: 'Sign in', beacon: 'Join', lantern: null }[
      partner
    ]
    if (own) expect(footer().getByRole('link', { name: own })).toBeVisible()
    else expect(footer().queryByRole('link', { name: /^(Sign in|Join)$/ })).toBeNull()
    expect(document.querySelectorAll('footer a[href^="mailto:"]')).toHaveLength(partner === 'gallonaire' ? 0 : 1)
    expect(document.querySelectorAll('footer a[href^="tel:"]')).toHaveLength(1)
  }
  await openPage(app, 'skyharbor', '/')
  expect(footer().getByRole('link', { name: 'Download on the App Store' })).toBeVisible()
  expect(footer().getByRole('link', { name: 'Skyharbor Airlines' })).toHaveAttribute(
    'href',
    'https://www.skyharbor.example',
  )
  expect(footer().getByText(/open to Skyharbor Miles members/)).toBeVisible()
})

test('SHELL-009 the button of the menu has the whole first characters of the names: emoji, letters with marks', async () => {
  const { visitor } = await createCardMember(app, 'gallonaire', { firstName: '👩‍🍳 Ada', lastName: 'q\u0308uist' })
  // A half of a character in the HTML would be another text for the script: an error of the page.
  await openPage(app, 'gallonaire', '/search?location=10001', { visitor })
  expect(bar().getByRole('button', { name: /Your account/ })).toHaveTextContent(/^👩‍🍳q\u0308$/)
})

test('SHELL-009 SHELL-013 ROLE-004 a card member finds all account pages under the own name', async () => {
  const { visitor } = await createCardMember(app, 'gallonaire')
  let page = await openPage(app, 'gallonaire', '/search?location=10001', { visitor })
  const button = bar().getByRole('button', { name: /Your account/ })
  await page.user.click(button)
  const area = document.querySelector<HTMLElement>('#account-menu') as HTMLElement
  expect(button).toHaveAttribute('popovertarget', 'account-menu')
  expect(area).toHaveTextContent('Hello, Ada Lovelace')
  expect(area).toHaveTextContent('@example.com')
  expect(texts(within(area).getAllByRole('link'))).toEqual([
    'Account Overview',
    'Reviews & History',
    'My reservations',
    'Linked Cards',
    'Profile',
    'Sign-in & security',
    'Privacy',
    'Sign out',
  ])
  expect((await openMenu(page)).getAllByRole('link')[0]).toHaveTextContent(/^Account center$/)
  expect(footer().getByRole('link', { name: 'Account center' })).toHaveAttribute('href', '/account/overview')
  // The first page of a visit: there is no previous one.
  page = await page.goto('/account/user_profile')
  await page.user.click(page.screen.getByRole('button', { name: 'Back' }))
  await vi.waitFor(() => expect(page.address).toBe('/'), 20_000)
})

test('TRACK-014 API-005 API-006 the CSRF token is stored for this visit only, and being signed out is not an error', async () => {
  await openPage(app, 'lantern', '/')
  await vi.waitFor(() => expect(sessionStorage.getItem('csrfToken')).toMatch(/^[\w-]{20,}$/), 20_000)
  expect(Object.keys(localStorage)).not.toContain('csrfToken')
  expect((await fetch('/api/Member')).status).toBe(401)
})
