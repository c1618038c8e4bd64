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
