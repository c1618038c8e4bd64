import { within } from '@testing-library/dom'
import { expect, test, vi } from 'vitest'
import { createCardMember } from '../support/card-member.ts'
import type { Visitor } from '../support/members.ts'
import { openPage, setUpPages } from '../support/page-dom.ts'

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

test('a member who blocks notifications sees how to allow them', async () => {
  const { visitor } = await createCardMember(app, 'skyharbor')
  const { user, screen } = await openPage(app, 'skyharbor', '/account/overview', { visitor })
  // This DOM has no notifications: from here on, the browser is one that has them, and blocks them.
  const Notification = { requestPermission: async () => 'denied' }
  vi.stubGlobal('Notification', Notification)
  Object.assign(window, { Notification, PushManager: class {} })
  Object.defineProperty(navigator, 'serviceWorker', { value: { getRegistration: async () => undefined } })
  await user.click(within(screen.getByRole('main')).getByRole('link', { name: 'Privacy' }))
  await user.click(await screen.findByRole('button', { name: 'Notify me on this device' }))
  expect(await screen.findByText(/This browser is blocking notifications\./)).toBeVisible()
})
