import { within } from '@testing-library/dom'
import { expect, test, vi } from 'vitest'
import { newMember } from '../support/members.ts'
import { openPage, type Responder, setUpPages } from '../support/page-dom.ts'

const app = setUpPages()

async function openProfile(partner: string, responder?: Responder) {
  const { visitor } = await newMember(app, partner)
  const page = await openPage(app, partner, '/account/user_profile', { visitor, ...(responder && { responder }) })
  const { user, screen } = page
  /** Replaces the text of a field by a single change. */
  const fill = async (field: HTMLInputElement, text: string) => {
    await user.click(field)
    field.select()
    await user.paste(text)
  }
  const save = () => user.click(screen.getByRole('button', { name: 'Save changes' }))
  return { ...page, page, user, screen, fill, save }
}

test('PROF-001 PROF-019 PROF-020 PROF-021 PROF-022 PROF-006 a profile can be changed, and fields that cannot be changed say how to do it', async () => {
  const { page, user, screen, fill, save } = await openProfile('gallonaire')
  expect(screen.getByLabelText('Email address')).toBeDisabled()
  expect(screen.getByLabelText('Password')).toBeDisabled()
  expect(screen.getByText(/To change your email address, contact us at .* or call 1-800/)).toBeVisible()
  expect(screen.getByText(/Change your password under “Sign-in & security”/)).toBeVisible()
  const state = screen.getByLabelText<HTMLSelectElement>(/^State/)
  // 50 states, DC, five territories, three codes of the armed forces, and an empty choice.
  expect(state.options).toHaveLength(60)
  await save()
  expect(await screen.findByText('No changes were made.')).toBeVisible()
  expect(page.requests.filter(({ method }) => method === 'PUT')).toEqual([])
  await fill(screen.getByLabelText<HTMLInputElement>(/^First name/), 'Augusta')
  await user.selectOptions(state, 'IL')
  await save()
  expect(await screen.findByText('All changes were saved.')).toBeVisible()
  const member = (await page.visitor.get('/api/Member')).json()
  expect(member).toMatchObject({ firstName: 'Augusta', address: { state: 'IL' } })
  await save()
  expect(await screen.findByText('No changes were made.')).toBeVisible()
  expect(page.requests.filter(({ method }) => method === 'PUT')).toHaveLength(1)
})

test('PROF-009 PROF-010 PROF-011 PROF-028 a ZIP code is validated once on blur, and a failure shows an error', async () => {
  let fails = false
  const { page, user, screen, fill } = await openProfile('gallonaire', ({ path }) =>
    fails && path.includes('/Validate/Zip') ? { status: 500, body: {} } : undefined,
  )
  const zip = screen.getByLabelText<HTMLInputElement>(/^ZIP code/)
  const requestedZips = () =>
    page.requests.flatMap(({ path }) => {
      const url = new URL(path, 'http://any')
      return url.pathname.endsWith('/Validate/Zip') ? [url.searchParams.get('zip')] : []
    })
  const leave = () => user.click(screen.getByLabelText(/^First name/))
  const wrong = 'This ZIP code is not located in the U.S.'
  await fill(zip, '00000')
  expect(screen.queryByText(wrong)).toBeNull()
  await leave()
  expect(await screen.findByText(wrong)).toBeVisible()
  await user.click(zip)
  await leave()
  expect(await screen.findByText(wrong)).toBeVisible()
  expect(requestedZips()).toEqual(['00000'])
  await fill(zip, '10001')
  await leave()
  await vi.waitFor(() => expect(requestedZips()).toEqual(['00000', '10001']), 20_000)
  await vi.waitFor(() => expect(screen.queryByText(wrong)).toBeNull(), 20_000)
  await fill(zip, '00000')
  await leave()
  expect(await screen.findByText(wrong)).toBeVisible()
  expect(requestedZips()).toEqual(['00000', '10001'])
  fails = true
  await fill(zip, '60601')
  await leave()
  expect(await screen.findByText('Something went wrong. Please try again in a moment.')).toBeVisible()
})

test('PROF-012 PROF-013 PROF-014 PROF-015 PROF-016 the first form of consent is reset by every change of its number', async () => {
  const { page, user, screen, fill } = await openProfile('skyharbor')
  const phone = screen.getByLabelText<HTMLInputElement>(/^Phone number/)
  const texts = screen.getByLabelText(/^Text me offers/)
  const { partnerNumber, joinDate } = (await page.visitor.get('/api/Member')).json()
  const day = new Date(joinDate).toLocaleDateString('en-US', { dateStyle: 'long', timeZone: 'UTC' })
  const facts = [...document.querySelectorAll('main dt')].map((term) => [
    term.textContent,
    term.nextElementSibling?.textContent,
  ])
  expect(facts).toEqual([
    ['Skyharbor number', partnerNumber],
    ['Member since', day],
  ])
  expect(texts).toBeDisabled()
  await fill(phone, '1 212 555 0100')
  await user.tab()
  expect(phone).toHaveValue('212-555-0100')
  await user.click(texts)
  expect(texts).toBeChecked()
  await fill(phone, '212-555-0199')
  expect(texts).not.toBeChecked()
  await user.click(texts)
  expect(texts).toBeChecked()
  await user.clear(phone)
  expect(texts).not.toBeChecked()
  expect(texts).toBeDisabled()
  await fill(phone, '123-555-0100')
  await user.tab()
  expect(await screen.findByText('Invalid US based phone number.')).toBeVisible()
})

test('PROF-017 PROF-023 PROF-024 VAL-021 the second form opens a dialog with its own checkbox', async () => {
  const { user, screen, fill } = await openProfile('gallonaire')
  const phone = screen.getByLabelText<HTMLInputElement>(/^Phone number/)
  const texts = screen.getByLabelText(/^Text me offers/)
  await fill(phone, '212-555-0100')
  await user.tab()
  const open = async () => {
    await user.click(texts)
    return within(await screen.findByRole('dialog', { name: 'Offers by text message' }))
  }
  const confirm = async (dialog: Awaited<ReturnType<typeof open>>) => {
    await user.click(dialog.getByRole('button', { name: 'Confirm' }))
    await vi.waitFor(() => expect(screen.queryByRole('dialog')).toBeNull(), 20_000)
  }
  await user.click((await open()).getByRole('button', { name: 'Cancel' }))
  await vi.waitFor(() => expect(screen.queryByRole('dialog')).toBeNull(), 20_000)
  expect(texts).not.toBeChecked()
  await confirm(await open())
  expect(texts).not.toBeChecked()
  // Closing agrees to nothing, whatever was ticked.
  await user.click((await open()).getByLabelText(/^Text me offers/))
  await user.click(within(screen.getByRole('dialog')).getByRole('button', { name: 'Close' }))
  await vi.waitFor(() => expect(screen.queryByRole('dialog')).toBeNull(), 20_000)
  expect(texts).not.toBeChecked()
  const dialog = await open()
  await user.click(dialog.getByLabelText(/^Text me offers/))
  await confirm(dialog)
  expect(texts).toBeChecked()
  // To withdraw the consent needs no dialog.
  await user.click(texts)
  expect([screen.queryByRole('dialog'), (texts as HTMLInputElement).checked]).toEqual([null, false])
  const again = await open()
  await user.click(again.getByLabelText(/^Text me offers/))
  await confirm(again)
  // Another valid number preserves it, an invalid one does not.
  await fill(phone, '212-555-0199')
  await user.tab()
  expect(texts).toBeChecked()
  await fill(phone, '212-155-0199')
  await user.tab()
  await vi.waitFor(() => expect(texts).not.toBeChecked(), 20_000)
})

test('PROF-016 PROF-017 a change of the number that ends the text messages says so before it is saved', async () => {
  for (const [partner, before, after, said] of [
    [
      'skyharbor',
      '212-555-0100',
      '212-555-0199',
      /^You agreed to texts at 212-555-0100\. To get them at the new number,/,
    ],
    ['gallonaire', '212-555-0100', '212-155-0199', /^To keep getting texts, enter a valid phone number\.$/],
  ] as const) {
    const { visitor } = await newMember(app, partner)
    const { address, ...member } = (await visitor.get('/api/Member')).json()
    const stored = { ...address, firstName: member.firstName, lastName: member.lastName, emailOptIn: member.emailOptIn }
    const saved = await visitor.change('PUT', '/api/Member', { ...stored, phoneNumber: before, smsOptIn: true })
    expect(saved.json()).toMatchObject({ smsOptIn: true })
    const { user, screen } = await openPage(app, partner, '/account/user_profile', { visitor })
    const phone = screen.getByLabelText<HTMLInputElement>(/^Phone number/)
    const texts = screen.getByLabelText(/^Text me offers/)
    const type = async (text: string) => {
      await user.click(phone)
      phone.select()
      await user.paste(text)
      await user.tab()
    }
    expect(texts).toBeChecked()
    await type(after)
    expect(await screen.findByText(said)).toBeVisible()
    expect(texts).not.toBeChecked()
    // A slip that is corrected costs nothing.
    await type('2125550100')
    await vi.waitFor(() => expect(screen.queryByText(said)).toBeNull(), 20_000)
    expect(texts).toBeChecked()
    await user.clear(phone)
    expect(
      await screen.findByText('Without a phone number, the texts to 212-555-0100 end when you save.'),
    ).toBeVisible()
    expect(texts).not.toBeChecked()
    await type(before)
    // Whoever unticks the box has decided, and needs no explanation.
    await user.click(texts)
    await type(after)
    await type(before)
    expect(texts).not.toBeChecked()
    expect(screen.queryByText(/the texts to|You agreed to texts|keep getting texts/)).toBeNull()
  }
})

test('PROF-025 PROF-026 PROF-027 a save that fails shows an error at the top, at its field, or at the end', async () => {
  let stub: Awaited<ReturnType<Responder>> = {
    status: 400,
    body: [{ field: 'city', message: 'Not a city of ours.' }],
  }
  const { user, screen, fill, save } = await openProfile('gallonaire', ({ method, path }) =>
    method === 'PUT' && path === '/api/Member' ? stub : undefined,
  )
  const city = screen.getByLabelText<HTMLInputElement>(/^City/)
  await fill(city, 'Chicago')
  await user.click(screen.getByLabelText(/^First name/))
  await save()
  const top = 'No changes were saved. See error at bottom of page for more details.'
  expect(await screen.findByText(top)).toBeVisible()
  expect(document.getElementById(`${city.id}-error`)).toHaveTextContent('Not a city of ours.')
  expect(city).toHaveFocus()
  const end = await within(screen.getByRole('main')).findByRole('alert')
  expect(end).toHaveTextContent('Please check this field:')
  expect(within(end).getByRole('link', { name: 'Not a city of ours.' })).toBeVisible()
  stub = { status: 500, body: {} }
  await fill(city, 'Springfield')
  await save()
  const general = 'Something went wrong. Please try again in a moment.'
  const banner = within(screen.getByRole('main'))
  await vi.waitFor(() => expect(banner.getByRole('alert')).toHaveTextContent(general), 20_000)
  // An invalid field replaces the failure of the call.
  await user.clear(screen.getByLabelText(/^Last name/))
  await save()
  await vi.waitFor(() => expect(screen.getAllByText('Enter your last name.')).toHaveLength(2), 20_000)
  expect(banner.getByRole('alert')).not.toHaveTextContent(general)
  expect(banner.getByRole('alert')).toHaveTextContent('Please check this field:Enter your last name.')
  await fill(screen.getByLabelText<HTMLInputElement>(/^Last name/), 'King')
  // A success that replaces the error at the top disappears as any other does.
  stub = undefined
  await save()
  expect(await screen.findByText('All changes were saved.')).toBeVisible()
  await vi.waitFor(() => expect(screen.queryByText('All changes were saved.')).toBeNull(), 20_000)
})

test('errors are announced at their fields, and none is left once all were corrected and saved', async () => {
  const { screen, fill, save } = await openProfile('gallonaire')
  const [first, last] = [/^First name/, /^Last name/].map((label) => screen.getByLabelText<HTMLInputElement>(label))
  if (!first || !last) throw new Error('the form has no name')
  // Screen readers announce a change only within an element that they know.
  const regions = [first, last].map(({ id }) => document.getElementById(`${id}-error`))
  for (const region of regions) {
    expect(region).toHaveAttribute('aria-live', 'polite')
    expect(region).toBeEmptyDOMElement()
  }
  await fill(first, ' ')
  await fill(last, ' ')
  await save()
  const summary = await screen.findByText('Please check these fields:')
  const [list] = screen.getAllByRole('alert').filter((alert) => alert.contains(summary))
  expect(within(list as HTMLElement).getAllByRole('link')).toHaveLength(2)
  for (const [i, field] of [first, last].entries()) {
    expect(regions[i]?.isConnected).toBe(true)
    expect(regions[i]).not.toBeEmptyDOMElement()
    expect(field).toHaveAccessibleDescription(regions[i]?.textContent ?? '')
  }
  await fill(first, 'Augusta')
  await fill(last, 'King')
  await save()
  expect(await screen.findByText('All changes were saved.')).toBeVisible()
  expect(screen.queryByText('Please check these fields:')).toBeNull()
  for (const region of regions) expect(region).toBeEmptyDOMElement()
})
