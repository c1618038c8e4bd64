import '@testing-library/jest-dom/vitest'
import { configure } from '@testing-library/dom'
import { afterAll, expect, onTestFinished, test, vi } from 'vitest'
import { openComponent, openPrepared } from '../support/open-component.ts'
import { nextTurns, restoreGlobals } from '../support/page-window.ts'

// As long as a busy machine needs.
configure({ asyncUtilTimeout: 20_000 })
afterAll(restoreGlobals)

const logo = { kind: 'inline', svg: '<svg></svg>' }

test('SHELL-003 the bar has no menu on the pages of joining, and a new one on each page, so that none stays open', async () => {
  const page = await openComponent('navbar', {}, { program: { logo } })
  const menu = () => document.getElementById('main-menu')
  const first = menu()
  expect(first).not.toBeNull()
  await page.goTo('/earn')
  const second = menu()
  expect(second).not.toBe(first)
  for (const path of ['/join', '/add_card', '/card_added']) {
    await page.goTo(path)
    expect([path, menu()]).toEqual([path, null])
  }
})

test('SHELL-022 the footer shows the year in UTC, and links the support as what it is: an address, a page or a text', async () => {
  vi.useFakeTimers({ toFake: ['Date'], now: new Date('2026-12-31T23:59:59Z') })
  onTestFinished(() => void vi.useRealTimers())
  const support = async (href: string) => {
    const config = {
      cmsRoute: '/api/cms',
      enrollmentType: 'direct',
      brandLogos: [],
      appStores: { ios: 'https://ios.example/' },
      showNetworkLogo: false,
      customerSupport: { email: { href, display: 'Contact' }, phone: { href: 'tel:1', formatted: '1' } },
    }
    const { screen } = await openComponent('footer', {}, { program: { config, logo } })
    expect(screen.getByText(/2026/)).toBeVisible()
    expect(screen.queryByText(/2027/)).toBeNull()
    return screen.getByText('Contact').getAttribute('href')
  }
  expect(await support('help@program.example')).toBe('mailto:help@program.example')
  expect(await support('https://help.example/@program')).toBe('https://help.example/@program')
  expect(await support('At the front desk')).toBeNull()
})

const modal = { title: 'New tables', body: 'This season' }
const popUpConfig = {
  cmsRoute: '/api/cms',
  enrollmentType: 'direct',
  customerSupport: { email: { href: '', display: '' }, phone: { href: '', formatted: '' } },
}
const welcome = { slug: 'welcome', fields: { title: 'Welcome', body_text: 'Hello', url: '/earn' } }
const titleOf = ({ screen }: { screen: { queryByRole: (role: string) => HTMLElement | null } }) =>
  screen.queryByRole('dialog')?.querySelector('h2')?.textContent ?? null

test('SHELL-035 SHELL-036 pop-ups know the member, the native app, an impersonation, and a field that has the focus', async () => {
  const program = { config: { ...popUpConfig, appAnnouncementModal: modal }, operator: null, nativeApp: null }
  const member = { publicId: 'a', memberType: 'EnrolledCardMember' }
  const shown = async (over: object, surroundings: object = {}, props: object = {}) => {
    const page = await openPrepared(() => {}, 'popUps', props, { program: { ...program, ...over }, ...surroundings })
    const title = titleOf(page)
    await page.end()
    return title
  }
  expect(await shown({})).toBe('New tables')
  expect(await shown({ operator: { name: 'Sam', mayChange: false } })).toBeNull()
  expect(await shown({ nativeApp: { version: '9.0.0', platform: 'ios' } })).toBeNull()
  expect(await shown({}, {}, { isTyping: true })).toBeNull()
  const config = { ...popUpConfig, appAnnouncementModal: { ...modal, audience: 'members' } }
  expect([await shown({ config }), await shown({ config }, { member })]).toEqual([null, 'New tables'])
  expect(await shown({ config }, { member: { ...member, memberType: 'ClosedAccountMember' } })).toBeNull()
})

test('SHELL-025 the general pop-up links to the address of its content, unless the program has another one', async () => {
  const hrefWith = async (over: object) => {
    const config = { ...popUpConfig, generalModalType: 'welcome', ...over }
    const program = { config, operator: null, nativeApp: null }
    const page = await openPrepared(() => {}, 'popUps', {}, { program, popups: [welcome] })
    expect(titleOf(page)).toBe('Welcome')
    const href = page.screen.getByRole('link').getAttribute('href')
    await page.end()
    return href
  }
  expect(await hrefWith({})).toBe('/earn')
  expect(await hrefWith({ generalModalUrl: '/discover' })).toBe('/discover')
})

const viewed = { publicId: 'a', firstName: 'Ada', lastName: 'Lovelace', memberType: 'EnrolledCardMember' }
const impersonating = {
  consoleOrigin: 'https://console.example',
  apiBase: 'http://skyharbor.localhost',
  operator: { name: 'Sam', mayChange: false },
}

test('EMU-001 an impersonation says whether changes are possible, and without a member or an operator there is none', async () => {
  const textWith = async (operator: object | null, member: object | null) => {
    const page = await openPrepared(() => {}, 'impersonation', {}, { program: { ...impersonating, operator }, member })
    const text = page.screen.queryByRole('complementary')?.textContent ?? null
    await page.end()
    return text
  }
  expect(await textWith({ name: 'Sam', mayChange: false }, viewed)).toBe(
    'Sam is viewing this account as Ada Lovelace. Nothing can be changed. Exit',
  )
  expect(await textWith({ name: 'Sam', mayChange: true }, viewed)).toBe(
    'Sam is viewing this account as Ada Lovelace. Changes here are made for Ada Lovelace and recorded. Exit',
  )
  expect([await textWith(null, viewed), await textWith({ name: 'Sam', mayChange: true }, null)]).toEqual([null, null])
})

test('EMU-002 EMU-003 an impersonation ends by the console’s message, and does not continue outside of the console’s frame', async () => {
  const stored = () => localStorage.getItem('emulationId')
  const openFrame = (name: string, isFrame: boolean) =>
    openPrepared(
      () => {
        localStorage.setItem('emulationId', 'an-id')
        window.name = name
        if (isFrame) Object.defineProperty(window, 'top', { value: {} })
      },
      'impersonation',
      {},
      { program: impersonating, member: viewed },
    )
  for (const [name, isFrame] of [
    ['emulation', false],
    ['another', true],
  ] as const) {
    const outside = await openFrame(name, isFrame)
    expect([name, outside.left, stored()]).toEqual([name, ['/SignOut'], null])
    await outside.end()
  }
  const { left, end } = await openFrame('emulation', true)
  const requests = vi.spyOn(globalThis, 'fetch').mockRejectedValue(new TypeError('no connection'))
  const say = async (origin: string) => {
    window.dispatchEvent(new MessageEvent('message', { data: { exit: true }, origin, source: null }))
    await nextTurns()
  }
  await say('https://evil.example')
  expect([left, stored(), requests.mock.calls]).toEqual([[], 'an-id', []])
  await say(impersonating.consoleOrigin)
  // The console may remove the frame first, and there may be no connection.
  expect([left, stored()]).toEqual([['/Emulate/Ended'], null])
  expect(requests.mock.calls).toEqual([
    [
      'http://skyharbor.localhost/api/SignOut',
      expect.objectContaining({ keepalive: true, headers: expect.objectContaining({ 'x-emulation': '1' }) }),
    ],
  ])
  await end()
  await say(impersonating.consoleOrigin)
  expect(left).toHaveLength(1)
})

/** Loads the code that keeps a session, which pages load for members only: a test with a fixed clock cannot wait for it. */
async function loadSessionKeeping() {
  const { end } = await openPrepared(
    () => {},
    'session',
    {},
    { program: { apiBase: '', operator: null }, member: viewed },
  )
  await vi.waitFor(() => expect(localStorage.getItem('RN_MEMBER')).toBe('a'), 20_000)
  await end()
  localStorage.clear()
}

test('SESS-003 a session is left at its end with the address of the page, also without a connection', async () => {
  await loadSessionKeeping()
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'Date'] })
  onTestFinished(() => void vi.useRealTimers())
  const program = { apiBase: 'http://skyharbor.localhost', operator: null }
  const { left, screen } = await openPrepared(
    () => {
      // biome-ignore lint/suspicious/noDocumentCookie: as the server sets it
      document.cookie = `session_expiry=${encodeURIComponent(new Date(Date.now() + 30_000).toISOString())};path=/`
    },
    'session',
    {},
    { program, member: viewed },
  )
  expect(screen.getByText(/^You will be signed out in one minute/).closest('[data-kind]')).toHaveAttribute(
    'data-kind',
    'warning',
  )
  vi.advanceTimersByTime(29_999)
  await nextTurns()
  expect(left).toEqual([])
  vi.advanceTimersByTime(1)
  await nextTurns()
  expect(left).toEqual([`/SignOut?reason=expired&from=${encodeURIComponent('/search?location=10001')}`])
})

test('SESS-013 when the session is over, the data of the member is no longer stored, and the member is none for other pages', async () => {
  const program = { apiBase: '', operator: null }
  const { setMember, cache } = await openPrepared(() => {}, 'session', {}, { program, member: viewed })
  expect(localStorage.getItem('RN_MEMBER')).toBe('a')
  localStorage.setItem('cardRegistrationSuccess', '4242')
  const isStored = () => cache.results().some(([key]) => key[0] === 'cards')
  cache.set(['cards'], ['4242'])
  setMember({ ...viewed, firstName: 'Augusta' })
  await nextTurns()
  expect(isStored()).toBe(true)
  setMember(null)
  await nextTurns()
  expect(isStored()).toBe(false)
  expect([localStorage.getItem('RN_MEMBER'), localStorage.getItem('cardRegistrationSuccess')]).toEqual(['', null])
})

test('EMU-001 a page that an operator sees as a member does not count as a sign-in of that member', async () => {
  const program = { apiBase: '', operator: impersonating.operator }
  await openPrepared(() => localStorage.setItem('RN_MEMBER', 'own'), 'session', {}, { program, member: viewed })
  expect(localStorage.getItem('RN_MEMBER')).toBe('own')
})

test('SESS-003 SESS-013 the notice of a sign-out disappears where it was wanted, and stays where it was not or something was lost', async () => {
  // A document does not read what it has stored itself, as an earlier test may have done with these modules.
  vi.resetModules()
  const noticeOf = async (cookie: string, isUnsaved: boolean) => {
    const program = { config: { cmsRoute: '/api/cms', enrollmentType: 'direct' } }
    const prepare = () => {
      // biome-ignore lint/suspicious/noDocumentCookie: as the server sets it
      if (cookie) document.cookie = `signed_out=${encodeURIComponent(cookie)};path=/`
      sessionStorage.clear()
      if (isUnsaved) sessionStorage.setItem('unsaved', '1')
    }
    const page = await openPrepared(prepare, 'signedOut', {}, { program })
    const toast = document.querySelector<HTMLElement>('[data-kind]')
    const shown = toast && [toast.dataset.kind, toast.textContent]
    expect([document.cookie, sessionStorage.getItem('unsaved')]).toEqual(['', null])
    await page.end()
    return shown
  }
  expect(await noticeOf('left', false)).toEqual(['success', 'You have been signed out.'])
  expect(await noticeOf('closed', false)).toEqual(['warning', 'Your account is closed, and you have been signed out.'])
  expect(await noticeOf('', true)).toEqual([
    'warning',
    'You were signed out, so your change was not saved. Sign in and try again.',
  ])
  expect(await noticeOf('', false)).toBeNull()
})
