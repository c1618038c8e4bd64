import '@testing-library/jest-dom/vitest'
import { configure, fireEvent } from '@testing-library/dom'
import { afterAll, expect, onTestFinished, test, vi } from 'vitest'
import { openComponent, openPrepared } from '../support/open-component.ts'
import { nextTurns, restoreGlobals } from '../support/page-window.ts'

// As long as a busy machine needs.
configure({ asyncUtilTimeout: 20_000 })
afterAll(restoreGlobals)

function useFakeTimers(): void {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  onTestFinished(() => void vi.useRealTimers())
}

test('a change reports its success or its failure, and in any case its end', async () => {
  const { screen, user, reports, endWith } = await openComponent('cancel')
  const press = () => user.click(screen.getByRole('button', { name: 'cancel' }))
  await press()
  await vi.waitFor(() => expect(reports).toEqual(['success of the first', 'settled']), 20_000)
  endWith({ status: 409, code: 'x' })
  await press()
  await vi.waitFor(() => expect(reports.slice(2)).toEqual(['failure no', 'settled']), 20_000)
  await vi.waitFor(() => expect(screen.getByRole('status')).toHaveTextContent('no'), 20_000)
})

test('a change that takes long ends with the functions of the last rendering', async () => {
  const { screen, user, reports, endWith, change } = await openComponent('cancel')
  const { promise: after, resolve: end } = Promise.withResolvers<void>()
  endWith({ status: 200, code: '', after })
  await user.click(screen.getByRole('button', { name: 'cancel' }))
  await change({ name: 'second' })
  end()
  await vi.waitFor(() => expect(reports).toEqual(['success of the second', 'settled']), 20_000)
})

test('a change without a session leaves for the sign-in page, which returns to the address with its query', async () => {
  const { screen, user, reports, left, endWith } = await openComponent('cancel')
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
  const { screen, user, reports, left, endWith } = await openComponent('cancel', { staysOn401: true })
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
  const page = await openComponent('moments')
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
  const page = await openComponent('moments')
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
  const { screen } = await openComponent('moments')
  const zoned = new Intl.DateTimeFormat('en-US', { dateStyle: 'medium', timeStyle: 'short' })
  const day = new Intl.DateTimeFormat('en-US', { dateStyle: 'medium' })
  const instant = new Date('2026-03-10T02:30:00Z')
  expect(screen.getByRole('status').textContent).toBe(`${day.format(instant)} / ${zoned.format(instant)}`)
})

test('large content that is ready appears at once, and what becomes ready later does so turn by turn', async () => {
  const ready = await openComponent('turns', { isReady: true })
  expect(ready.screen.getByRole('status')).toHaveTextContent('3')
  const later = await openComponent('turns', { isReady: false })
  expect(later.screen.getByRole('status')).toHaveTextContent('0')
  const shown: string[] = []
  const output = later.screen.getByRole('status')
  new MutationObserver(() => shown.push(output.textContent)).observe(output, { characterData: true, subtree: true })
  await later.change({ isReady: true })
  await vi.waitFor(() => expect(shown).toEqual(['1', '2', '3']), 20_000)
})

test('a value that changes all the time counts when it has not changed for a while', async () => {
  const { screen, change } = await openComponent('debounced', { value: 'c' })
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
    const { screen } = await openComponent('removable')
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
  const account = await openComponent('account', {}, { member })
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
  const menu = await openComponent('menu', {}, { content })
  recordHidden(hidden)
  // Each address once, where it is first.
  expect(menu.screen.getAllByRole('link').map((link) => link.getAttribute('href'))).toEqual([
    '/join?returnTo=%2Fsearch%3Flocation%3D10001',
    '/login?returnTo=%2Fsearch%3Flocation%3D10001',
    '/earn',
    '/help',
  ])
  fireEvent.click(menu.screen.getByRole('navigation'))
  expect(hidden).toHaveLength(1)
  fireEvent.click(menu.screen.getByRole('link', { name: 'Help' }))
  expect(hidden).toEqual(['account-menu', 'main-menu'])
})

test('dark or light is chosen for a year, and the switch offers the other one, also when the system changes', async () => {
  const page = await openComponent('moments')
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
  const { screen } = await openComponent('update', {}, { program: { config, nativeApp } })
  const dialog = await screen.findByRole('dialog', { name: 'New Version Available' })
  expect(screen.getByRole('link')).toHaveAttribute('href', 'https://android.example/')
  const cancel = new Event('cancel', { cancelable: true })
  dialog.dispatchEvent(cancel)
  expect(cancel.defaultPrevented).toBe(true)
  const current = await openComponent(
    'update',
    {},
    { program: { config, nativeApp: { ...nativeApp, version: '2.0.0' } } },
  )
  expect(current.screen.queryByRole('dialog')).toBeNull()
  // Without a store there is nothing to link to.
  const without = { ...config, appStores: { ios: config.appStores.ios } }
  const last = await openComponent('update', {}, { program: { config: without, nativeApp } })
  expect(await last.screen.findByRole('dialog', { name: 'New Version Available' })).toBeVisible()
  expect(last.screen.queryByText('Update Now')).toBeNull()
})

test('the offer to install ends when the program was installed, and is for browsers only', async () => {
  const { awaitInstallPrompt } = await import('../../src/programs/pwa/member/embed/install-prompt.ts')
  const config = { cmsRoute: '/api/cms', hasPWAInstallBanner: true }
  const nativeApp = { version: '2.0.0', platform: 'android' }
  const openOffered = async (program: object, isStandalone = false) => {
    const prepare = () => {
      if (isStandalone) globalThis.matchMedia = (() => ({ matches: true })) as never
      awaitInstallPrompt()
      window.dispatchEvent(Object.assign(new Event('beforeinstallprompt'), { prompt: async () => {} }))
    }
    const { screen, end } = await openPrepared(prepare, 'install', {}, { program: { config, ...program } })
    return { end, offer: () => screen.queryByRole('complementary', { name: /^Install/ }) }
  }
  const first = await openOffered({})
  await vi.waitFor(() => expect(first.offer()).toBeVisible(), 20_000)
  window.dispatchEvent(new Event('appinstalled'))
  await vi.waitFor(() => expect(first.offer()).toBeNull(), 20_000)
  await first.end()
  // Its code is loaded by now: it would show at once.
  for (const [program, isStandalone, isOffered] of [
    [{}, false, true],
    [{}, true, false],
    [{ nativeApp }, false, false],
    [{ config: { ...config, hasPWAInstallBanner: false } }, false, false],
  ] as const) {
    const { offer, end } = await openOffered(program, isStandalone)
    expect([program, isStandalone, offer() !== null]).toEqual([program, isStandalone, isOffered])
    await end()
  }
})

test('a part of a page that could not be loaded is loaded with a new document, which takes a network', async () => {
  const { screen, left } = await openComponent('notLoaded')
  const retry = screen.getByRole('button', { name: 'Try again' })
  const setOnline = (value: boolean) => Object.defineProperty(navigator, 'onLine', { value, configurable: true })
  setOnline(false)
  fireEvent.click(retry)
  expect(left).toEqual([])
  setOnline(true)
  fireEvent.click(retry)
  expect(left).toEqual([window.location.href])
})

test('a page follows the activity of its member, and that of an impersonated member is loaded once', async () => {
  const streams = new Set<object>()
  const collectStreams = () => {
    globalThis.EventSource = class {
      constructor() {
        streams.add(this)
      }
      addEventListener() {}
      close() {
        streams.delete(this)
      }
    } as never
  }
  const openLive = (operator: object | null) => openPrepared(collectStreams, 'live', {}, { program: { operator } })
  for (const mayChange of [true, false]) {
    const { end } = await openLive({ name: 'Ana', mayChange })
    expect(streams.size).toBe(0)
    await end()
  }
  const { end } = await openLive(null)
  expect(streams.size).toBe(1)
  await end()
  expect(streams.size).toBe(0)
})

test('page views of operators who see the app as a member are not sent', async () => {
  for (const operator of [{ name: 'Ana', mayChange: false }, { name: 'Ana', mayChange: true }, null]) {
    const listened: string[] = []
    const listen = () =>
      vi.spyOn(window, 'addEventListener').mockImplementation((type: string) => void listened.push(type))
    const config = { cmsRoute: '/api/cms', code: 'skyharbor' }
    const { end } = await openPrepared(listen, 'tracking', {}, { program: { config, operator, apiBase: '' } })
    // What sends events also sends the last ones when the page is left.
    expect([operator, listened.includes('pagehide')]).toEqual([operator, operator === null])
    await end()
  }
})

test('each page has its own advertising tag, and pages with personal data and visitors with a privacy signal have none', async () => {
  const program = { config: { cmsRoute: '/api/cms', adTagPrefix: 'SKY' }, adTagUrl: 'https://tags.example/tag.js' }
  const tags = () => [...document.querySelectorAll<HTMLElement>('script[data-tag]')].map(({ dataset }) => dataset.tag)
  const page = await openComponent('tags', {}, { program })
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
  const page = await openComponent('page', {}, { program })
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
  const { screen, left } = await openComponent('links')
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

const survey = (id: string, delay: number, over: object = {}) => ({
  id,
  text: `About ${id}`,
  delay_timeout: delay,
  cookie_timeout: 90,
  url_allow_list: [],
  url_disallow_list: [],
  ...over,
})

test('SURV-004 SURV-005 surveys appear after their delays, the newest one open, and close when submitted or closed', async () => {
  const formsOrigin = 'http://forms.localhost'
  const config = { cmsRoute: '/api/cms', formServiceCode: 'skyharbor' }
  const surveys = [survey('tables', 1), survey('cards', 2)]
  const page = await openComponent('moments')
  await page.close()
  localStorage.clear()
  window.history.replaceState(null, '', '/how-it-works')
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

interface SurveyOptions {
  over?: object
  member?: object | null
  /** Sets the window first. */
  prepare?: () => void
}

/** Shows one survey that is due, once its bar is there. */
async function openSurvey({ over = {}, member = null, prepare = () => {} }: SurveyOptions = {}) {
  const formsOrigin = 'http://forms.localhost'
  const program = { config: { cmsRoute: '/api/cms', formServiceCode: 'skyharbor' }, formsOrigin }
  const surroundings = { program, member, surveys: [survey('tables', 0, over)] }
  const { screen, goTo } = await openPrepared(prepare, 'surveys', {}, surroundings)
  const title = await screen.findByRole('button', { name: 'About tables' })
  // It listens to its form from the next turn on.
  await nextTurns()
  return {
    goTo,
    title,
    bars: screen.getByRole('region', { name: 'Surveys' }),
    isOpen: () => title.getAttribute('aria-expanded') === 'true',
    submit: () =>
      window.dispatchEvent(
        new MessageEvent('message', {
          data: { type: 'survey-submitted', id: 'tables' },
          origin: formsOrigin,
          source: document.querySelector('iframe')?.contentWindow ?? null,
        } as MessageEventInit),
      ),
  }
}

test('on a narrow screen a survey opens on touch only, and its form is about the page, the campaign and the member', async () => {
  const prepare = () => {
    globalThis.matchMedia = (() => ({ matches: false })) as never
    window.history.replaceState(null, '', '/search?utm_campaign=autumn')
  }
  const { title, isOpen } = await openSurvey({ member: { publicId: 'ada' }, prepare })
  expect(isOpen()).toBe(false)
  fireEvent.click(title)
  await vi.waitFor(() => expect(isOpen()).toBe(true), 20_000)
  const form = document.querySelector('iframe') as HTMLIFrameElement
  expect(Object.fromEntries(new URL(form.src).searchParams)).toMatchObject({
    utm_campaign: 'autumn',
    utm_source: '/search',
    public_id: 'ada',
  })
  fireEvent.click(title)
  await vi.waitFor(() => expect(isOpen()).toBe(false), 20_000)
})

test('an open survey closes its form when it covers the element with the focus, and not for other ones', async () => {
  const { bars, isOpen } = await openSurvey({
    prepare: () => window.history.replaceState(null, '', '/how-it-works'),
  })
  expect(isOpen()).toBe(true)
  const addButton = (top: number) => {
    const button = document.body.appendChild(document.createElement('button'))
    button.getBoundingClientRect = () => ({ top, bottom: top + 40, left: 0, right: 80 }) as DOMRect
    return button
  }
  bars.getBoundingClientRect = () => ({ top: 300, bottom: 800, left: 0, right: 400 }) as DOMRect
  const frames: (() => void)[] = []
  globalThis.requestAnimationFrame = (frame) => frames.push(() => frame(0))
  const focus = async (button: HTMLElement) => {
    button.focus()
    for (const frame of frames.splice(0)) frame()
    await nextTurns()
    return isOpen()
  }
  expect([await focus(addButton(100)), await focus(addButton(260)), await focus(addButton(261))]).toEqual([
    true,
    true,
    false,
  ])
})

test('a survey that was submitted stays closed also when the page, or its document, is left before the bar closes', async () => {
  for (const way of ['page', 'document']) {
    const { submit, goTo } = await openSurvey({ over: { url_disallow_list: [{ url_disallowed: '/earn' }] } })
    const isClosed = () => localStorage.getItem('RN_SURVEY_tables') !== null
    submit()
    await nextTurns()
    expect(isClosed()).toBe(false)
    if (way === 'page') goTo('/earn')
    else window.dispatchEvent(new Event('pagehide'))
    // At once: the timer of the bar ends with its page.
    await nextTurns()
    expect([way, isClosed()]).toEqual([way, true])
  }
})
