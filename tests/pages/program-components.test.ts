import '@testing-library/jest-dom/vitest'
import { configure, fireEvent, within } from '@testing-library/dom'
import { userEvent } from '@testing-library/user-event'
import { afterAll, expect, onTestFinished, test, vi } from 'vitest'
import { nextTurns, openWindow, restoreGlobals } from '../support/page-window.ts'

// As long as a busy machine needs.
configure({ asyncUtilTimeout: 20_000 })
afterAll(restoreGlobals)

type Support = typeof import('../support/program-component-page.tsx')

/** Opens a window with one component of a program, which ends with the test. */
async function open(...[name, props, surroundings]: Parameters<Support['showInProgram']>) {
  const left: string[] = []
  const { window, settle } = openWindow({
    url: 'http://skyharbor.localhost/search?location=10001',
    width: 1280,
    fetch: () => Promise.reject(new TypeError('no connection')),
    onLeave: (url) => void left.push(url),
  })
  const { showInProgram, pages } = await import('../support/program-component-page.tsx')
  const { end, show, goTo, ...shown } = showInProgram(name, props, surroundings)
  await settle()
  let isOpen = true
  const close = async () => {
    if (isOpen) end()
    isOpen = false
    await settle()
  }
  onTestFinished(async () => {
    await close()
    await window.happyDOM.close()
  })
  return {
    ...shown,
    pages,
    left,
    close,
    screen: within(document.body),
    user: userEvent.setup({ document }),
    async change(next: object) {
      show(next)
      await settle()
    },
    async goTo(...given: Parameters<typeof goTo>) {
      goTo(...given)
      await settle()
    },
  }
}

function useFakeTimers(): void {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  onTestFinished(() => void vi.useRealTimers())
}

test('a change reports its success or its failure, and in any case its end', async () => {
  const { screen, user, reports, endWith } = await open('cancel')
  const press = () => user.click(screen.getByRole('button', { name: 'cancel' }))
  await press()
  await vi.waitFor(() => expect(reports).toEqual(['success of the first', 'settled']), 20_000)
  endWith({ status: 409, code: 'x' })
  await press()
  await vi.waitFor(() => expect(reports.slice(2)).toEqual(['failure no', 'settled']), 20_000)
  await vi.waitFor(() => expect(screen.getByRole('status')).toHaveTextContent('no'), 20_000)
})

test('a change that takes long ends with the functions of the last rendering', async () => {
  const { screen, user, reports, endWith, change } = await open('cancel')
  const { promise: after, resolve: end } = Promise.withResolvers<void>()
  endWith({ status: 200, code: '', after })
  await user.click(screen.getByRole('button', { name: 'cancel' }))
  await change({ name: 'second' })
  end()
  await vi.waitFor(() => expect(reports).toEqual(['success of the second', 'settled']), 20_000)
})

test('a change without a session leaves for the sign-in page, which returns to the address with its query', async () => {
  const { screen, user, reports, left, endWith } = await open('cancel')
  endWith({ status: 401, code: 'unauthorized' })
  await user.click(screen.getByRole('button', { name: 'cancel' }))
  await vi.waitFor(() => expect(reports).toEqual(['settled']), 20_000)
  expect(left).toEqual(['/login?returnTo=%2Fsearch%3Flocation%3D10001'])
  expect(screen.getByRole('status')).toHaveTextContent(/^$/)
  // A 401 without a body is not the app's own; one with another code is, such as that of a wrong password.
  endWith({ status: 401, code: 'unknown' })
  await user.click(screen.getByRole('button', { name: 'cancel' }))
  await vi.waitFor(() => expect(reports).toEqual(['settled', 'settled']), 20_000)
  endWith({ status: 401, code: 'wrongPassword' })
  await user.click(screen.getByRole('button', { name: 'cancel' }))
  await vi.waitFor(() => expect(reports.slice(2)).toEqual(['failure no', 'settled']), 20_000)
  expect(left).toHaveLength(2)
})

test('a change that stays on the page without a session reports that as any failure', async () => {
  const { screen, user, reports, left, endWith } = await open('cancel', { staysOn401: true })
  endWith({ status: 401, code: 'unauthorized' })
  await user.click(screen.getByRole('button', { name: 'cancel' }))
  await vi.waitFor(() => expect(reports).toEqual(['failure no', 'settled']), 20_000)
  expect(left).toEqual([])
})

/** Replaces what observes whether elements are in view; returns how to report it, and whether it is still observed. */
function observeViews() {
  let report: (entries: { intersectionRatio: number }[]) => void = () => {}
  const observing = new Set<object>()
  const before = globalThis.IntersectionObserver
  globalThis.IntersectionObserver = class {
    constructor(callback: typeof report) {
      report = callback
    }
    observe() {
      observing.add(this)
    }
    disconnect() {
      observing.delete(this)
    }
  } as never
  onTestFinished(() => {
    globalThis.IntersectionObserver = before
  })
  return { see: (intersectionRatio: number) => report([{ intersectionRatio }]), observing }
}

test('TRACK-009 what is seen for a moment counts once, by the newest callback, and what is left earlier does not', async () => {
  const page = await open('moments')
  await page.close()
  const { see, observing } = observeViews()
  const { showInProgram } = await import('../support/program-component-page.tsx')
  const { reports, show, end } = showInProgram('seen')
  await nextTurns()
  useFakeTimers()
  see(1)
  vi.advanceTimersByTime(149)
  see(0.5)
  vi.advanceTimersByTime(1_000)
  expect(reports).toEqual([])
  see(0.8)
  vi.advanceTimersByTime(100)
  see(1)
  vi.advanceTimersByTime(149)
  show({ name: 'second' })
  await nextTurns()
  expect(reports).toEqual([])
  vi.advanceTimersByTime(1)
  expect([reports, observing.size]).toEqual([['second'], 0])
  end()
  await nextTurns()
})

test('TRACK-009 what is no longer on the page when its moment ends does not count', async () => {
  const page = await open('moments')
  await page.close()
  const { see, observing } = observeViews()
  const { showInProgram } = await import('../support/program-component-page.tsx')
  const { reports, end } = showInProgram('seen')
  await nextTurns()
  useFakeTimers()
  see(1)
  end()
  await nextTurns()
  vi.advanceTimersByTime(1_000)
  expect([reports, observing.size]).toEqual([[], 0])
})

test('a moment is in the time zone of the visitor', async () => {
  const { screen } = await open('moments')
  const zoned = new Intl.DateTimeFormat('en-US', { dateStyle: 'medium', timeStyle: 'short' })
  const day = new Intl.DateTimeFormat('en-US', { dateStyle: 'medium' })
  const instant = new Date('2026-03-10T02:30:00Z')
  expect(screen.getByRole('status').textContent).toBe(`${day.format(instant)} / ${zoned.format(instant)}`)
})

test('large content that is ready appears at once, and what becomes ready later does so turn by turn', async () => {
  const ready = await open('turns', { isReady: true })
  expect(ready.screen.getByRole('status')).toHaveTextContent('3')
  const later = await open('turns', { isReady: false })
  expect(later.screen.getByRole('status')).toHaveTextContent('0')
  const shown: string[] = []
  const output = later.screen.getByRole('status')
  new MutationObserver(() => shown.push(output.textContent)).observe(output, { characterData: true, subtree: true })
  await later.change({ isReady: true })
  await vi.waitFor(() => expect(shown).toEqual(['1', '2', '3']), 20_000)
})

test('a value that changes all the time counts when it has not changed for a while', async () => {
  const { screen, change } = await open('debounced', { value: 'c' })
  useFakeTimers()
  const output = screen.getByRole('status')
  await change({ value: 'ch' })
  vi.advanceTimersByTime(299)
  await change({ value: 'chi' })
  vi.advanceTimersByTime(299)
  await nextTurns()
  expect(output).toHaveTextContent(/^c$/)
  vi.advanceTimersByTime(1)
  await nextTurns()
  expect(output).toHaveTextContent(/^chi$/)
})

test('A11Y-011 a removed element that had the focus passes it to the heading of its part, one that had lost it does not', async () => {
  for (const hasFocus of [true, false]) {
    const { screen } = await open('removable')
    const [button, name] = [screen.getByRole('button', { name: 'remove' }), screen.getByLabelText('Name')]
    button.focus()
    if (!hasFocus) button.blur()
    await nextTurns()
    fireEvent.click(screen.getByRole('button', { name: 'elsewhere' }))
    await vi.waitFor(() => expect(button).not.toBeInTheDocument(), 20_000)
    await nextTurns()
    const heading = screen.getByRole('heading', { name: 'Cards' })
    if (hasFocus) await vi.waitFor(() => expect(heading).toHaveFocus(), 20_000)
    else expect(document.body).toHaveFocus()
    expect(name).not.toHaveFocus()
  }
})

/** Records the popovers that the page hides from now on: this DOM has none. */
function recordHidden(hidden: string[]): void {
  HTMLElement.prototype.hidePopover = function hidePopover() {
    hidden.push(this.id)
  }
  onTestFinished(() => {
    HTMLElement.prototype.hidePopover = () => {}
  })
}

test('SHELL-016 both menus close when a link in them is chosen, and not by other presses', async () => {
  const hidden: string[] = []
  const member = {
    memberType: 'EnrolledCardMember',
    tierLevel: 'OptedIn',
    firstName: 'Ada',
    lastName: 'Lovelace',
    email: 'ada@example.com',
  }
  const account = await open('account', {}, { member })
  recordHidden(hidden)
  fireEvent.click(account.screen.getByText('Hello, Ada Lovelace'))
  expect(hidden).toEqual([])
  fireEvent.click(account.screen.getByRole('link', { name: 'Profile' }))
  expect(hidden).toEqual(['account-menu'])
  const links = [{ text_desktop: 'Ways to earn', text_mobile: 'Earn', url: '/earn' }]
  const content = {
    '*': [
      { slug: 'navbar', fields: { links } },
      {
        slug: 'footer',
        fields: {
          primary_links: [
            { text: 'Earn', url: '/earn' },
            { text: 'Help', url: '/help' },
          ],
          secondary_links: [{ text: 'Help again', url: '/help' }],
          disclaimer: '',
        },
      },
    ],
  }
  const menu = await open('menu', {}, { content })
  recordHidden(hidden)
  // Each address once, where it is first.
  expect(menu.screen.getAllByRole('link').map((link) => link.getAttribute('href'))).toEqual([
    '/join',
    '/login',
    '/earn',
    '/help',
  ])
  fireEvent.click(menu.screen.getByRole('navigation'))
  expect(hidden).toHaveLength(1)
  fireEvent.click(menu.screen.getByRole('link', { name: 'Help' }))
  expect(hidden).toEqual(['account-menu', 'main-menu'])
})

test('dark or light is chosen for a year, and the switch offers the other one, also when the system changes', async () => {
  const page = await open('moments')
  await page.close()
  let scheme = 'light'
  const system = new Set<() => void>()
  window.matchMedia = (() => ({
    matches: false,
    addEventListener: (_type: string, listener: () => void) => system.add(listener),
    removeEventListener: (_type: string, listener: () => void) => system.delete(listener),
  })) as never
  globalThis.matchMedia = window.matchMedia
  globalThis.getComputedStyle = (() => ({ colorScheme: document.documentElement.dataset.mode ?? scheme })) as never
  const cookies: string[] = []
  Object.defineProperty(document, 'cookie', { set: (text) => cookies.push(text), get: () => '', configurable: true })
  const { showInProgram } = await import('../support/program-component-page.tsx')
  const { end } = showInProgram('mode')
  await nextTurns()
  const label = () => page.screen.getByRole('button').textContent
  expect(label()).toBe('Dark colors')
  scheme = 'dark'
  for (const changed of system) changed()
  await nextTurns()
  expect(label()).toBe('Light colors')
  fireEvent.click(page.screen.getByRole('button'))
  await nextTurns()
  expect([document.documentElement.dataset.mode, label()]).toEqual(['light', 'Dark colors'])
  expect(cookies).toEqual(['mode=light;path=/;max-age=31536000;samesite=lax'])
  end()
  await nextTurns()
  expect(system.size).toBe(0)
})

test('PWA-009 the screen about an outdated app leads to the store of its platform and cannot be canceled', async () => {
  const config = {
    cmsRoute: '/api/cms',
    minimumAppVersion: '2.0.0',
    appStores: { ios: 'https://ios.example/', android: 'https://android.example/' },
  }
  const nativeApp = { version: '1.9.9', platform: 'android' }
  const { screen } = await open('update', {}, { program: { config, nativeApp } })
  const dialog = await screen.findByRole('dialog', { name: 'New Version Available' })
  expect(screen.getByRole('link')).toHaveAttribute('href', 'https://android.example/')
  const cancel = new Event('cancel', { cancelable: true })
  dialog.dispatchEvent(cancel)
  expect(cancel.defaultPrevented).toBe(true)
  const current = await open('update', {}, { program: { config, nativeApp: { ...nativeApp, version: '2.0.0' } } })
  expect(current.screen.queryByRole('dialog')).toBeNull()
})

test('each page has its own advertising tag, and pages with personal data and visitors with a privacy signal have none', async () => {
  const program = { config: { cmsRoute: '/api/cms', adTagPrefix: 'SKY' }, adTagUrl: 'https://tags.example/tag.js' }
  const tags = () => [...document.querySelectorAll<HTMLElement>('script[data-tag]')].map(({ dataset }) => dataset.tag)
  const page = await open('tags', {}, { program })
  expect(tags()).toEqual(['SKY-search'])
  await page.goTo('/')
  expect(tags()).toEqual(['SKY-home'])
  await page.goTo('/account/overview')
  expect(tags()).toEqual([])
  Object.assign(navigator, { globalPrivacyControl: true })
  await page.goTo('/earn/offers')
  expect(tags()).toEqual([])
  Object.assign(navigator, { globalPrivacyControl: undefined })
  await page.goTo('/earn')
  expect(tags()).toEqual(['SKY-earn'])
  await page.close()
  expect(tags()).toEqual([])
})

test('ERR-016 a page that cannot be rendered is the error page, and the next page is shown again', async () => {
  vi.spyOn(console, 'error').mockImplementation(() => {})
  const config = { cmsRoute: '/api/cms', routeMeta: {}, name: 'Skyharbor', programName: 'Miles', extraPaths: [] }
  // The reference is that of the error, not that of the document.
  const program = { config, origin: 'http://skyharbor.localhost', previewImage: '/social/a.png', reference: 'r-0' }
  const page = await open('page', {}, { program })
  await page.goTo('/a', page.pages.failing)
  expect(await page.screen.findByText(/r-1/)).toBeVisible()
  await page.goTo('/b', page.pages.working as never)
  expect(await page.screen.findByRole('heading', { name: 'It works' })).toBeVisible()
  await page.goTo('/c', page.pages.missing as never)
  expect(await page.screen.findByRole('heading', { name: 'No such restaurant' })).toBeVisible()
  // Its code could not be loaded.
  await page.goTo('/d', page.pages.gone)
  expect((await page.screen.findByRole('heading', { level: 1 })).textContent).not.toMatch(/restaurant/)
})

test('a link of content leads within the app, to the server or to another site, in a new tab where it says so', async () => {
  const { screen, left } = await open('links')
  const attributes = screen
    .getAllByRole('link')
    .map((link) => [link.getAttribute('href'), link.getAttribute('target'), link.getAttribute('rel')])
  expect(attributes).toEqual([
    ['/search', '_blank', 'noopener'],
    ['/Login', null, 'noopener'],
    ['/preview/leave', null, 'noopener'],
    ['/api/docs', null, 'noopener'],
    ['https://a.example/', '_blank', 'noopener'],
  ])
  for (const name of ['/Login', '/preview/leave', '/api/docs']) fireEvent.click(screen.getByRole('link', { name }))
  expect(left.map((url) => new URL(url, window.location.href).pathname)).toEqual([
    '/Login',
    '/preview/leave',
    '/api/docs',
  ])
})

test('SURV-004 SURV-005 surveys appear after their delays, the newest one open, and close when submitted or closed', async () => {
  const survey = (id: string, delay: number) => ({
    id,
    text: `About ${id}`,
    delay_timeout: delay,
    cookie_timeout: 90,
    url_allow_list: [],
    url_disallow_list: [],
  })
  const formsOrigin = 'http://forms.localhost'
  const config = { cmsRoute: '/api/cms', formServiceCode: 'skyharbor' }
  const surveys = [survey('tables', 1), survey('cards', 2)]
  const page = await open('moments')
  await page.close()
  localStorage.clear()
  const { showInProgram } = await import('../support/program-component-page.tsx')
  const program = { config, formsOrigin }
  // The code of surveys is loaded when one is due, which takes longer than the clock of this test.
  const first = showInProgram('surveys', {}, { program, surveys: [survey('first', 0)] })
  await page.screen.findByRole('button', { name: 'About first' })
  first.end()
  await nextTurns()
  useFakeTimers()
  const shown = showInProgram('surveys', {}, { program, surveys })
  const pass = async (ms: number) => {
    await nextTurns()
    vi.advanceTimersByTime(ms)
    for (let turn = 0; turn < 5; turn++) await nextTurns()
    return page.screen
      .queryAllByRole('button', { name: /^About/ })
      .map((title) => [title.textContent, title.getAttribute('aria-expanded')])
  }
  expect(await pass(999)).toEqual([])
  expect(await pass(1)).toEqual([['About tables', 'true']])
  expect(await pass(999)).toHaveLength(1)
  expect(await pass(1)).toEqual([
    ['About tables', 'true'],
    ['About cards', 'true'],
  ])
  const report = (id: string, origin = formsOrigin, type = 'survey-submitted') =>
    window.dispatchEvent(new MessageEvent('message', { data: { type, id }, origin, source: null }))
  report('tables', 'http://evil.example')
  report('other')
  report('tables', formsOrigin, 'survey-opened')
  expect(await pass(10_000)).toHaveLength(2)
  report('tables')
  expect(await pass(3_999)).toHaveLength(2)
  expect(await pass(1)).toEqual([['About cards', 'true']])
  fireEvent.click(page.screen.getByRole('button', { name: 'Close the survey: About cards' }))
  expect(await pass(0)).toEqual([])
  expect(['tables', 'cards'].map((id) => Number(localStorage.getItem(`RN_SURVEY_${id}`)) > 0)).toEqual([true, true])
  shown.end()
  await nextTurns()
  // They stay closed, and a program without forms has none.
  for (const over of [{}, { formServiceCode: undefined }]) {
    if (Object.keys(over).length > 0) localStorage.clear()
    const again = showInProgram('surveys', {}, { program: { config: { ...config, ...over }, formsOrigin }, surveys })
    expect(await pass(60_000)).toEqual([])
    again.end()
    await nextTurns()
  }
})

/** Shows a component whose surroundings in the window are set first; it ends with the test. */
async function openIn(prepare: () => void, ...[name, props, surroundings]: Parameters<Support['showInProgram']>) {
  const page = await open('moments')
  await page.close()
  localStorage.clear()
  prepare()
  const { showInProgram } = await import('../support/program-component-page.tsx')
  const shown = showInProgram(name, props, surroundings)
  // `settle` of a window waits for an idle browser, which these components do not need.
  await nextTurns()
  const end = async () => {
    shown.end()
    await nextTurns()
  }
  onTestFinished(end)
  return { ...shown, end, screen: page.screen, user: page.user, left: page.left }
}

const logo = { kind: 'inline', svg: '<svg></svg>' }

test('SHELL-003 the bar has no menu on the pages of joining, and a new one on each page, so that none stays open', async () => {
  const page = await open('navbar', {}, { program: { logo } })
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
    const { screen } = await open('footer', {}, { program: { config, logo } })
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
    const page = await openIn(() => {}, 'popUps', props, { program: { ...program, ...over }, ...surroundings })
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
    const page = await openIn(() => {}, 'popUps', {}, { program, popups: [welcome] })
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
    const page = await openIn(() => {}, 'impersonation', {}, { program: { ...impersonating, operator }, member })
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
    openIn(
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

test('SESS-003 a session is left at its end with the address of the page, also without a connection', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'Date'] })
  onTestFinished(() => void vi.useRealTimers())
  const program = { apiBase: 'http://skyharbor.localhost', operator: null }
  const { left, screen } = await openIn(
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
  const { setMember, cache } = await openIn(() => {}, 'session', {}, { program, member: viewed })
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
  await openIn(() => localStorage.setItem('RN_MEMBER', 'own'), 'session', {}, { program, member: viewed })
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
    const page = await openIn(prepare, 'signedOut', {}, { program })
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
