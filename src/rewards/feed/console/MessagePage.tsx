import { Anchor, Button, Card, Code, Text } from '@mantine/core'
import { useParams } from '@tanstack/react-router'
import { useState } from 'react'
import { useCall } from '../../../console-kit/calls.ts'
import { DetailPage } from '../../../console-kit/DetailPage.tsx'
import { Facts } from '../../../console-kit/Facts.tsx'
import { Money, Time } from '../../../console-kit/format.tsx'
import { Link, useAddress } from '../../../console-kit/links.tsx'
import { useMay } from '../../../console-kit/session.tsx'
import { Loaded } from '../../../console-kit/states.tsx'
import { type FeedMessageDetail, getFeedMessage } from './contract.ts'
import { eventName, outcomeOf } from './message-words.ts'
import { ReplayTransactionDialog } from './ReplayDialog.tsx'

/** One message of the card network: what became of it, its transaction, and its masked text. */
export default function MessagePage() {
  const { id = '' } = useParams({ strict: false }) as { id?: string }
  const query = useCall(getFeedMessage, { params: { id } })
  return <Loaded query={query}>{(message) => <Message message={message} />}</Loaded>
}

function Message({ message }: { message: FeedMessageDetail }) {
  const address = useAddress()
  const may = useMay()
  const [isReplaying, setReplaying] = useState(false)
  const { event, merchantName, cents, networkId, receivedAt, updatedAt, transaction, body } = message
  return (
    <DetailPage
      title={[eventName(event), merchantName].filter(Boolean).join(', ')}
      state={outcomeOf(message)}
      trail={[{ label: 'Feed messages', to: address('feed-messages') }]}
      actions={
        transaction !== null &&
        may('feed.upload') && (
          <Button variant="default" onClick={() => setReplaying(true)}>
            Replay its messages
          </Button>
        )
      }
      facts={
        <Facts
          title="Facts"
          facts={[
            ['Amount', <Money key="amount" cents={cents} />],
            ['Received', <Time key="received" at={receivedAt} />],
            ['Written', <Time key="written" at={updatedAt} />],
            ['Id of the card network', networkId],
            [
              'Transaction',
              transaction !== null && may('transactions.read') && (
                <Anchor key="transaction" size="sm" component={Link} to={address(`transactions/${transaction}`)}>
                  The transaction
                </Anchor>
              ),
            ],
          ]}
        />
      }
    >
      <Card withBorder component="section" aria-label="As it came">
        <Text fw={600} mb="xs">
          As it came
        </Text>
        <Text size="sm" c="dimmed" mb="xs">
          The token of the card and secrets are masked.
        </Text>
        <Code block tabIndex={0}>
          {body}
        </Code>
      </Card>
      {transaction !== null && (
        <ReplayTransactionDialog id={transaction} isOpen={isReplaying} onClose={() => setReplaying(false)} />
      )}
    </DetailPage>
  )
}
