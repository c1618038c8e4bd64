import { Alert, Anchor, Button, Card, Menu, Stack, Title } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import { useParams } from '@tanstack/react-router'
import { useState } from 'react'
import { useAct, useCall } from '../../../console-kit/calls.ts'
import { DetailPage } from '../../../console-kit/DetailPage.tsx'
import { Facts } from '../../../console-kit/Facts.tsx'
import { Money, Time } from '../../../console-kit/format.tsx'
import { Link, useAddress } from '../../../console-kit/links.tsx'
import { RelatedTable } from '../../../console-kit/Related.tsx'
import { useMay } from '../../../console-kit/session.tsx'
import { Loaded } from '../../../console-kit/states.tsx'
import { Timeline } from '../../../console-kit/Timeline.tsx'
import { toastDone, toastFailed } from '../../../console-kit/toast.tsx'
import { formatCents } from '../../../platform/money.ts'
import { EntryLink } from '../../ledger/console/EntryLink.tsx'
import { askProcessor, type CreditDetail, getCredit } from './contract.ts'
import { attentionNames, decisionWords, entryName, eventName, isAnswer, stateNames } from './credit-names.ts'
import { DecisionDialog } from './DecisionDialog.tsx'

/** One statement credit: its state, its history, and what can be done about it. */
export default function CreditPage() {
  const { id = '' } = useParams({ strict: false }) as { id?: string }
  const query = useCall(getCredit, { params: { id } })
  return <Loaded query={query}>{(credit) => <Credit credit={credit} />}</Loaded>
}

function Credit({ credit }: { credit: CreditDetail }) {
  const address = useAddress()
  const { cents, state, attention, events, orderedAt, sentAt, lastError, unanswered, nextAttemptAt } = credit
  return (
    <DetailPage
      title={`Statement credit of ${formatCents(cents)}`}
      state={stateNames[state]}
      trail={[{ label: 'Statement credits', to: address('payouts') }]}
      actions={<Actions credit={credit} />}
      facts={<CreditFacts credit={credit} />}
    >
      {attention && (
        <Alert color="orange" title={attentionNames[attention]}>
          {attention === 'paidAfterReturn' || attention === 'openAfterReturn'
            ? 'Compare it with the processor’s own records, then decide.'
            : 'Ask the processor what has become of it, then decide.'}
        </Alert>
      )}
      {lastError !== null && unanswered > 0 && (
        <Alert
          color="gray"
          title={unanswered === 1 ? 'One attempt without an answer' : `${unanswered} attempts without an answer`}
        >
          The last error: {lastError}.{' '}
          {nextAttemptAt && (
            <>
              It is asked again on <Time at={nextAttemptAt} />.
            </>
          )}
        </Alert>
      )}
      <Card withBorder component="section" aria-label="What happened">
        <Stack gap="sm">
          <Title order={2} size="h4">
            What happened
          </Title>
          <Timeline
            events={[
              { key: 'ordered', at: orderedAt, title: 'Ordered: the amount left the balance' },
              ...(sentAt === null ? [] : [{ key: 'sent', at: sentAt, title: 'Sent to the processor' }]),
              ...events.map((event, index) => ({
                key: `${index}`,
                at: event.at,
                title: eventName(event),
                detail: event.detail,
                ...(event.by !== null && { by: event.by }),
              })),
            ]}
          />
        </Stack>
      </Card>
      <RelatedTable
        title="What the processor answered"
        items={events.filter(isAnswer)}
        keyOf={({ at, kind }) => `${at} ${kind}`}
        empty="It has not answered yet."
        columns={[
          { header: 'When', cell: ({ at }) => <Time at={at} /> },
          { header: 'Answer', cell: eventName },
          { header: 'Reason', cell: ({ detail }) => detail },
        ]}
      />
      <RelatedTable
        title="Journal entries"
        items={credit.journal}
        keyOf={({ id }) => `${id}`}
        empty="Nothing was posted."
        columns={[
          {
            header: 'Posted',
            cell: ({ id, postedAt }) => (
              <EntryLink id={id}>
                <Time at={postedAt} />
              </EntryLink>
            ),
          },
          { header: 'What', cell: ({ kind }) => entryName(kind) },
          { header: 'Balance of the member', align: 'right', cell: (entry) => <Money cents={entry.cents} /> },
        ]}
      />
    </DetailPage>
  )
}

function CreditFacts({ credit }: { credit: CreditDetail }) {
  const address = useAddress()
  const mayReadMembers = useMay()('members.read')
  const { id, cents, member, target, processor, orderedAt, sentAt, nextAttemptAt, unanswered, resubmitted } = credit
  return (
    <Facts
      title="Facts"
      facts={[
        ['Amount', <Money key="amount" cents={cents} />],
        [
          'Member',
          mayReadMembers ? (
            <Anchor key="member" size="sm" component={Link} to={address(`members/${member.id}`)}>
              {member.name || 'Deleted account'}
            </Anchor>
          ) : (
            member.name || 'Deleted account'
          ),
        ],
        ['Paid to', target],
        ['Processor', processor],
        ['Ordered', <Time key="ordered" at={orderedAt} />],
        ['Sent', sentAt && <Time key="sent" at={sentAt} />],
        ['Asked again', nextAttemptAt && <Time key="next" at={nextAttemptAt} />],
        ['Attempts without an answer', unanswered > 0 && `${unanswered}`],
        ['Received again', resubmitted > 0 && `${resubmitted}`],
        ['Id', id],
      ]}
    />
  )
}

type Decision = CreditDetail['decisions'][number]

/** The job that asks the processor takes a moment. */
const answerMs = 3_000

function Actions({ credit }: { credit: CreditDetail }) {
  const mayDecide = useMay()('payouts.decide')
  const client = useQueryClient()
  const ask = useAct(askProcessor)
  const [decision, setDecision] = useState<Decision | null>(null)
  if (!mayDecide) return null
  const [first, ...more] = credit.decisions
  const refreshSoon = () => setTimeout(() => void client.invalidateQueries({ queryKey: [getCredit.id] }), answerMs)
  return (
    <>
      <Button
        variant="default"
        loading={ask.isPending}
        onClick={() =>
          ask.mutate(
            { params: { id: credit.id } },
            {
              onError: toastFailed,
              onSuccess: () => {
                toastDone('The processor is being asked.')
                refreshSoon()
              },
            },
          )
        }
      >
        Ask the processor again
      </Button>
      {first && (
        <Button
          {...(decisionWords[first].isDangerous && { color: 'red', variant: 'light' })}
          onClick={() => setDecision(first)}
        >
          {decisionWords[first].action}
        </Button>
      )}
      {more.length > 0 && (
        <Menu position="bottom-end">
          <Menu.Target>
            <Button variant="default">More</Button>
          </Menu.Target>
          <Menu.Dropdown>
            {more.map((each) => (
              <Menu.Item key={each} onClick={() => setDecision(each)}>
                {decisionWords[each].action}
              </Menu.Item>
            ))}
          </Menu.Dropdown>
        </Menu>
      )}
      {decision && (
        <DecisionDialog key={decision} id={credit.id} decision={decision} onClose={() => setDecision(null)} />
      )}
    </>
  )
}
