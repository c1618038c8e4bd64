import { within } from '@testing-library/dom'
import { expect, test, vi } from 'vitest'
import { openPage, setUpPages } from '../support/page-dom.ts'
import { fillJoinForm } from '../support/page-forms.ts'

const app = setUpPages()
const title = () => within(document.body).getByRole('heading', { level: 1 })
const nativeApp = 'Mozilla/5.0 (iPhone) AppleWebKit/605 Mobile DinebackApp/1.9.0 (ios)'

test('PWA-010 SHELL-018 the footer shows no store badges', async () => {
  const badges = () => within(document.querySelector('body > footer') as HTMLElement).queryAllByText(/App Store/)
  await openPage(app, 'gallonaire', '/')
  expect(badges()).not.toEqual([])
  await openPage(app, 'gallonaire', '/', { userAgent: nativeApp })
  expect(badges()).toEqual([])
})

test('PWA-011 the app is notified who is signed in, and an error of the app is only logged', async () => {
  const info = vi.spyOn(console, 'info').mockImplementation(() => {})
  const page = await openPage(app, 'gallonaire', '/join', { userAgent: nativeApp })
  window.DinebackApp = {
    setUserId(publicId) {
      sessionStorage.setItem('userId', publicId)
      throw new Error('not today')
    },
  }
  const { user, screen } = page
  await fillJoinForm({ user, screen }, 'ada-in-the-app@example.com')
  await user.click(screen.getByLabelText(/I accept the terms/))
  await user.click(screen.getByRole('button', { name: 'Continue to your card' }))
  await vi.waitFor(() => expect(page.address).toMatch(/add_card/), 20_000)
  await vi.waitFor(() => expect(sessionStorage.getItem('userId')).toMatch(/^[\w-]{22}$/), 20_000)
  // The page fails at its end if the error was reported as one.
  expect(info.mock.calls.map(String).join('\n')).toContain('not today')
})

test('PWA-007 the staging tools make a browser identify as the app until the cookie is deleted', async () => {
  let page = await openPage(app, 'orchard', '/staging-tools/native')
  const { user, visitor } = page
  await user.selectOptions(page.screen.getByLabelText('Platform'), 'android')
  const version = page.screen.getByLabelText(/^Version/)
  await user.clear(version)
  await user.type(version, '3.0.9')
  await user.click(page.screen.getByRole('button', { name: /Apply/ }))
  page = await page.follow()
  const update = await page.screen.findByRole('link', { name: 'Update Now' })
  expect(update).toHaveAttribute('href', expect.stringMatching(/\/android\//))
  visitor.cookies.delete('native_app')
  page = await page.goto('/')
  expect(title()).toBeVisible()
  expect(page.screen.queryByRole('dialog')).toBeNull()
})

test('PWA-001 PWA-003 PWA-014 the install prompt uses the program’s text, and does not return for a while after "Maybe later"', async () => {
  const prompt = vi.fn(async () => {})
  const offer = () => window.dispatchEvent(Object.assign(new Event('beforeinstallprompt'), { prompt }))
  const name = /^Install /
  let page = await openPage(app, 'gallonaire', '/')
  offer()
  const banner = within(await page.screen.findByRole('complementary', { name }))
  await page.user.click(banner.getByRole('button', { name: 'Install' }))
  expect(prompt).toHaveBeenCalledOnce()
  await vi.waitFor(() => expect(page.screen.queryByRole('complementary', { name })).toBeNull(), 20_000)
  offer()
  const again = within(await page.screen.findByRole('complementary', { name }))
  await page.user.click(again.getByRole('button', { name: 'Maybe later' }))
  await vi.waitFor(() => expect(page.screen.queryByRole('complementary', { name })).toBeNull(), 20_000)
  const later = localStorage.getItem('RN_PWA_LATER')
  expect(Number(later)).toBeGreaterThan(0)
  page = await page.goto('/')
  offer()
  // The banner would show at the next page at the latest.
  const footer = within(document.querySelector('body > footer') as HTMLElement)
  await page.user.click(footer.getByRole('link', { name: 'Restaurants by city' }))
  await vi.waitFor(() => expect(title()).toHaveTextContent(/^Restaurants/), 20_000)
  expect(page.screen.queryByRole('complementary', { name })).toBeNull()
})

test('PWA-002 PWA-006 Safari shows instructions where the partner enables them', async () => {
  const userAgent =
    'Mozilla/5.0 (iPhone; CPU iPhone OS 19_0 like Mac OS X) AppleWebKit/605 Version/19.0 Mobile/15E Safari/604.1'
  const { screen } = await openPage(app, 'skyharbor', '/', { userAgent })
  expect(await screen.findByText(/Add to Home Screen/)).toBeVisible()
  const beacon = (await openPage(app, 'beacon', '/', { userAgent })).screen
  expect(title()).toBeVisible()
  expect(beacon.queryByText(/Add to Home Screen/)).toBeNull()
})
