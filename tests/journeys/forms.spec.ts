import { at, expect, test } from '../support/journey.ts'
import { join } from '../support/journey-members.ts'

// Some responses are failures on purpose.
test.use({ tolerated: /status of (400|401|404)|ERR_FAILED/ })

test('VAL-003 VAL-005 VAL-007 A11Y-003 a form shows an error when a field is left, and focuses the first invalid field on submit', async ({
  page,
}) => {
  await page.goto(at('skyharbor', '/join'))
  await expect(page.getByText('* Required field')).toBeVisible()
  const first = page.getByLabel('First name')
  await expect(page.getByLabel(/First name.*\(required\)/)).toBeVisible()
  await first.focus()
  await page.getByLabel('Last name').focus()
  await expect(page.getByText('Enter your first name.')).toBeVisible()
  await expect(first).toHaveAttribute('aria-invalid', 'true')
  await first.fill('Ada')
  await first.blur()
  await expect(first).not.toHaveAttribute('aria-invalid', 'true')
  await page.getByRole('button', { name: 'Continue to your card' }).click()
  await expect(page.getByLabel('Last name')).toBeFocused()
})

test('VAL-013 A11Y-006 ENR-008 a busy button says so, and an error of the server is shown at its field', async ({
  page,
}) => {
  await page.route('**/api/Members/Prospects', async (route) => {
    await new Promise((resolve) => setTimeout(resolve, 700))
    await route.fulfill({
      status: 400,
      json: [
        {
          field: 'email',
          message: 'This email address already has an account. Sign in, or reset your password if you have none.',
        },
      ],
    })
  })
  await page.goto(at('gallonaire', '/join'))
  await join(page)
  await expect(page.getByText('Working on your request, please wait.')).toBeVisible()
  await expect(page.getByText('This email address already has an account.')).toBeVisible()
  await expect(page.getByLabel('Email address')).toBeFocused()
  await expect(page.getByRole('button', { name: 'Continue to your card' })).toBeVisible()
})

test('VAL-013 a form that has been sent is held until the next page is shown', async ({ page }) => {
  let isHeld = true
  await page.route('**/assets/ConfirmPage*.js', async (route) => {
    await expect.poll(() => isHeld).toBe(false)
    await route.continue()
  })
  const sent: string[] = []
  page.on('request', (request) => {
    if (request.url().endsWith('/api/Members/Recover')) sent.push(request.url())
  })
  await page.goto(at('gallonaire', '/recover'))
  await page.getByLabel(/^Email address/).fill('unknown@example.com')
  const response = page.waitForResponse('**/api/Members/Recover')
  await page.getByRole('main').locator('button[type=submit]').click()
  await (await response).finished()
  // Long enough for the form to take another submit.
  for (let i = 0; i < 5; i++) {
    await page
      .getByRole('main')
      .locator('form')
      .evaluate((form: HTMLFormElement) => form.requestSubmit())
    await page.evaluate(() => new Promise((resolve) => setTimeout(resolve, 50)))
  }
  isHeld = false
  await expect(page).toHaveURL(/recover\/confirm/)
  expect(sent).toHaveLength(1)
})

test('ERR-022 VAL-006 a call that fails shows a banner, and the form can be sent again', async ({ page }) => {
  await page.route('**/api/SignIn', (route) => route.abort())
  await page.goto(at('skyharbor', '/login'))
  await page.getByLabel(/Email address or/).fill('ada@example.com')
  await page.getByRole('textbox', { name: /^Password/ }).fill('sourdough 4 breakfast')
  await page.getByRole('button', { name: 'Sign in', exact: true }).click()
  await expect(page.getByRole('alert')).toContainText('ERROR')
  await expect(page.getByRole('button', { name: 'Sign in', exact: true })).toBeEnabled()
})

test('SESS-011 VAL-008 a password can be shown, and an active caps lock is announced', async ({ page }) => {
  await page.goto(at('skyharbor', '/login'))
  const password = page.getByRole('textbox', { name: /^Password/ })
  await password.fill('secret')
  await expect(password).toHaveAttribute('type', 'password')
  await page.getByRole('button', { name: 'Show password' }).click()
  await expect(password).toHaveAttribute('type', 'text')
  const send = (type: 'keydown' | 'keyup', modifierCapsLock: boolean) =>
    password.evaluate(
      (input, { type, ...init }) => input.dispatchEvent(new KeyboardEvent(type, { key: 'A', bubbles: true, ...init })),
      { type, modifierCapsLock },
    )
  await send('keydown', true)
  await expect(page.getByText('Caps lock is on.')).toBeVisible()
  // Released keys tell the state, too: on some systems the lock key itself changes it only then.
  await send('keyup', false)
  await expect(page.getByText('Caps lock is on.')).toHaveCount(0)
})

test('ROUTE-029 ROUTE-030 ROUTE-031 a new page starts at its top with its own title and description', async ({
  page,
}) => {
  await page.goto(at('skyharbor', '/search?location=10001'))
  await page.mouse.wheel(0, 3000)
  await page.getByRole('article').nth(5).getByRole('link').first().click()
  await expect(page.getByText('What this meal earns')).toBeVisible()
  await expect.poll(() => page.evaluate(() => window.scrollY)).toBe(0)
  await page.goto(at('lantern', '/error'))
  await expect(page.locator('meta[name=description]')).toHaveAttribute('content', 'Lantern Club')
})

test('PART-024 ROUTE-030 ROUTE-031 a configured path has its own title, others have that of the home entry or the program’s name', async ({
  page,
}) => {
  const head = async (partner: string, path: string) => {
    await page.goto(at(partner, path))
    const meta = (name: string) => page.locator(`meta[name=${name}]`).getAttribute('content')
    return [await page.title(), await meta('description'), await meta('keywords')]
  }
  expect(await head('skyharbor', '/join')).toEqual([
    'Join: your details | Skyharbor',
    expect.stringContaining('Free to join'),
    'join, enroll, free',
  ])
  expect(await head('orchard', '/search')).toEqual([
    'Find a table | Orchard Stay',
    expect.stringContaining('near your next stay'),
    'restaurant search, hotel points, reservations',
  ])
  const home = await head('gallonaire', '/')
  const [title, ...others] = await head('gallonaire', '/search')
  expect(title).toMatch(new RegExp(` · ${home[0]}$`))
  expect(others).toEqual(home.slice(1))
  expect((await head('skyharbor', '/nowhere'))[0]).toBe('Page not found | Skyharbor')
  await page.goto(at('lantern', '/search'))
  await expect(page).toHaveTitle(/ · Lantern Club$/)
  await expect(page.locator('meta[name=keywords]')).toHaveCount(0)
})

test('ROUTE-036 the front page is the one that the program configures', async ({ page }) => {
  await page.goto(at('beacon'))
  const front = await page.getByRole('heading', { level: 1 }).textContent()
  await page.goto(at('beacon', '/discover'))
  await expect(page.getByRole('heading', { level: 1 })).toHaveText(front ?? '')
})

test('CONST-018 CONST-019 SHELL-040 SHELL-042 the sizes are those of the design', async ({ page }) => {
  await page.goto(at('orchard'))
  const size = (name: string) =>
    page.evaluate((property) => getComputedStyle(document.documentElement).getPropertyValue(property).trim(), name)
  expect(
    await Promise.all(
      [
        '--spinner-size',
        '--spinner-space',
        '--spinner-border',
        '--modal-width',
        '--toast-width',
        '--bar-height',
        '--content-width',
        '--content-wide',
        '--content-min',
      ].map(size),
    ),
  ).toEqual(['60px', '60px', '6px', '650px', '550px', '45px', '1050px', '1400px', '320px'])
})
