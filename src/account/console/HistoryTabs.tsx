import { Anchor, Badge, Button, Card, Modal, Stack, Text } from '@mantine/core'
import { useState } from 'react'
import { useAct, useCall } from '../../console-kit/calls.ts'
import { emailStates, emailStateText } from '../../console-kit/email-states.ts'
import { Money, Time } from '../../console-kit/format.tsx'
import { Link, useAddress } from '../../console-kit/links.tsx'
import { MoreOf, RelatedTable } from '../../console-kit/Related.tsx'
import { useMay } from '../../console-kit/session.tsx'
import { spellOut } from '../../console-kit/spell-out.ts'
import { Loaded } from '../../console-kit/states.tsx'
import { Timeline } from '../../console-kit/Timeline.tsx'
import { toastDone, toastFailed } from '../../console-kit/toast.tsx'
import { kindNames } from '../../rewards/ledger/console/journal-names.ts'
import {
  getMemberEmail,
  listMemberEmails,
  listMemberJournal,
  listMemberNotifications,
  listMemberTimeline,
  listMemberTransactions,
  type MemberEmail,
  resendMemberEmail,
} from './contract.ts'
import { channelNames, notificationStates, topicNames } from './record-names.ts'

const colors = { event: 'blue', note: 'yellow', email: 'grape', act: 'orange', transaction: 'green' } as const

/** Everything that happened, in one line. */
export function TimelineTab({ id }: { id: string }) {
  return (
    <MoreOf call={listMemberTimeline} input={{ params: { id }, query: {} } as never} empty="Nothing has happened yet.">
      {(entries) => (
        <Timeline
          events={entries.map(({ id: key, at, title, by, detail, kind }) => ({
            key,
            at,
            title,
            by: by || undefined,
            detail,
            color: colors[kind],
          }))}
        />
      )}
    </MoreOf>
  )
}

/** Every transaction, with the reason in the member's words. */
export function TransactionsTab({ id }: { id: string }) {
  const address = useAddress()
  return (
    <MoreOf call={listMemberTransactions} input={{ params: { id }, query: {} } as never} empty="There are none yet.">
      {(items) => (
        <RelatedTable
          title="Transactions"
          items={items}
          keyOf={(transaction) => transaction.id}
          empty=""
          columns={[
            { header: 'When', cell: ({ at }) => <Time at={at} /> },
            {
              header: 'Where and why',
              cell: ({ id: transactionId, merchantName, reason, isBonus }) => (
                <>
                  <Anchor component={Link} size="sm" to={address(`transactions/${transactionId}`)}>
                    {merchantName || 'Unknown restaurant'}
                  </Anchor>{' '}
                  {isBonus && <Badge size="sm">Bonus</Badge>}
                  <Text size="sm" c="dimmed">
                    {reason}
                  </Text>
                </>
              ),
            },
            { header: 'Bill', align: 'right', cell: ({ cents, isBonus }) => !isBonus && <Money cents={cents} /> },
            { header: 'Reward', align: 'right', cell: ({ reward }) => reward },
            { header: 'Card', cell: ({ lastFour }) => lastFour },
            { header: 'Status', cell: ({ status }) => status },
          ]}
        />
      )}
    </MoreOf>
  )
}

/** What was posted to the balance. */
export function JournalTab({ id, balance }: { id: string; balance: string }) {
  return (
    <Stack>
      <Text>
        Balance: <b>{balance}</b>
      </Text>
      <MoreOf call={listMemberJournal} input={{ params: { id }, query: {} } as never} empty="Nothing was posted yet.">
        {(items) => (
          <RelatedTable
            title="Journal"
            items={items}
            keyOf={(line) => line.id}
            empty=""
            columns={[
              { header: 'When', cell: ({ at }) => <Time at={at} /> },
              {
                header: 'What',
                cell: ({ kind, merchantName, words }) =>
                  [kindNames[kind] ?? spellOut(kind), merchantName, words].filter(Boolean).join(', '),
              },
              { header: 'Amount', align: 'right', cell: ({ amount }) => amount },
              { header: 'Balance', align: 'right', cell: (line) => line.balance },
            ]}
          />
        )}
      </MoreOf>
    </Stack>
  )
}

/** Emails, which can be read, and notifications. */
export function MessagesTab({ id }: { id: string }) {
  const [open, setOpen] = useState<string | null>(null)
  return (
    <Stack>
      <MoreOf call={listMemberEmails} input={{ params: { id }, query: {} } as never} empty="No emails yet.">
        {(items) => (
          <RelatedTable
            title="Emails"
            items={items}
            keyOf={(email) => email.id}
            empty=""
            columns={[
              { header: 'When', cell: ({ at }) => <Time at={at} /> },
              {
                header: 'Subject',
                cell: ({ id: email, subject, error }) => (
                  <>
                    <Button variant="subtle" size="compact-sm" px={4} onClick={() => setOpen(email)}>
                      {subject}
                    </Button>
                    {error && (
                      <Text size="sm" c="red">
                        {error}
                      </Text>
                    )}
                  </>
                ),
              },
              { header: 'To', cell: ({ recipient }) => recipient },
              {
                header: 'State',
                cell: ({ status }) => <Badge color={emailStates[status].color}>{emailStates[status].label}</Badge>,
              },
            ]}
          />
        )}
      </MoreOf>
      <MoreOf
        call={listMemberNotifications}
        input={{ params: { id }, query: {} } as never}
        empty="No notifications yet."
      >
        {(items) => (
          <RelatedTable
            title="Notifications"
            items={items}
            keyOf={(notification) => notification.id}
            empty=""
            columns={[
              { header: 'When', cell: ({ at }) => <Time at={at} /> },
              { header: 'About', cell: ({ topic }) => topicNames[topic] ?? spellOut(topic) },
              { header: 'By', cell: ({ channel }) => channelNames[channel] },
              { header: 'State', cell: ({ status }) => notificationStates[status] },
            ]}
          />
        )}
      </MoreOf>
      {open !== null && <EmailDialog id={id} email={open} onClose={() => setOpen(null)} />}
    </Stack>
  )
}

function EmailDialog({ id, email, onClose }: { id: string; email: MemberEmail['id']; onClose: () => void }) {
  const query = useCall(getMemberEmail, { params: { id, email } })
  const resend = useAct(resendMemberEmail)
  const may = useMay()
  return (
    <Modal
      opened
      onClose={onClose}
      size="lg"
      title={query.data?.subject ?? 'Email'}
      closeButtonProps={{ 'aria-label': 'Close' }}
    >
      <Loaded query={query}>
        {({ text, isSecret, recipient, status, canResend }) => (
          <Stack>
            <Text size="sm" c="dimmed">
              To {recipient || 'an address that was deleted'}, {emailStateText(status)}
            </Text>
            {isSecret ? (
              <Text>This email opens the account. Only its recipient may read it.</Text>
            ) : (
              <Card withBorder>
                <Text size="sm" style={{ whiteSpace: 'pre-wrap', overflowWrap: 'anywhere' }}>
                  {text || 'The text was deleted when the email was sent.'}
                </Text>
              </Card>
            )}
            {canResend && may('members.edit') && (
              <Button
                loading={resend.isPending}
                onClick={() =>
                  resend.mutate(
                    { params: { id, email } },
                    {
                      onSuccess() {
                        toastDone('It is sent again.')
                        onClose()
                      },
                      onError: toastFailed,
                    },
                  )
                }
              >
                Send again
              </Button>
            )}
          </Stack>
        )}
      </Loaded>
    </Modal>
  )
}
