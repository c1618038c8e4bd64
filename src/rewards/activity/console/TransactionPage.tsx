import { Accordion, Alert, Anchor, Button, Card, Code, List, Stack, Table, Text, Title } from '@mantine/core'
import { useParams } from '@tanstack/react-router'
import { type ReactNode, useState } from 'react'
import { useCall } from '../../../console-kit/calls.ts'
import { DetailPage } from '../../../console-kit/DetailPage.tsx'
import { Facts } from '../../../console-kit/Facts.tsx'
import { Money, Time } from '../../../console-kit/format.tsx'
import { Link, RestaurantLink, useAddress } from '../../../console-kit/links.tsx'
import { useMay } from '../../../console-kit/session.tsx'
import { Loaded } from '../../../console-kit/states.tsx'
import { Timeline } from '../../../console-kit/Timeline.tsx'
import { formatCents } from '../../../platform/money.ts'
import { reasonName } from '../../earning/console/reason-names.ts'
import { eventName, outcomeNames } from '../../feed/console/names.ts'
import { ReplayTransactionDialog } from '../../feed/console/ReplayDialog.tsx'
import { EntryLink } from '../../ledger/console/EntryLink.tsx'
import { getTransaction, type TransactionDetail } from './contract.ts'
import { stageNames, statusNames } from './names.ts'
import { RecalculateDialog } from './RecalculateDialog.tsx'
import { statusColor } from './status-color.ts'

/** One transaction: why it earned what it did, its history, its journal entries and its raw messages. */
export default function TransactionPage() {
  const { id = '' } = useParams({ strict: false }) as { id?: string }
  const query = useCall(getTransaction, { params: { id } })
  return <Loaded query={query}>{(transaction) => <Transaction transaction={transaction} />}</Loaded>
}

function Transaction({ transaction }: { transaction: TransactionDetail }) {
  const address = useAddress()
  const { merchantName, cents, awardStatus, steps, next, unmatched, member } = transaction
  const may = useMay()
  const mayReplay = may('feed.upload') && transaction.messages.length > 0
  const [dialog, setDialog] = useState<'replay' | 'recalculate' | null>(null)
  return (
    <DetailPage
      title={`${merchantName}, ${formatCents(cents)}`}
      state={{ label: statusNames[awardStatus], color: statusColor[awardStatus] }}
      trail={[{ label: 'Transactions', to: address('transactions') }]}
      facts={<TransactionFacts transaction={transaction} />}
      actions={
        <>
          {mayReplay && (
            <Button variant="default" onClick={() => setDialog('replay')}>
              Replay its messages
            </Button>
          )}
          {may('ledger.adjust') && member !== null && transaction.messages.length > 0 && (
            <Button variant="default" onClick={() => setDialog('recalculate')}>
              Calculate again
            </Button>
          )}
        </>
      }
    >
      <RecalculateDialog
        transaction={transaction.id}
        isOpen={dialog === 'recalculate'}
        onClose={() => setDialog(null)}
      />
      <ReplayTransactionDialog id={transaction.id} isOpen={dialog === 'replay'} onClose={() => setDialog(null)} />
      {unmatched && (
        <Alert color="orange" title={unmatched === 'card' ? 'Its card is unknown' : 'Its restaurant is unknown'}>
          <Anchor component={Link} size="sm" to={address(`unmatched/${transaction.id}`)}>
            See what it probably is, and attach it
          </Anchor>
        </Alert>
      )}
      <Part title="Why">
        <Text>{transaction.memberWords}</Text>
        <Text size="sm" c="dimmed">
          The member reads this. For us: {reasonName(transaction.reasonCode)}.
        </Text>
        {transaction.sum.length > 0 && (
          <Table aria-label="From the bill to the reward">
            <Table.Tbody>
              {transaction.sum.map(({ label, amount }) => (
                <Table.Tr key={label}>
                  <Table.Th scope="row" fw={400}>
                    {label}
                  </Table.Th>
                  <Table.Td ta="right">{amount}</Table.Td>
                </Table.Tr>
              ))}
            </Table.Tbody>
          </Table>
        )}
      </Part>
      <Part title="What happened">
        <Timeline
          events={steps.map(({ at, text, by }, index) => ({
            key: `${index}`,
            at,
            title: text,
            ...(by !== null && { by }),
          }))}
        />
        {next && <Text size="sm">Next: {next}</Text>}
      </Part>
      <Journal transaction={transaction} />
      <Messages transaction={transaction} />
    </DetailPage>
  )
}

function Part({ title, children }: { title: string; children: ReactNode }) {
  return (
    <Card withBorder component="section" aria-label={title}>
      <Stack gap="sm">
        <Title order={2} size="h4">
          {title}
        </Title>
        {children}
      </Stack>
    </Card>
  )
}

function TransactionFacts({ transaction }: { transaction: TransactionDetail }) {
  const address = useAddress()
  const { member, clearedAt, paidAt, merchantName, merchantId } = transaction
  return (
    <>
      <Facts
        title="Facts"
        facts={[
          ['Status', transaction.status],
          ['Reward', transaction.reward],
          [
            'Member',
            member && (
              <Anchor size="sm" href={address(`members/${member.id}`)}>
                {member.name}
              </Anchor>
            ),
          ],
          ['Card', `ending in ${transaction.cardLastFour}`],
          [
            'Restaurant',
            merchantId === null ? (
              `${merchantName} (unknown)`
            ) : (
              <RestaurantLink key="restaurant" id={merchantId}>
                {merchantName}
              </RestaurantLink>
            ),
          ],
          ['Dined', <Time key="dined" at={transaction.dinedAt} />],
          ['Authorized', <Money key="ticket" cents={transaction.ticketCents} />],
          ['Charged', clearedAt && <Money key="cleared" cents={transaction.clearedCents} />],
          ['Refunded', transaction.refundedCents > 0 && <Money key="refunded" cents={transaction.refundedCents} />],
          ['Cleared', clearedAt && <Time key="clearedAt" at={clearedAt} />],
          ['Paid out', paidAt && <Time key="paid" at={paidAt} />],
          ['Stage', stageNames[transaction.stage]],
          ['Id', transaction.id],
          ['Network id', transaction.networkId],
          ['Location', transaction.locationId],
        ].map(([name, value]) => [name as string, value || null] as const)}
      />
      {transaction.inputs.length > 0 && (
        <Facts
          title="What decided the award"
          facts={transaction.inputs.map(({ name, value }) => [name, value] as const)}
        />
      )}
    </>
  )
}

function Journal({ transaction: { journal } }: { transaction: TransactionDetail }) {
  return (
    <Part title="Journal entries">
      {journal.length === 0 ? (
        <Text size="sm">Nothing was posted.</Text>
      ) : (
        <Table.ScrollContainer minWidth={360} scrollAreaProps={{ viewportProps: { tabIndex: 0 } }}>
          <Table aria-label="Journal entries">
            <Table.Thead>
              <Table.Tr>
                <Table.Th scope="col">Posted</Table.Th>
                <Table.Th scope="col">Kind</Table.Th>
                <Table.Th scope="col">Why</Table.Th>
                <Table.Th scope="col">Postings</Table.Th>
              </Table.Tr>
            </Table.Thead>
            <Table.Tbody>
              {journal.map(({ id, postedAt, kind, reasonCode, postings }) => (
                <Table.Tr key={id}>
                  <Table.Td>
                    <EntryLink id={id}>
                      <Time at={postedAt} />
                    </EntryLink>
                  </Table.Td>
                  <Table.Td>{kind}</Table.Td>
                  <Table.Td>{reasonName(reasonCode)}</Table.Td>
                  <Table.Td>
                    <List size="sm" listStyleType="none">
                      {postings.map(({ account, amount }, index) => (
                        // biome-ignore lint/suspicious/noArrayIndexKey: postings never change
                        <List.Item key={index}>
                          {account}: {amount}
                        </List.Item>
                      ))}
                    </List>
                  </Table.Td>
                </Table.Tr>
              ))}
            </Table.Tbody>
          </Table>
        </Table.ScrollContainer>
      )}
    </Part>
  )
}

function Messages({ transaction: { messages } }: { transaction: TransactionDetail }) {
  if (messages.length === 0) return null
  return (
    <Part title="Messages of the card network">
      <Text size="sm" c="dimmed">
        The transaction was folded from these. Tokens are masked.
      </Text>
      <Accordion multiple>
        {messages.map(({ key, event, receivedAt, outcome, body }) => (
          <Accordion.Item key={key} value={key}>
            <Accordion.Control>
              {eventName(event)}, <Time at={receivedAt} />, {outcomeNames[outcome] ?? outcome}
            </Accordion.Control>
            <Accordion.Panel>
              <Code block>{body}</Code>
            </Accordion.Panel>
          </Accordion.Item>
        ))}
      </Accordion>
    </Part>
  )
}
