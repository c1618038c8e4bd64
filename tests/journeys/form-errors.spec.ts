import type { Locator, Page } from '@playwright/test'
import { at, callApi, expect, test } from '../support/journey.ts'
import { joinViaApi, joinWithCard, newEmail } from '../support/journey-members.ts'

// Some responses are failures on purpose.
test.use({ tolerated: /status of (400|401|404|500)|ERR_FAILED/ })

const submit = (page: Page) => page.getByRole('main').locator('button[type=submit]')

/** Returns the error text of a field, which is associated with it. */
async function errorAt(field: Locator): Promise<string> {
  return field.evaluate((control) =>
    (control.getAttribute('aria-describedby') ?? '')
      .split(' ')
      .filter((id) => id.endsWith('-error'))
      .map((id) => document.getElementById(id)?.textContent ?? '')
      .join(''),
  )
}

for (const [partner, messages] of [
  [
    'orchard',
    [
      'Enter your first name.',
      'Enter your last name.',
      'Enter your email address.',
      'Enter your Orchard Stay number.',
      'Enter your address.',
      'Enter your city.',
      'Choose your state.',
      'Enter your ZIP code.',
      'Enter a password.',
      'Confirm your password.',
      'Please accept the terms to join.',
    ],
  ],
  [
    'gallonaire',
    [
      'Enter your first name.',
      'Enter your last name.',
      'Enter your email address.',
      'Enter your ZIP code.',
      'Enter a password.',
      'Confirm your password.',
      'Please accept the terms to join.',
    ],
  ],
] as const) {
  test(`VAL-004 VAL-007 A11Y-016 ${partner} lists all errors of an empty join form at once, with links, and focuses the first field`, async ({
    page,
  }) => {
    await page.setViewportSize({ width: 375, height: 700 })
    await page.goto(at(partner, '/join'))
    await submit(page).click()
    await expect(page.getByLabel('First name')).toBeFocused()
    await expect(page.getByLabel('First name')).toBeInViewport()
    const summary = page.getByRole('alert').filter({ hasText: 'ERROR' })
    await expect(summary.getByRole('link')).toHaveText(messages)
    const wrong = page.locator('[aria-invalid=true]')
    await expect(wrong).toHaveCount(messages.length)
    for (const [index, message] of messages.entries()) expect(await errorAt(wrong.nth(index))).toBe(message)
    await summary.getByRole('link', { name: 'Enter a password.' }).click()
    await expect(page.getByRole('textbox', { name: /^Password/ })).toBeFocused()
    await summary.getByRole('link', { name: 'Please accept the terms to join.' }).press('Enter')
    await expect(page.getByLabel(/I accept the terms/)).toBeFocused()
  })
}

test('VAL-007 VAL-014 ENR-006 every field of the join form is validated on blur and accepts common formats', async ({
  page,
}) => {
  await page.goto(at('orchard', '/join'))
  const leave = async (field: Locator, typed: string) => {
    await field.fill('')
    await field.pressSequentially(typed)
    await page.keyboard.press('Tab')
  }
  const number = page.getByLabel(/Orchard Stay number/)
  const password = page.getByRole('textbox', { name: /^Password/ })
  const confirm = page.getByRole('textbox', { name: /^Confirm password/ })
  for (const [field, typed, error] of [
    [page.getByLabel('Email address'), 'ada', 'Please enter a valid email address.'],
    [number, '12', 'Please check your Orchard Stay number.'],
    [page.getByLabel('ZIP code'), '100', 'Must be exactly 5 characters.'],
    [page.getByLabel('Phone number'), '12', 'Invalid phone number, please check the number and try again'],
    [page.getByLabel('Phone number'), '(155) 234-1234', 'Invalid US based phone number.'],
    [password, 'short', 'Use 8 to 56 characters.'],
    [confirm, 'shorter', 'Passwords do not match.'],
  ] as const) {
    await leave(field, typed)
    await expect.poll(() => errorAt(field)).toBe(error)
  }
  await leave(password, 'shorter')
  // The confirmation matches the new password, although that is too short.
  await expect(confirm).not.toHaveAttribute('aria-invalid', 'true')
  for (const typed of ['(555) 234-1234', '+1 555.234.1234', '15552341234']) {
    await leave(page.getByLabel('Phone number'), typed)
    await expect(page.getByLabel('Phone number')).toHaveValue('555-234-1234')
    await expect(page.getByLabel('Phone number')).not.toHaveAttribute('aria-invalid', 'true')
  }
  await leave(page.getByLabel('ZIP code'), '10001-1234')
  await expect(page.getByLabel('ZIP code')).not.toHaveAttribute('aria-invalid', 'true')
})

test('VAL-001 VAL-007 the home form is validated on blur, by the server too', async ({ page }) => {
  await page.goto(at('skyharbor'))
  const field = page.getByLabel('Start with your email address')
  await field.fill('not an address')
  await field.blur()
  await expect.poll(() => errorAt(field)).toBe('Please enter a valid email address.')
  const request = page.waitForRequest('**/api/Members/Validate/Email*')
  await field.fill(newEmail())
  await field.blur()
  await request
  await expect(field).not.toHaveAttribute('aria-invalid', 'true')
})

test('VAL-007 a click on the button counts even when the blurred field shows or clears an error', async ({ page }) => {
  // The mouse does not scroll.
  await page.setViewportSize({ width: 1280, height: 1400 })
  await page.goto(at('gallonaire', '/login'))
  const sent = page.waitForRequest('**/api/SignIn')
  const password = page.getByRole('textbox', { name: /^Password/ })
  await page.getByLabel(/^Email address/).fill('unknown@example.com')
  await password.focus()
  const press = async () => {
    const box = await submit(page).first().boundingBox()
    if (!box) throw new Error('no button')
    // At its upper edge: an error that appears above the button would move it away from the pointer.
    await page.mouse.move(box.x + box.width / 2, box.y + 4)
    await page.mouse.down()
    await page.evaluate(() => new Promise((done) => setTimeout(done, 200)))
    await page.mouse.up()
  }
  await press()
  await expect(page.getByRole('alert')).toContainText('Please check form for errors.')
  await expect(password).toBeFocused()
  await password.fill('wrong')
  await expect(password).not.toHaveAttribute('aria-invalid', 'true')
  await press()
  await sent
})

test('VAL-005 A11Y-016 sign-in and recovery say what is required and name the missing field', async ({ page }) => {
  for (const [partner, path, messages] of [
    ['skyharbor', '/login', ['Enter your email address or Skyharbor number.', 'Enter your password.']],
    ['gallonaire', '/login', ['Enter your email address.', 'Enter your password.']],
    ['gallonaire', '/recover', ['Enter your email address.']],
    ['gallonaire', '/recover/confirm', ['Enter the code from our email.']],
  ] as const) {
    await page.goto(at(partner, path))
    await expect(page.getByText('* Required field')).toBeVisible()
    await submit(page).first().click()
    const wrong = page.locator('[aria-invalid=true]')
    await expect(wrong).toHaveCount(messages.length)
    await expect(wrong.first()).toBeFocused()
    for (const [index, message] of messages.entries()) expect(await errorAt(wrong.nth(index))).toBe(message)
  }
  // The code in the link clears the error about the missing code.
  await page.evaluate(() => {
    window.location.hash = 'code=ABCDE-FGHJK-MNPQR-STVWX-YZ234-5'
  })
  await expect(page.getByText('Your link works. Continue to choose a new password.')).toBeVisible()
  await expect(page.locator('[aria-invalid=true]')).toHaveCount(0)
})

test('VAL-007 A11Y-003 errors of the server are shown in page order, and the input is preserved', async ({ page }) => {
  await page.route('**/api/Members/Prospects', (route) =>
    route.fulfill({
      status: 400,
      json: [
        { field: 'zipCode', message: 'This ZIP code is not located in the U.S.' },
        { field: 'firstName', message: 'Please use letters, spaces, hyphens and apostrophes.' },
      ],
    }),
  )
  await page.goto(at('gallonaire', '/join'))
  const values = { 'First name': 'Ada', 'Last name': 'Lovelace', 'Email address': newEmail(), 'ZIP code': '10001' }
  for (const [label, value] of Object.entries(values)) await page.getByLabel(label).fill(value)
  await page.getByRole('textbox', { name: /^Password/ }).fill('sourdough 4 breakfast')
  await page.getByRole('textbox', { name: /^Confirm password/ }).fill('sourdough 4 breakfast')
  await page.getByLabel(/I accept the terms/).check()
  await submit(page).click()
  await expect(page.getByLabel('First name')).toBeFocused()
  await expect(page.getByRole('alert').getByRole('link')).toHaveText([
    'Please use letters, spaces, hyphens and apostrophes.',
    'This ZIP code is not located in the U.S.',
  ])
  await page.unroute('**/api/Members/Prospects')
  await page.route('**/api/Members/Prospects', (route) => route.fulfill({ status: 500, json: {} }))
  await submit(page).click()
  await expect(page.getByText(/Something went wrong/)).toBeVisible()
  for (const [label, value] of Object.entries(values)) await expect(page.getByLabel(label)).toHaveValue(value)
  await expect(page.getByRole('textbox', { name: /^Password/ })).toHaveValue('sourdough 4 breakfast')
  await expect(page.getByLabel(/I accept the terms/)).toBeChecked()
})

test('A11Y-016 a missing transaction names every invalid field and accepts a day in common formats', async ({
  page,
}) => {
  await joinViaApi(page, 'skyharbor')
  await page.goto(at('skyharbor', '/account/missing_meal'))
  await expect(page.getByText('* Required field')).toBeVisible()
  await submit(page).click()
  await expect(page.getByLabel('Date')).toBeFocused()
  const summary = page.getByRole('alert').filter({ hasText: 'ERROR' })
  await expect(summary.getByRole('link')).toHaveText([
    'Enter the date of your meal: today or earlier.',
    'Enter the name of the restaurant.',
    /^Enter an amount/,
  ])
  const looks = await page.locator('[id$="-error"]:not(:empty)').evaluateAll((errors) =>
    errors.map((error) => {
      const { font, color } = getComputedStyle(error)
      return `${font} ${color}`
    }),
  )
  expect([looks.length, new Set(looks).size]).toEqual([3, 1])
  await summary.getByRole('link', { name: 'Enter the name of the restaurant.' }).click()
  await expect(page.getByRole('combobox', { name: 'Restaurant' })).toBeFocused()
  await page.getByLabel('Date').focus()
  await page.keyboard.type('3/5/2026')
  await expect(page.getByLabel('Date')).toHaveValue('2026-03-05')
  await expect(page.getByLabel('Date')).not.toHaveAttribute('aria-invalid', 'true')
})

test('PROF-025 PROF-028 A11Y-016 the profile names missing fields and preserves the input', async ({ page }) => {
  await joinWithCard(page, 'orchard')
  await page.goto(at('orchard', '/account/user_profile'))
  await page.getByLabel('City').fill('')
  await page.getByLabel('Last name').fill('')
  await page.getByLabel('First name').fill('Augusta')
  await page.getByLabel('ZIP code').fill('10001-1234')
  await submit(page).click()
  await expect(page.getByLabel('Last name')).toBeFocused()
  await expect(page.getByRole('alert').getByRole('link')).toHaveText(['Enter your last name.', 'Enter your city.'])
  await expect(page.getByText('No changes were saved. See error at bottom of page for more details.')).toBeVisible()
  await page.getByLabel('Last name').fill('King')
  await page.getByLabel('City').fill('New York')
  await submit(page).click()
  await expect(page.getByText('All changes were saved.')).toBeVisible()
  const { address, firstName } = await callApi(page, '/api/Member')
  expect([firstName, address.zipCode]).toEqual(['Augusta', '10001'])
})
