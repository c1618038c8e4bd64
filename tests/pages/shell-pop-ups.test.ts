import { within } from '@testing-library/dom'
import { expect, test, vi } from 'vitest'
import { DAY, SECOND } from '../../src/platform/time.ts'
import { type OpenPage, openPage, setUpPages } from '../support/page-dom.ts'

const app = setUpPages()
const popUps = true

/** Goes to another page of the same document. Its announcement follows what is over it. */
async function goToRestaurants({ user, screen }: OpenPage): Promise<void> {
  await user.click(within(screen.getByRole('contentinfo')).getByRole('link', { name: 'Restaurants by city' }))
  await vi.waitFor(() => {
    const announced = screen.getAllByRole('status').map(({ textContent }) => textContent)
    expect(announced.some((text) => text?.startsWith('Restaurants'))).toBe(true)
  }, 20_000)
}

/** Records the pages under the dialogs that open from now on. */
function watchDialogs(): Set<string> {
  const under = new Set<string>()
  const { prototype } = HTMLDialogElement
  const { showModal } = prototype
  prototype.showModal = function show() {
    under.add(window.location.pathname)
    showModal.call(this)
  }
  return under
}

test('SHELL-025 CMS-008 the general pop-up shows once, with a link to learn more', async () => {
  let page = await openPage(app, 'gallonaire', '/how-it-works', { popUps })
  // Another one was closed at an earlier visit, and stays so.
  localStorage.setItem('RN_GENERAL_POPUP', 'welcome')
  const dialog = within(await page.screen.findByRole('dialog', { name: 'This is BIG' }))
  const link = dialog.getByRole('link', { name: /^LEARN MORE/ })
  expect(link).toHaveAttribute('href', '/earn/this-is-big')
  await page.user.click(link)
  await vi.waitFor(() => expect(page.address).toMatch(/this-is-big/), 20_000)
  expect(localStorage.getItem('RN_GENERAL_POPUP')).toBe('welcome,this-is-big')
  page = await page.goto('/how-it-works')
  await page.screen.findByRole('heading', { level: 1 })
  expect(page.screen.queryByRole('dialog')).toBeNull()
  const under = watchDialogs()
  await goToRestaurants(page)
  expect([...under]).toEqual([])
})

test('SHELL-026 SHELL-027 SHELL-034 SHELL-036 PART-026 show one after the other, and each stays closed', async () => {
  let orchard = await openPage(app, 'orchard', '/search?location=10001', { popUps })
  expect(await orchard.screen.findByRole('dialog', { name: 'New tables this season' })).toBeVisible()
  expect(orchard.screen.getAllByRole('dialog')).toHaveLength(1)
  await orchard.user.keyboard('{Escape}')
  await vi.waitFor(() => expect(orchard.screen.queryByRole('dialog')).toBeNull(), 20_000)
  const closedAt = Number(localStorage.getItem('RN_ANNOUNCEMENT'))
  // The next visit.
  sessionStorage.clear()
  orchard = await orchard.goto('/earn')
  expect(await orchard.screen.findByRole('dialog', { name: 'Points Plus is here' })).toBeVisible()
  await orchard.user.keyboard('{Escape}')
  await vi.waitFor(() => expect(orchard.screen.queryByRole('dialog')).toBeNull(), 20_000)
  sessionStorage.clear()
  // A visitor does not see member content but an invitation to sign in.
  let beacon = await openPage(app, 'beacon', '/earn', { popUps })
  const name = 'Joining and signing in is now even easier!'
  const sso = within(await beacon.screen.findByRole('dialog', { name }))
  expect(sso.getByRole('link', { name: 'Sign in/Join Now' })).toHaveAttribute('href', '/Login?returnTo=%2Fearn')
  await beacon.user.click(sso.getByRole('link', { name: 'Sign in/Join Now' }))
  expect(beacon.left).toBe('/Login?returnTo=%2Fearn')
  beacon = await beacon.goto('/search?location=10001')
  await beacon.screen.findAllByRole('article')
  expect(beacon.screen.queryByRole('dialog')).toBeNull()
  const under = watchDialogs()
  await goToRestaurants(beacon)
  expect([...under]).toEqual([])
  // A day and a second later.
  const stored = { RN_ANNOUNCEMENT: String(closedAt - DAY - SECOND) }
  orchard = await openPage(app, 'orchard', '/earn', { visitor: orchard.visitor, popUps, stored })
  expect(await orchard.screen.findByRole('dialog', { name: 'New tables this season' })).toBeVisible()
})

test('SHELL-036 SHELL-046 after one pop-up was closed, no other one follows in the same visit', async () => {
  let page = await openPage(app, 'orchard', '/search?location=10001', { popUps })
  expect(await page.screen.findByRole('dialog', { name: 'New tables this season' })).toBeVisible()
  await page.user.keyboard('{Escape}')
  await vi.waitFor(() => expect(page.screen.queryByRole('dialog')).toBeNull(), 20_000)
  const under = watchDialogs()
  await goToRestaurants(page)
  page = await page.goto('/earn')
  await page.screen.findByRole('heading', { level: 1 })
  await goToRestaurants(page)
  expect([...under]).toEqual([])
})

test('SHELL-036 SHELL-046 a pop-up waits for another page while a dialog or the menu is open', async () => {
  const page = await openPage(app, 'orchard', '/nowhere', { popUps })
  const under = watchDialogs()
  const open = document.body.appendChild(document.createElement('dialog'))
  open.setAttribute('open', '')
  await goToRestaurants(page)
  expect([...under]).toEqual([])
  open.remove()
  await page.user.click(within(page.screen.getByRole('contentinfo')).getByRole('link', { name: 'How it works' }))
  expect(await page.screen.findByRole('dialog', { name: 'New tables this season' })).toBeVisible()
})

test('SHELL-036 no pop-up shows over a form, over a missing page, or while a visitor is typing', async () => {
  for (const path of ['/nowhere', '/merchants/there-is-none', '/recover', '/login', '/error', '/discover']) {
    const page = await openPage(app, 'orchard', path, { popUps })
    expect([path, page.screen.queryByRole('dialog')]).toEqual([path, null])
    const under = watchDialogs()
    await goToRestaurants(page)
    expect(await page.screen.findByRole('dialog', { name: 'New tables this season' })).toBeVisible()
    expect([path, ...under]).toEqual([path, '/restaurants'])
  }
  let page = await openPage(app, 'skyharbor', '/how-it-works', { popUps })
  expect(page.screen.queryByRole('dialog')).toBeNull()
  const under = watchDialogs()
  await goToRestaurants(page)
  expect([...under]).toEqual([])
  page = await page.goto('/how-it-works?source=EMAIL-NMB&utm_source=mail')
  expect(await page.screen.findByRole('dialog', { name: 'Welcome aboard' })).toBeVisible()
})
