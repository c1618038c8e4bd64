import { expect, test, vi } from 'vitest'
import { visit } from '../support/app.ts'
import { newMember } from '../support/members.ts'
import { queryAsOwner } from '../support/owner.ts'
import { openPage, setUpPages } from '../support/page-dom.ts'
import { barLink, mainOf } from '../support/page-forms.ts'
import { nextTurns } from '../support/page-window.ts'

const app = setUpPages()

/** Turns a feature flag on with the staging tools, and waits until every page follows. */
async function turnOn(partner: string, name: string, label: string): Promise<void> {
  const page = await openPage(app, partner, '/staging-tools')
  const { user, screen } = page
  await user.click(screen.getByLabelText(label))
  expect(screen.getByLabelText(label)).toBeChecked()
  await vi.waitFor(() => expect(page.calls('PUT /api/staging/flags')).toHaveLength(1), 20_000)
  await followed(partner, name, true)
}

/** Waits until a flag has a value for every visitor. */
const followed = (partner: string, name: string, value: boolean) =>
  vi.waitFor(async () => {
    const { authFlags } = (await visit(app, partner).get('/api/feature-flags')).json()
    expect(authFlags[name]).toBe(value)
  }, 20_000)

/** Sets a feature flag as the staging tools do, from another browser. */
async function turn(partner: string, name: string, value: boolean): Promise<void> {
  const body = { kind: 'authFlags', name, value }
  expect((await visit(app, partner).change('PUT', '/api/staging/flags', body)).status).toBe(200)
  await followed(partner, name, value)
}

test('SESS-020 SHELL-028 SHELL-029 SHELL-032 PART-033 API-016 sign-in under maintenance shows a message within a second, also on an open page', async () => {
  const heading = { name: "We're Working On It" }
  try {
    const reader = await openPage(app, 'gallonaire', '/how-it-works')
    await turn('gallonaire', 'loginMaintenance', true)
    await reader.user.click(barLink('Sign in'))
    // A page that knows of the new version loads a document.
    await vi.waitFor(() => expect([reader.address, reader.left]).toContain('/login'), 20_000)
    const shown = reader.left === null ? reader : await reader.follow()
    expect(await shown.screen.findByRole('heading', heading)).toBeVisible()
    await turn('gallonaire', 'loginMaintenance', false)
    await turnOn('gallonaire', 'loginMaintenance', 'Sign-in is under maintenance')
    const { screen } = await openPage(app, 'gallonaire', '/login')
    expect(screen.getByRole('heading', heading)).toBeVisible()
    expect(
      screen.getByText(
        "We're currently experiencing an issue with our login process. Our team is working to resolve it as quickly as possible. Please check back later.",
      ),
    ).toBeVisible()
    expect(mainOf(screen).getByRole('link', { name: 'Back to the home page' })).toHaveAttribute('href', '/')
    expect((await visit(app, 'gallonaire').get('/join', { accept: 'text/html' })).status).toBe(200)
    const join = await openPage(app, 'gallonaire', '/join')
    expect(join.screen.getByRole('heading', { level: 1 })).toBeVisible()
    expect(join.screen.queryByRole('heading', heading)).toBeNull()
  } finally {
    await turn('gallonaire', 'loginMaintenance', false)
  }
})

test('ENR-015 SHELL-030 joining under maintenance shows a message', async () => {
  try {
    await turnOn('orchard', 'joinMaintenance', 'Joining is under maintenance')
    const { screen } = await openPage(app, 'orchard', '/join')
    expect(
      screen.getByText(/experiencing an issue with our enrollment process\. .* Please check back later\./),
    ).toBeVisible()
  } finally {
    await turn('orchard', 'joinMaintenance', false)
  }
})

test('SHELL-031 any other page under maintenance gets 503 and a general message', async () => {
  const statusOf = async () => (await visit(app, 'lantern').get('/earn', { accept: 'text/html' })).status
  try {
    await turnOn('lantern', 'siteMaintenance', 'The whole site is under maintenance')
    await vi.waitFor(async () => expect(await statusOf()).toBe(503), 20_000)
    const { screen } = await openPage(app, 'lantern', '/earn')
    expect(
      screen.getByText(
        "We're currently experiencing an issue. Our team is working to resolve it as quickly as possible. Please check back later.",
      ),
    ).toBeVisible()
  } finally {
    // The tools are an ordinary page.
    await turn('lantern', 'siteMaintenance', false)
  }
  await vi.waitFor(async () => expect(await statusOf()).toBe(200), 20_000)
})

test('SHELL-031 while a site is closed, so are sign-in and joining, with words of their own, and the staging tools are open', async () => {
  const heading = { name: "We're Working On It" }
  try {
    await turn('orchard', 'siteMaintenance', true)
    for (const path of ['/staging-tools', '/staging-tools/states']) {
      const { address, screen } = await openPage(app, 'orchard', path)
      expect([path, address]).toEqual([path, path])
      expect(screen.getByRole('heading', { level: 1 })).toBeVisible()
      expect(screen.queryByRole('heading', heading)).toBeNull()
      const { status } = await visit(app, 'orchard').get(path, { accept: 'text/html' })
      expect([path, status]).toEqual([path, 200])
    }
    for (const [path, text] of [
      ['/login', /issue with our login process/],
      ['/join', /issue with our enrollment process/],
      ['/recover', /experiencing an issue[.]/],
    ] as const) {
      const { status } = await visit(app, 'orchard').get(path, { accept: 'text/html' })
      expect([path, status]).toEqual([path, 503])
      const { screen } = await openPage(app, 'orchard', path)
      expect(screen.getByRole('heading', heading)).toBeVisible()
      expect(screen.getByText(text)).toBeVisible()
    }
  } finally {
    await turn('orchard', 'siteMaintenance', false)
  }
})

test('GEN-002 HOME-003 HOME-010 CMS-010 ROLE-002 TRACK-013 API-009 an invited visitor is greeted, also on later visits without the public id in the address', async () => {
  const { visitor, publicId } = await newMember(app, 'gallonaire')
  const headingOf = async (path: string, who = visit(app, 'gallonaire')) => {
    const { screen } = await openPage(app, 'gallonaire', path, { visitor: who })
    return screen.getByRole('heading', { level: 1 }).textContent
  }
  const known = visit(app, 'gallonaire')
  const heading = await headingOf(`/?publicId=${publicId}`, known)
  expect(heading).toBeTruthy()
  await vi.waitFor(() => expect(document.cookie).toContain('public_id='), 20_000)
  expect(await headingOf('/', known)).toBe(heading)
  const stranger = visit(app, 'gallonaire')
  expect(await headingOf('/', stranger)).not.toBe(heading)
  expect(await headingOf('/?publicId=AAAAAAAAAAAAAAAAAAAAAA', stranger)).not.toBe(heading)
  // The member herself sees the content for members without a card.
  expect(await headingOf('/', visitor)).not.toBe(heading)
})

test('HOME-010 an invited visitor whose account is closed sees the content for closed accounts', async () => {
  const { publicId } = await newMember(app, 'gallonaire')
  await queryAsOwner(
    app.database.ownerUrl,
    "update members set member_type = 'ClosedAccountMember', active = false where public_id = $1",
    [publicId],
  )
  const { screen } = await openPage(app, 'gallonaire', `/?publicId=${publicId}`)
  expect(screen.getByRole('heading', { level: 1 })).toHaveTextContent('Out of gas?')
})

test('CMS-004 CMS-009 ACCT-013 ACCT-014 ACCT-015 ACCT-016 ACCT-020 side texts, link groups and the referral link come from content', async () => {
  const search = await openPage(app, 'gallonaire', '/search?location=10001')
  const asides = search.screen.getAllByRole('complementary')
  expect(asides.some(({ textContent }) => textContent?.includes('$50 = 10¢.'))).toBe(true)
  const { visitor } = await newMember(app, 'gallonaire')
  const { user, screen } = await openPage(app, 'gallonaire', '/account/overview', { visitor })
  expect(screen.getByRole('heading', { name: 'Share the ride' })).toBeVisible()
  // A copy that the browser denies is not reported as one.
  const write = vi.spyOn(window.navigator.clipboard, 'writeText').mockRejectedValueOnce(new Error('denied'))
  await user.click(screen.getByRole('button', { name: 'Copy' }))
  await vi.waitFor(() => expect(write).toHaveBeenCalledOnce(), 20_000)
  await nextTurns()
  expect(screen.queryByText('Your referral link has been copied.')).toBeNull()
  await user.click(screen.getByLabelText('Your referral link'))
  expect(await screen.findByText('Your referral link has been copied.')).toBeVisible()
  const copied = new URL(await window.navigator.clipboard.readText())
  const { publicId, referralCode } = (await visitor.get('/api/Member')).json()
  expect(copied.pathname).toBe('/join')
  expect(Object.fromEntries(copied.searchParams)).toEqual({
    utm_source: 'account_overview',
    utm_medium: 'web',
    utm_campaign: 'referral',
    referrer: referralCode,
  })
  expect(copied.href).not.toContain(publicId)
  // Where the browser denies it, the link is selected for a copy by hand.
  const link = screen.getByLabelText<HTMLInputElement>('Your referral link')
  link.setSelectionRange(0, 0)
  write.mockRejectedValue(new Error('denied'))
  await user.click(screen.getByRole('button', { name: 'Copy' }))
  expect([link.selectionStart, link.selectionEnd]).toEqual([0, copied.href.length])
  expect(mainOf(screen).getAllByRole('link', { name: /All the ways|bag 50/ })[0]).toBeVisible()
})
