import { within } from '@testing-library/dom'
import { expect, test, vi } from 'vitest'
import { openPage, type Responder, setUpPages } from '../support/page-dom.ts'

const app = setUpPages()

const email = {
  recipient: 'ada@example.com',
  subject: 'Your table',
  text: 'See you there.',
  html: '',
  attachments: [],
  createdAt: '2026-01-01T12:00:00.000Z',
}

test('the outbox has every email with its state and attachments, says what was removed, and is current at each visit', async () => {
  const attachments = [{ name: 'table.ics', type: 'text/calendar', content: 'BEGIN:VCALENDAR' }]
  let mails: object[] = []
  const responder: Responder = ({ path }) => (path === '/api/staging/outbox' ? { body: { mails } } : undefined)
  const page = await openPage(app, 'skyharbor', '/staging-tools', { responder })
  const { user, screen } = page
  const visitOutbox = async () => {
    await user.click(await screen.findByRole('link', { name: 'Outbox' }))
    await screen.findByRole('heading', { level: 1, name: 'Outbox' })
  }
  await visitOutbox()
  expect(screen.getByText('No emails yet')).toBeVisible()
  page.back()
  const states = { waiting: 'Waiting', sent: 'Sent', stored: 'Stored here', failed: 'Failed', withheld: 'Withheld' }
  mails = Object.keys(states).map((status, id) => ({ ...email, id, status, ...(status === 'sent' && { text: '' }) }))
  mails.push({ ...email, id: 9, status: 'stored', subject: 'With a file', attachments })
  await visitOutbox()
  const rows = () =>
    [...document.querySelectorAll<HTMLElement>('main details')].filter((row) => row.querySelector('strong'))
  await vi.waitFor(() => expect(rows()).toHaveLength(6), 20_000)
  expect(screen.queryByText('No emails yet')).toBeNull()
  for (const [index, text] of Object.values(states).entries()) {
    const row = within(rows()[index] as HTMLElement)
    expect(rows()[index]?.querySelector('summary')).toHaveTextContent(`Your table ${text}`)
    expect(row.getByRole('link', { hidden: true })).toHaveAttribute('href', `/api/staging/outbox/${index}`)
    const [shown, absent] = text === 'Sent' ? [/its text was removed/, 'See you'] : ['See you', /its text was removed/]
    expect(rows()[index]?.textContent).toMatch(shown)
    expect(rows()[index]?.textContent).not.toMatch(absent)
  }
  expect(rows()[5]).toHaveTextContent('table.icsBEGIN:VCALENDAR')
})
