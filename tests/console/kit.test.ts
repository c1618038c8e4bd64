import { waitFor } from '@testing-library/dom'
import { afterAll, expect, test } from 'vitest'
import { type Answer, openConsolePart, problem } from '../support/console-window.ts'
import { restoreGlobals } from '../support/page-window.ts'

afterAll(restoreGlobals)

async function openNaming(answer: Answer) {
  const part = await openConsolePart('naming', { path: '/skyharbor/names', answer })
  await part.user.click(part.screen.getByRole('button', { name: 'open' }))
  const store = () => part.user.click(part.screen.getByRole('button', { name: 'Store' }))
  return { ...part, store, field: (name: string) => part.screen.getByRole('textbox', { name }) }
}

test('CON-732 a dialog opens at its first field, and a failed act is said where it can be corrected', async () => {
  let stored: ReturnType<Answer> = { body: {} }
  const { screen, user, field, store } = await openNaming(({ method }) =>
    method === 'GET' ? { body: { name: 'First' } } : stored,
  )
  await waitFor(() => expect(field('Name')).toHaveFocus())
  // Without a reason nothing is sent: it is said at the reason.
  await store()
  expect(field('Reason')).toHaveFocus()
  expect(field('Reason')).toHaveAccessibleDescription(/Please say why, in a few words/)
  await user.type(field('Reason'), 'Ticket 4711')
  // An error of a field is at the field, which has the focus; the button says that there is one.
  stored = { status: 400, body: [{ field: 'name', message: 'This name is taken.' }] }
  await store()
  await waitFor(() => expect(field('Name')).toHaveFocus())
  expect(field('Name')).toHaveAccessibleDescription(/This name is taken/)
  expect(screen.getByRole('alert')).toHaveTextContent('Please correct what is marked.')
  // One of a field without a place for it, and one of the whole, are beside the buttons and have the focus.
  stored = { status: 400, body: [{ field: 'title', message: 'This title is too long.' }] }
  await store()
  await waitFor(() => expect(screen.getByRole('alert')).toHaveTextContent('This title is too long.'))
  stored = problem(409, 'conflict', 'Someone else changed this meanwhile.')
  await store()
  await waitFor(() => expect(screen.getByRole('alert')).toHaveTextContent('Someone else changed this meanwhile.'))
  const alert = screen.getByRole('alert')
  await waitFor(() => expect(alert).toHaveFocus())
  expect(alert.nextElementSibling).toContainElement(screen.getByRole('button', { name: 'Store' }))
  expect(field('Reason').compareDocumentPosition(alert)).toBe(Node.DOCUMENT_POSITION_FOLLOWING)
})

test('CON-733 after a refused act the page shows what is stored now, beside the message', async () => {
  let stored = 'First'
  let status = 200
  const { screen, user, requests, field, store } = await openNaming(({ method }) =>
    method === 'GET' ? { body: { name: stored } } : problem(status, 'conflict', 'Someone else changed this meanwhile.'),
  )
  const reads = () => requests.filter((request) => request.startsWith('GET')).length
  await user.type(field('Reason'), 'Ticket 4711')
  for (const [next, name] of [
    [409, 'Second'],
    [404, 'Third'],
    [500, 'Fourth'],
  ] as const) {
    stored = name
    status = next
    await store()
    await waitFor(() => expect(document.querySelector('output')).toHaveTextContent(name))
    expect(screen.getByRole('alert')).toHaveTextContent('Someone else changed this meanwhile.')
  }
  // After the end of the session nothing more is asked for.
  const before = reads()
  status = 401
  await store()
  await waitFor(() => expect(requests.at(-1)).toMatch(/^POST/))
  await waitFor(() => expect(screen.getByRole('button', { name: 'Store' })).not.toHaveAttribute('data-loading'))
  expect(reads()).toBe(before)
  // The words are true after signing in again, too.
  expect(screen.getByRole('alert')).toHaveTextContent('Your session had ended, so nothing was stored.')
})

const ada = {
  id: 'an-id',
  version: 1,
  firstName: 'Ada',
  lastName: 'Lovelace',
  namesEditable: true,
  phoneNumber: '3125550100',
  address: { address1: '1 Elm Street', address2: '', city: 'Chicago', state: 'IL', zipCode: '60601' },
  tags: ['vip', 'press'],
}

test('CON-733 a correction keeps what a colleague has stored meanwhile, or says that it replaces it', async () => {
  const sent: unknown[] = []
  const { user, show, screen, settle } = await openConsolePart('correct', {
    path: '/skyharbor/members/an-id',
    props: { member: ada, onClose: () => {} },
    answer: ({ body, method }) => {
      if (method === 'POST' || method === 'PUT') sent.push(body)
      return problem(409, 'conflict', 'Someone else changed this meanwhile.')
    },
  })
  const field = (name: string) => screen.getByRole('textbox', { name })
  await user.clear(field('City'))
  await user.type(field('City'), 'Oak Park')
  await user.type(field('Reason'), 'Ticket 4711')
  const address = { ...ada.address, address1: '2 Oak Street', city: 'Cicero' }
  show({ member: { ...ada, version: 2, address }, onClose: () => {} })
  await settle()
  expect(field('Address')).toHaveValue('2 Oak Street')
  expect(field('City')).toHaveValue('Oak Park')
  expect(field('City')).toHaveAccessibleDescription('Meanwhile stored: Cicero. Store replaces it.')
  await user.click(screen.getByRole('button', { name: 'Store' }))
  await waitFor(() => expect(sent).toHaveLength(1))
  expect(sent[0]).toMatchObject({ version: 2, address1: '2 Oak Street', city: 'Oak Park' })
})

test('CON-733 tags that a colleague adds or removes meanwhile stay so', async () => {
  const sent: unknown[] = []
  const { user, show, screen, settle } = await openConsolePart('tags', {
    path: '/skyharbor/members/an-id',
    props: { member: ada, onClose: () => {} },
    answer: ({ body }) => {
      sent.push(body)
      return problem(409, 'conflict', 'Someone else changed this meanwhile.')
    },
  })
  await user.type(screen.getByLabelText('Tags', { selector: 'input' }), 'mine{Enter}')
  show({ member: { ...ada, tags: ['press', 'theirs'] }, onClose: () => {} })
  await settle()
  await user.click(screen.getByRole('button', { name: 'Store' }))
  await waitFor(() => expect(sent).toHaveLength(1))
  expect(sent[0]).toEqual({ tags: ['press', 'theirs', 'mine'], expected: ['press', 'theirs'] })
})

test('CON-734 a queue in which nothing matches says so, and clears its search and filters', async () => {
  const { screen, user, router } = await openConsolePart('unmatched', {
    path: '/skyharbor/unmatched?q=nowhere&missing=card',
    permissions: ['transactions.read'],
    answer: () => ({ body: { items: [], next: null, total: { count: 0, isExact: true } } }),
  })
  await waitFor(() => expect(screen.getByRole('heading', { name: 'Nothing matches' })).toBeVisible())
  expect(screen.queryByRole('heading', { name: 'Everything is matched' })).toBeNull()
  expect(screen.queryByRole('heading', { name: 'Nothing to decide' })).toBeNull()
  await user.click(screen.getByRole('button', { name: 'Clear search and filters' }))
  await waitFor(() => expect(screen.getByRole('heading', { name: 'Everything is matched' })).toBeVisible())
  expect(router.state.location.search).toEqual({})
  expect(screen.getByRole('searchbox', { name: 'Search the queue' })).toHaveValue('')
  // What was set aside is a filter, too.
  await user.click(screen.getByRole('radio', { name: 'Set aside' }))
  await waitFor(() => expect(screen.getByRole('heading', { name: 'Nothing matches' })).toBeVisible())
})
