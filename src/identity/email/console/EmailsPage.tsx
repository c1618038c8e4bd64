import { Anchor, Badge, Button, Text } from '@mantine/core'
import { useState } from 'react'
import { Time } from '../../../console-kit/format.tsx'
import { type Column, type Filter, ListPage } from '../../../console-kit/ListPage.tsx'
import { Link, useAddress } from '../../../console-kit/links.tsx'
import { useMay } from '../../../console-kit/session.tsx'
import { type ListedEmail, listEmails } from './contract.ts'
import { Recipient } from './Recipient.tsx'
import { ResendDialog } from './ResendDialog.tsx'
import { emailState, stateOptions, topicName, topicOptions } from './words.ts'

const filters: readonly Filter[] = [
  { kind: 'text', name: 'q', label: 'Member: name, address or number' },
  { kind: 'choice', name: 'status', label: 'State', options: [{ value: 'all', label: 'All' }, ...stateOptions] },
  { kind: 'choice', name: 'topic', label: 'Kind', options: [{ value: '', label: 'All kinds' }, ...topicOptions] },
  { kind: 'days', from: 'from', to: 'to', label: 'Days' },
]

/** The emails to members, sent or not. */
export default function EmailsPage() {
  const address = useAddress()
  const mayResend = useMay()('emails.resend')
  const [resent, setResent] = useState<{ ids: string[]; clear: () => void } | null>(null)
  const columns: Column<ListedEmail>[] = [
    {
      id: 'topic',
      header: 'Email',
      cell: ({ id, topic, subject }) => (
        <>
          <Anchor component={Link} size="sm" to={address(`emails/${id}`)}>
            {topicName(topic)}
          </Anchor>
          <Text size="sm" c="dimmed">
            {subject}
          </Text>
        </>
      ),
    },
    { id: 'to', header: 'To', cell: (email) => <Recipient email={email} /> },
    {
      id: 'state',
      header: 'State',
      cell: (email) => {
        const { label, color } = emailState(email)
        return <Badge color={color}>{label}</Badge>
      },
    },
    { id: 'queued', header: 'Queued', cell: ({ queuedAt }) => <Time at={queuedAt} /> },
    { id: 'sent', header: 'Sent', cell: ({ sentAt }) => sentAt && <Time at={sentAt} /> },
    { id: 'error', header: 'Last error', cell: ({ error }) => <Text size="sm">{error}</Text> },
  ]
  return (
    <ListPage
      title="Emails"
      call={listEmails}
      columns={columns}
      filters={filters}
      keyOf={({ id }) => id}
      addressOf={({ id }) => address(`emails/${id}`)}
      empty={{ title: 'No emails yet', text: 'They are listed here from the first one on.' }}
      {...(mayResend && {
        bulk: (selected: readonly ListedEmail[], clear: () => void) => {
          const ids = selected.filter(({ canResend }) => canResend).map(({ id }) => id)
          if (ids.length === 0) return <Text size="sm">Only failed emails can be sent again.</Text>
          return (
            <Button size="xs" onClick={() => setResent({ ids, clear })}>
              Send {ids.length} again
            </Button>
          )
        },
      })}
    >
      <ResendDialog ids={resent?.ids ?? []} onClose={() => setResent(null)} onDone={() => resent?.clear()} />
    </ListPage>
  )
}
