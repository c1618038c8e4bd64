import { within } from '@testing-library/dom'
import { expect, test, vi } from 'vitest'
import { joinForm } from '../support/app.ts'
import { linkCard, newMember } from '../support/members.ts'
import { type OpenPage, openPage, type Responder, setUpPages } from '../support/page-dom.ts'

const app = setUpPages()

const submitButton = ({ screen }: OpenPage) =>
  screen.getByRole('main').querySelector<HTMLElement>('button[type=submit]') as HTMLElement

/** Returns the error text of a field, which is associated with it. */
const errorAt = (field: Element) =>
  (field.getAttribute('aria-describedby') ?? '')
    .split(' ')
    .filter((id) => id.endsWith('-error'))
    .map((id) => document.getElementById(id)?.textContent ?? '')
    .join('')

const errors = () => [...document.querySelectorAll('[aria-invalid=true]')].map(errorAt)

/** Waits for the list of errors of the form, and returns it. */
async function findSummary({ screen }: OpenPage) {
  const element = await vi.waitFor(() => {
    const found = screen.queryAllByRole('alert').find(({ textContent }) => textContent.includes('ERROR'))
    if (!found) throw new Error('no list of errors')
    return found
  }, 20_000)
  const summary = within(element)
  return { ...summary, texts: () => summary.getAllByRole('link').map(({ textContent }) => textContent) }
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
  test(`VAL-004 VAL-007 A11Y-016 ${partner} lists all errors of an empty join form at once, with links, and focuses the first field`, async () => {
    const page = await openPage(app, partner, '/join', { width: 375 })
    const { user, screen } = page
    await user.click(submitButton(page))
    const summary = await findSummary(page)
    expect(screen.getByLabelText(/^First name/)).toHaveFocus()
    expect(summary.texts()).toEqual(messages)
    expect(errors()).toEqual(messages)
    await user.click(summary.getByRole('link', { name: 'Enter a password.' }))
    expect(screen.getByLabelText(/^Password/)).toHaveFocus()
    summary.getByRole('link', { name: 'Please accept the terms to join.' }).focus()
    await user.keyboard('{Enter}')
    expect(screen.getByLabelText(/I accept the terms/)).toHaveFocus()
  })
}

test('VAL-007 VAL-014 ENR-006 every field of the join form is validated on blur and accepts common formats', async () => {
  const { user, screen, requests } = await openPage(app, 'orchard', '/join')
  const leave = async (field: HTMLElement, typed: string) => {
    await user.clear(field)
    await user.type(field, typed)
    await user.tab()
  }
  const number = screen.getByLabelText(/Orchard Stay number/)
  const zip = screen.getByLabelText(/^ZIP code/)
  const phone = screen.getByLabelText(/^Phone number/)
  const password = screen.getByLabelText(/^Password/)
  const confirm = screen.getByLabelText(/^Confirm password/)
  for (const [field, typed, error] of [
    [screen.getByLabelText(/^Email address/), 'ada', 'Please enter a valid email address.'],
    [number, '12', 'Please check your Orchard Stay number.'],
    [zip, '100', 'Enter the five digits of your ZIP code.'],
    [phone, '12', 'Invalid phone number, please check the number and try again'],
    [phone, '(155) 234-1234', 'Invalid US based phone number.'],
    [password, 'short', 'Use 8 to 56 characters.'],
    [confirm, 'shorter', 'Passwords do not match.'],
  ] as const) {
    await leave(field, typed)
    await vi.waitFor(() => expect(errorAt(field)).toBe(error), 20_000)
  }
  expect(requests.filter(({ path }) => path.startsWith('/api/Members/Validate/'))).toEqual([])
  await leave(password, 'shorter')
  // The confirmation matches the new password, although that is too short.
  await vi.waitFor(() => expect(confirm).not.toHaveAttribute('aria-invalid', 'true'), 20_000)
  for (const typed of ['(212) 234-1234', '+1 212.234.1234', '12122341234']) {
    await leave(phone, typed)
    await vi.waitFor(() => expect(phone).toHaveValue('212-234-1234'), 20_000)
    expect(phone).not.toHaveAttribute('aria-invalid', 'true')
  }
  await leave(zip, '10001-1234')
  await vi.waitFor(() => expect(zip).not.toHaveAttribute('aria-invalid', 'true'), 20_000)
})

test('VAL-001 VAL-007 the home form is validated on blur, by the server too', async () => {
  const { user, screen, requests } = await openPage(app, 'skyharbor', '/')
  const field = await screen.findByLabelText(/^Start with your email address/)
  await user.type(field, 'not an address')
  await user.tab()
  await vi.waitFor(() => expect(errorAt(field)).toBe('Please enter a valid email address.'), 20_000)
  const validations = () => requests.filter(({ path }) => path.startsWith('/api/Members/Validate/Email'))
  expect(validations()).toEqual([])
  await user.clear(field)
  await user.type(field, joinForm().email)
  await user.tab()
  await vi.waitFor(() => expect(validations()).toHaveLength(1), 20_000)
  await vi.waitFor(() => expect(field).not.toHaveAttribute('aria-invalid', 'true'), 20_000)
  // Sending the form uses that result.
  await user.keyboard('{Enter}')
  await vi.waitFor(() => expect(window.location.pathname).toBe('/join'), 20_000)
  expect(validations()).toHaveLength(1)
})

test('VAL-005 A11Y-016 sign-in and recovery say what is required and name the missing field', async () => {
  const responder: Responder = ({ path }) => (path.endsWith('/Recover/Confirm') ? { status: 500 } : undefined)
  let last: OpenPage | undefined
  for (const [partner, path, messages] of [
    ['skyharbor', '/login', ['Enter your email address or Skyharbor number.', 'Enter your password.']],
    ['gallonaire', '/login', ['Enter your email address.', 'Enter your password.']],
    ['gallonaire', '/recover', ['Enter your email address.']],
    ['gallonaire', '/recover/confirm', ['Enter the code from our email.']],
  ] as const) {
    const page = await openPage(app, partner, path, { responder })
    last = page
    const { user, screen } = page
    expect(screen.getByText('* Required field')).toBeVisible()
    await user.click(submitButton(page))
    await vi.waitFor(() => expect(errors()).toEqual(messages), 20_000)
    expect(document.querySelector('[aria-invalid=true]')).toHaveFocus()
  }
  // The code in the link clears the error about the missing code, and that of a call that failed.
  const { user, screen } = last as OpenPage
  const code = screen.getByLabelText(/^Code/)
  await user.type(code, '123456{Enter}')
  await screen.findByText(/Something went wrong/)
  await user.clear(code)
  await vi.waitFor(() => expect(errors()).toEqual(['Enter the code from our email.']), 20_000)
  window.location.hash = 'code=ABCDE-FGHJK-MNPQR-STVWX-YZ234-5'
  // This DOM does not report it by itself.
  window.dispatchEvent(new PopStateEvent('popstate', { state: window.history.state }))
  await vi.waitFor(
    () => expect(document.body).toHaveTextContent('Continue to check your link and choose a new password.'),
    20_000,
  )
  await vi.waitFor(() => expect(errors()).toEqual([]), 20_000)
  expect(screen.queryByText(/Something went wrong/)).toBeNull()
})

test('VAL-007 A11Y-003 errors of the server are shown in page order, and the input is preserved', async () => {
  let stub: Awaited<ReturnType<Responder>> = {
    status: 400,
    body: [
      { field: 'zipCode', message: 'This ZIP code is not located in the U.S.' },
      { field: 'firstName', message: 'Please use letters, spaces, hyphens and apostrophes.' },
    ],
  }
  const page = await openPage(app, 'gallonaire', '/join', {
    responder: ({ path }) => (path === '/api/Members/Prospects' ? stub : undefined),
  })
  const { user, screen } = page
  const values = [
    [/^First name/, 'Ada'],
    [/^Last name/, 'Lovelace'],
    [/^Email address/, joinForm().email],
    [/^ZIP code/, '10001'],
    [/^Password/, 'sourdough 4 breakfast'],
    [/^Confirm password/, 'sourdough 4 breakfast'],
  ] as const
  for (const [label, value] of values) await user.type(screen.getByLabelText(label), value)
  await user.click(screen.getByLabelText(/I accept the terms/))
  await user.click(submitButton(page))
  const summary = await findSummary(page)
  expect(screen.getByLabelText(/^First name/)).toHaveFocus()
  // A message that does not name its field has its name in the list.
  expect(summary.texts()).toEqual([
    'First name: Please use letters, spaces, hyphens and apostrophes.',
    'This ZIP code is not located in the U.S.',
  ])
  // Leaving the field does not remove its error: only the server knows better.
  await user.tab()
  expect(errors()).toEqual([
    'Please use letters, spaces, hyphens and apostrophes.',
    'This ZIP code is not located in the U.S.',
  ])
  stub = { status: 500, body: {} }
  await user.click(submitButton(page))
  expect(await screen.findByText(/Something went wrong/)).toBeVisible()
  for (const [label, value] of values) expect(screen.getByLabelText(label)).toHaveValue(value)
  expect(screen.getByLabelText(/I accept the terms/)).toBeChecked()
})

test('PROF-025 PROF-028 A11Y-016 the profile names missing fields and preserves the input', async () => {
  const member = await newMember(app, 'orchard')
  await linkCard(app, member)
  const { visitor } = member
  const page = await openPage(app, 'orchard', '/account/user_profile', { visitor })
  const { user, screen } = page
  const [city, lastName] = [screen.getByLabelText(/^City/), screen.getByLabelText(/^Last name/)]
  const firstName = screen.getByLabelText(/^First name/)
  await user.clear(city)
  await user.clear(lastName)
  await user.clear(firstName)
  await user.type(firstName, 'Augusta')
  await user.clear(screen.getByLabelText(/^ZIP code/))
  await user.type(screen.getByLabelText(/^ZIP code/), '10001-1234')
  await user.click(submitButton(page))
  const summary = await findSummary(page)
  expect(lastName).toHaveFocus()
  expect(summary.texts()).toEqual(['Enter your last name.', 'Enter your city.'])
  const top = 'No changes were saved. See error at bottom of page for more details.'
  expect(await screen.findByText(top)).toBeVisible()
  await user.type(lastName, 'King')
  await user.type(city, 'New York')
  await user.click(submitButton(page))
  expect(await screen.findByText('All changes were saved.')).toBeVisible()
  const saved = (await visitor.get('/api/Member')).json()
  expect([saved.firstName, saved.address.zipCode]).toEqual(['Augusta', '10001'])
})
