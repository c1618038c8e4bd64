import { Alert, Button, Card, Tabs, Text } from '@mantine/core'
import { useParams } from '@tanstack/react-router'
import { useState } from 'react'
import { useCall } from '../../../console-kit/calls.ts'
import { DetailPage } from '../../../console-kit/DetailPage.tsx'
import { Facts } from '../../../console-kit/Facts.tsx'
import { Time } from '../../../console-kit/format.tsx'
import { useAddress } from '../../../console-kit/links.tsx'
import { useMay, useProgram } from '../../../console-kit/session.tsx'
import { Loaded } from '../../../console-kit/states.tsx'
import { callUrl } from '../../../platform/call.ts'
import { type EmailDetail, getEmail, readEmailHtml, readEmailText } from './contract.ts'
import { Recipient } from './Recipient.tsx'
import { ResendDialog } from './ResendDialog.tsx'
import { emailState, topicName } from './words.ts'

/** One email to a member, as it was sent. */
export default function EmailPage() {
  const { id = '' } = useParams({ strict: false }) as { id?: string }
  const query = useCall(getEmail, { params: { id } })
  return <Loaded query={query}>{(email) => <Email email={email} />}</Loaded>
}

function Email({ email }: { email: EmailDetail }) {
  const address = useAddress()
  const may = useMay()
  const [isResending, setResending] = useState(false)
  const { id, topic, subject, error, queuedAt, sentAt, canResend, attachments, status } = email
  return (
    <DetailPage
      title={subject}
      state={emailState(email)}
      trail={[{ label: 'Emails', to: address('emails') }]}
      actions={canResend && may('emails.resend') && <Button onClick={() => setResending(true)}>Send again</Button>}
      facts={
        <Facts
          title="Facts"
          facts={[
            ['Kind', topicName(topic)],
            ['To', <Recipient key="to" email={email} />],
            ['Queued', <Time key="queued" at={queuedAt} />],
            ['Sent', sentAt && <Time key="sent" at={sentAt} />],
            ['Attachments', attachments.join(', ')],
          ]}
        />
      }
    >
      {error && (
        <Alert color="red" title={status === 'failed' ? 'It was not delivered' : 'The last attempt failed'}>
          {error}
        </Alert>
      )}
      {status === 'stored' && <Text size="sm">No mail server is set up, so it was stored and not sent.</Text>}
      {status === 'withheld' && (
        <Text size="sm">It was not sent, because the member withdrew the consent that it depends on.</Text>
      )}
      <Content email={email} />
      <ResendDialog ids={isResending ? [id] : []} onClose={() => setResending(false)} onDone={() => {}} />
    </DetailPage>
  )
}

function Content({ email: { id, content, subject } }: { email: EmailDetail }) {
  const { code } = useProgram()
  if (content === 'secret') return <Text>This email opens the account. Only its recipient may read it.</Text>
  if (content === 'deleted') return <Text>Its text held a code, and was deleted.</Text>
  return (
    <Tabs defaultValue="html" keepMounted={false}>
      <Tabs.List>
        <Tabs.Tab value="html">As it looks</Tabs.Tab>
        <Tabs.Tab value="text">As text</Tabs.Tab>
      </Tabs.List>
      <Tabs.Panel value="html" pt="sm">
        <Card withBorder p={0}>
          <iframe
            title={`The email “${subject}”`}
            src={callUrl(readEmailHtml, { params: { program: code, id } })}
            sandbox=""
            width="100%"
            height={640}
            style={{ border: 0, background: 'white', colorScheme: 'light' }}
          />
        </Card>
      </Tabs.Panel>
      <Tabs.Panel value="text" pt="sm">
        <PlainText id={id} />
      </Tabs.Panel>
    </Tabs>
  )
}

function PlainText({ id }: { id: string }) {
  const query = useCall(readEmailText, { params: { id } })
  return (
    <Loaded query={query}>
      {({ text }) => (
        <Card withBorder>
          <Text size="sm" style={{ whiteSpace: 'pre-wrap', overflowWrap: 'anywhere' }}>
            {text}
          </Text>
        </Card>
      )}
    </Loaded>
  )
}
