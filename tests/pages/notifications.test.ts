import { within } from '@testing-library/dom'
import { expect, test, vi } from 'vitest'
import { createCardMember } from '../support/card-member.ts'
import type { Visitor } from '../support/members.ts'
import { type OpenPage, openPage, setUpPages } from '../support/page-dom.ts'

const app = setUpPages()
const path = '/api/Member/Notices'

/** Waits until a choice is stored: a page is usable again at once, while its request is on its way. */
const expectStored = (visitor: Visitor, choice: { topic: string } & Record<string, string | boolean>) =>
  vi.waitFor(async () => {
    const { choices } = (await visitor.get(path)).json()
    expect(choices.find(({ topic }: { topic: string }) => topic === choice.topic)).toMatchObject(choice)
  }, 20_000)

test('a member chooses which notifications to get and how, and the choice is stored', async () => {
  const { visitor } = await createCardMember(app, 'orchard')
  let page = await openPage(app, 'orchard', '/account/privacy', { visitor })
  const posted = () => page.screen.getByRole('checkbox', { name: 'Email: a reward is posted' })
  const review = () => page.screen.getByRole('checkbox', { name: 'Email: a review is about to expire' })
  expect(posted()).not.toBeChecked()
  expect(review()).toBeChecked()
  await page.user.click(posted())
  await page.screen.findByText('Saved.')
  await page.user.click(review())
  await expectStored(visitor, { topic: 'reviewDue', email: false })
  page = await page.goto('/account/privacy')
  expect(posted()).toBeChecked()
  expect(review()).not.toBeChecked()
  // After a choice the page shows what is stored, also where another tab has changed what was chosen here.
  const device = page.screen.getByRole('checkbox', { name: 'On my devices: a reward is posted' })
  await page.user.click(device)
  await vi.waitFor(() => expect(device).not.toBeChecked(), 20_000)
  await expectStored(visitor, { topic: 'rewardPosted', push: false })
  const other = { topic: 'rewardPosted', channel: 'push', wanted: true }
  expect((await visitor.change('PUT', path, other)).status).toBe(200)
  await page.user.click(review())
  await vi.waitFor(() => expect(device).toBeChecked(), 20_000)
  // A program without reviews has no notification about them.
  const { screen } = await openPage(app, 'gallonaire', '/account/privacy', {
    visitor: (await createCardMember(app, 'gallonaire')).visitor,
  })
  expect(screen.getByRole('checkbox', { name: 'Email: a reward is posted' })).toBeVisible()
  expect(screen.queryByRole('checkbox', { name: /review/ })).toBeNull()
})

test('a choice of notifications that could not be saved is shown as it was, and can be made again', async () => {
  const { visitor } = await createCardMember(app, 'skyharbor')
  let fails = true
  const { user, screen } = await openPage(app, 'skyharbor', '/account/privacy', {
    visitor,
    responder: ({ method, path: called }) =>
      fails && method === 'PUT' && called === path ? { status: 500 } : undefined,
  })
  const posted = screen.getByRole('checkbox', { name: 'Email: a reward is posted' })
  await user.click(posted)
  expect(await screen.findByText(/Something went wrong/)).toBeVisible()
  await vi.waitFor(() => expect(posted).not.toBeChecked(), 20_000)
  fails = false
  await user.click(posted)
  await expectStored(visitor, { topic: 'rewardPosted', email: true })
  expect(posted).toBeChecked()
})

test('a choice that waits for another one to be saved is shown as chosen, and both are reported as one', async () => {
  const { visitor } = await createCardMember(app, 'orchard')
  const held = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  let sent = 0
  const { user, screen } = await openPage(app, 'orchard', '/account/privacy', {
    visitor,
    responder: async ({ method, path: called }) => {
      if (method === 'PUT' && called === path) await held[sent++]?.promise
      return undefined
    },
  })
  const [posted, review] = ['a reward is posted', 'a review is about to expire'].map((topic) =>
    screen.getByRole('checkbox', { name: `Email: ${topic}` }),
  ) as [HTMLElement, HTMLElement]
  await user.click(posted)
  await user.click(review)
  const shown = () => [posted, review].map((box) => (box as HTMLInputElement).checked)
  expect(shown()).toEqual([true, false])
  held[0]?.resolve()
  await screen.findByText('Saved.')
  await vi.waitFor(() => expect(sent).toBe(2), 20_000)
  expect(shown()).toEqual([true, false])
  held[1]?.resolve()
  await expectStored(visitor, { topic: 'reviewDue', email: false })
  await vi.waitFor(() => expect(screen.getAllByText('Saved.')).toHaveLength(1), 20_000)
  expect(shown()).toEqual([true, false])
})

// An iPhone has no push messages before the site is added to its home screen.
test.each(['Notification', 'PushManager'])(
  'a browser without %s says so instead of offering notifications',
  async (missing) => {
    const { visitor } = await createCardMember(app, 'skyharbor')
    const page = await openPage(app, 'skyharbor', '/account/overview', { visitor })
    addNotifications('granted')
    delete (window as unknown as Record<string, unknown>)[missing]
    await openPrivacy(page)
    expect(await page.screen.findByText(/^This browser can’t show notifications\./)).toBeVisible()
    expect(page.screen.queryByRole('button', { name: 'Notify me on this device' })).toBeNull()
  },
)

/** Adds the notifications of a browser to the page, because this DOM has none. */
function addNotifications(answer: NotificationPermission, pushManager?: object): void {
  const Notification = { requestPermission: async () => answer }
  vi.stubGlobal('Notification', Notification)
  Object.assign(window, { Notification, PushManager: class {} })
  const worker = pushManager && { pushManager }
  const serviceWorker = { ready: Promise.resolve(worker), getRegistration: async () => worker }
  Object.defineProperty(navigator, 'serviceWorker', { value: serviceWorker })
}

/** Adds push notifications, which the member allows. */
function addPush({ isSubscribed = false } = {}) {
  const browser = { isSubscribed, key: '' }
  const endpoint = 'https://fcm.googleapis.com/fcm/send/ada'
  const subscription = {
    endpoint,
    toJSON: () => ({ endpoint, keys: { p256dh: 'B'.repeat(87), auth: 'A'.repeat(22) } }),
    async unsubscribe() {
      browser.isSubscribed = false
      return true
    },
  }
  addNotifications('granted', {
    getSubscription: async () => (browser.isSubscribed ? subscription : null),
    async subscribe({ applicationServerKey }: PushSubscriptionOptionsInit) {
      Object.assign(browser, { isSubscribed: true, key: applicationServerKey })
      return subscription
    },
  })
  return browser
}

const openPrivacy = ({ user, screen }: OpenPage) =>
  user.click(within(screen.getByRole('main')).getByRole('link', { name: 'Privacy' }))

test('a member who blocks notifications sees how to allow them', async () => {
  const { visitor } = await createCardMember(app, 'skyharbor')
  const page = await openPage(app, 'skyharbor', '/account/overview', { visitor })
  addNotifications('denied')
  await openPrivacy(page)
  await page.user.click(await page.screen.findByRole('button', { name: 'Notify me on this device' }))
  const notice = await page.screen.findByText(/This browser is blocking notifications\./)
  expect(notice.closest('[data-kind]')).toHaveAttribute('data-kind', 'warning')
  expect(page.screen.queryByRole('button', { name: 'Stop on this device' })).toBeNull()
})

test('a member who turns push notifications off on a device finds them off later, and can turn them on again', async () => {
  const { visitor } = await createCardMember(app, 'skyharbor')
  const page = await openPage(app, 'skyharbor', '/account/overview', { visitor })
  const { user, screen } = page
  const browser = addPush()
  const devices = async () => (await visitor.get(path)).json().devices
  const turn = async (button: string, next: string) => {
    await user.click(await screen.findByRole('button', { name: button }))
    expect(await screen.findByRole('button', { name: next })).toBeVisible()
  }
  await openPrivacy(page)
  await turn('Notify me on this device', 'Stop on this device')
  expect([await devices(), browser.isSubscribed]).toEqual([1, true])
  expect(browser.key).toBe((await visitor.get(path)).json().publicKey)
  // Nights are those of the device.
  const { timeZone } = new Intl.DateTimeFormat().resolvedOptions()
  expect(page.calls('POST /api/Member/Push').map(({ body }) => body.timeZone)).toEqual([timeZone])
  await turn('Stop on this device', 'Notify me on this device')
  expect(await screen.findByText('Notifications are off for this device.')).toBeVisible()
  expect([await devices(), browser.isSubscribed]).toEqual([0, false])
  await user.click(within(screen.getByRole('main')).getByRole('link', { name: 'Profile' }))
  await screen.findByRole('heading', { level: 2, name: 'Profile' })
  await openPrivacy(page)
  await turn('Notify me on this device', 'Stop on this device')
  expect([await devices(), browser.isSubscribed]).toEqual([1, true])
  // Now they are found on.
  await user.click(within(screen.getByRole('main')).getByRole('link', { name: 'Profile' }))
  await screen.findByRole('heading', { level: 2, name: 'Profile' })
  await openPrivacy(page)
  expect(await screen.findByRole('button', { name: 'Stop on this device' })).toBeVisible()
})

test('SESS-025 a browser whose notifications ended with its session finds them off, and can turn them on again', async () => {
  const { visitor } = await createCardMember(app, 'skyharbor')
  const page = await openPage(app, 'skyharbor', '/account/overview', { visitor })
  const { user, screen } = page
  // The browser still has the subscription that the server has deleted.
  addPush({ isSubscribed: true })
  await openPrivacy(page)
  await user.click(await screen.findByRole('button', { name: 'Notify me on this device' }))
  expect(await screen.findByRole('button', { name: 'Stop on this device' })).toBeVisible()
  expect((await visitor.get(path)).json().devices).toBe(1)
})

test('a browser whose subscription could not be stored is not subscribed, and the member can try again', async () => {
  const { visitor } = await createCardMember(app, 'skyharbor')
  let fails = true
  const page = await openPage(app, 'skyharbor', '/account/overview', {
    visitor,
    responder: ({ path: called, method }) =>
      fails && method !== 'GET' && ['/api/Member/Push', path].includes(called) ? { status: 500 } : undefined,
  })
  const browser = addPush()
  await openPrivacy(page)
  await page.user.click(await page.screen.findByRole('button', { name: 'Notify me on this device' }))
  expect(await page.screen.findByText(/Something went wrong/)).toBeVisible()
  expect([(await visitor.get(path)).json().devices, browser.isSubscribed]).toEqual([0, false])
  // Nor does the page show a choice that could not be stored.
  const posted = page.screen.getByRole('checkbox', { name: 'Email: a reward is posted' })
  await page.user.click(posted)
  await vi.waitFor(() => expect(page.calls(`PUT ${path}`)).toHaveLength(1), 20_000)
  await vi.waitFor(() => expect(posted).not.toBeChecked(), 20_000)
  fails = false
  await page.user.click(await page.screen.findByRole('button', { name: 'Notify me on this device' }))
  expect(await page.screen.findByRole('button', { name: 'Stop on this device' })).toBeVisible()
  expect([(await visitor.get(path)).json().devices, browser.isSubscribed]).toEqual([1, true])
})

test('a device for which turning off fails stays on, and the member can try again', async () => {
  const { visitor } = await createCardMember(app, 'skyharbor')
  let fails = false
  const page = await openPage(app, 'skyharbor', '/account/overview', {
    visitor,
    responder: ({ path: called }) => (fails && called.startsWith('/api/Member/Push') ? { status: 500 } : undefined),
  })
  const { user, screen } = page
  const browser = addPush()
  await openPrivacy(page)
  await user.click(await screen.findByRole('button', { name: 'Notify me on this device' }))
  await screen.findByRole('button', { name: 'Stop on this device' })
  fails = true
  await user.click(screen.getByRole('button', { name: 'Stop on this device' }))
  expect(await screen.findByText(/Something went wrong/)).toBeVisible()
  expect([(await visitor.get(path)).json().devices, browser.isSubscribed]).toEqual([1, true])
  fails = false
  await user.click(screen.getByRole('button', { name: 'Stop on this device' }))
  expect(await screen.findByRole('button', { name: 'Notify me on this device' })).toBeVisible()
  expect([(await visitor.get(path)).json().devices, browser.isSubscribed]).toEqual([0, false])
})
