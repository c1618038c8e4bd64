import { Anchor, Badge } from '@mantine/core'
import { Money, Time } from '../../../console-kit/format.tsx'
import { type Column, type Filter, ListPage } from '../../../console-kit/ListPage.tsx'
import { Link, useAddress } from '../../../console-kit/links.tsx'
import { type ListedMessage, listFeedMessages } from './contract.ts'
import { eventName, outcomeOf, outcomeOptions } from './message-words.ts'

const filters: readonly Filter[] = [
  { kind: 'text', name: 'q', label: 'Id of the card network' },
  {
    kind: 'choice',
    name: 'outcome',
    label: 'On arrival',
    options: [{ value: 'any', label: 'All' }, ...outcomeOptions],
  },
  { kind: 'days', from: 'from', to: 'to', label: 'Days of arrival' },
]

/** The messages of the card network, by webhook or file, as they were stored. */
export default function MessagesPage() {
  const address = useAddress()
  const columns: Column<ListedMessage>[] = [
    {
      id: 'received',
      header: 'Received',
      cell: ({ id, receivedAt }) => (
        <Anchor component={Link} size="sm" to={address(`feed-messages/${id}`)}>
          <Time at={receivedAt} />
        </Anchor>
      ),
    },
    { id: 'event', header: 'Message', cell: ({ event }) => eventName(event) },
    { id: 'merchant', header: 'Restaurant', cell: ({ merchantName }) => merchantName },
    { id: 'amount', header: 'Amount', align: 'right', cell: ({ cents }) => <Money cents={cents} /> },
    {
      id: 'outcome',
      header: 'On arrival',
      cell: (message) => {
        const { label, color } = outcomeOf(message)
        return <Badge color={color}>{label}</Badge>
      },
    },
    { id: 'network', header: 'Id of the card network', cell: ({ networkId }) => networkId },
    { id: 'written', header: 'Written', isOptional: true, cell: ({ updatedAt }) => <Time at={updatedAt} /> },
  ]
  return (
    <ListPage
      title="Feed messages"
      call={listFeedMessages}
      columns={columns}
      filters={filters}
      keyOf={({ id }) => id}
      addressOf={({ id }) => address(`feed-messages/${id}`)}
      empty={{ title: 'No message came yet', text: 'Messages of the card network are listed here as they come.' }}
    />
  )
}
