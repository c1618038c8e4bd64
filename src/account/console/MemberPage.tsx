import { Alert, Anchor, Badge, Group, Tabs, Text } from '@mantine/core'
import { useParams } from '@tanstack/react-router'
import { useCall } from '../../console-kit/calls.ts'
import { DetailPage } from '../../console-kit/DetailPage.tsx'
import { Time } from '../../console-kit/format.tsx'
import { Link, useAddress, useSearchParams } from '../../console-kit/links.tsx'
import { useMay } from '../../console-kit/session.tsx'
import { Loaded } from '../../console-kit/states.tsx'
import { getMember, getMemberRecords, type MemberDetail } from './contract.ts'
import { JournalTab, MessagesTab, TimelineTab, TransactionsTab } from './HistoryTabs.tsx'
import { MemberActions } from './MemberActions.tsx'
import { MemberFacts } from './MemberFacts.tsx'
import { nameOf, stateOf } from './member-words.ts'
import { Notes } from './Notes.tsx'
import { AccessTab, CardsTab, ConsentsTab, RewardsTab } from './RecordTabs.tsx'

/** One member: who it is, what can be done now, and everything that belongs to the account. */
export default function MemberPage() {
  const { id = '' } = useParams({ strict: false }) as { id?: string }
  const query = useCall(getMember, { params: { id } })
  return <Loaded query={query}>{(member) => <Member member={member} />}</Loaded>
}

function Member({ member }: { member: MemberDetail }) {
  const address = useAddress()
  const may = useMay()
  const [search, setSearch] = useSearchParams()
  const records = useCall(getMemberRecords, { params: { id: member.id } })
  const tabs = [
    { value: 'timeline', label: 'Timeline', content: <TimelineTab id={member.id} /> },
    { value: 'transactions', label: 'Transactions', content: <TransactionsTab id={member.id} /> },
    ...(may('ledger.read')
      ? [{ value: 'balance', label: 'Balance', content: <JournalTab id={member.id} balance={member.balance} /> }]
      : []),
    {
      value: 'cards',
      label: 'Cards',
      content: <Loaded query={records}>{(own) => <CardsTab records={own} />}</Loaded>,
    },
    {
      value: 'rewards',
      label: 'Bonuses and visits',
      content: <Loaded query={records}>{(own) => <RewardsTab records={own} />}</Loaded>,
    },
    { value: 'messages', label: 'Messages', content: <MessagesTab id={member.id} /> },
    {
      value: 'access',
      label: 'Access',
      content: <Loaded query={records}>{(own) => <AccessTab id={member.id} records={own} />}</Loaded>,
    },
    {
      value: 'consents',
      label: 'Consents',
      content: <Loaded query={records}>{(own) => <ConsentsTab records={own} />}</Loaded>,
    },
  ]
  const current = tabs.find(({ value }) => value === search.tab)?.value ?? 'timeline'
  return (
    <DetailPage
      title={nameOf(member)}
      state={stateOf(member)}
      trail={[{ label: 'Members', to: address('members') }]}
      actions={<MemberActions member={member} />}
      facts={
        <>
          <MemberFacts member={member} />
          {!member.isMerged && <Notes id={member.id} />}
        </>
      }
    >
      <MergeNotice member={member} />
      <Group gap={4}>
        {member.tags.map((tag) => (
          <Badge key={tag} variant="outline" color="gray" tt="none">
            {tag}
          </Badge>
        ))}
      </Group>
      <Tabs
        value={current}
        onChange={(tab) => setSearch({ tab: tab === 'timeline' ? undefined : (tab ?? undefined) })}
        keepMounted={false}
      >
        <Tabs.List>
          {tabs.map(({ value, label }) => (
            <Tabs.Tab key={value} value={value}>
              {label}
            </Tabs.Tab>
          ))}
        </Tabs.List>
        {tabs.map(({ value, content }) => (
          <Tabs.Panel key={value} value={value} pt="md">
            {content}
          </Tabs.Panel>
        ))}
      </Tabs>
    </DetailPage>
  )
}

/** Says that an account was merged into another one, or which ones were merged into it. */
function MergeNotice({ member: { mergedInto, mergedFrom } }: { member: MemberDetail }) {
  const address = useAddress()
  const linkTo = ({ id, name }: { id: string; name: string }) => (
    <Anchor component={Link} size="sm" to={address(`members/${id}`)}>
      {name}
    </Anchor>
  )
  if (mergedInto)
    return (
      <Alert color="gray" title="This account is closed for good">
        Merged into {linkTo(mergedInto)}, <Time at={mergedInto.at} />. What it had is there. Its past postings, emails
        and events stay here.
      </Alert>
    )
  if (mergedFrom.length === 0) return null
  return (
    <Alert color="blue">
      {mergedFrom.map((other) => (
        <Text key={other.id} size="sm">
          Merged from {linkTo(other)}, <Time at={other.at} />
        </Text>
      ))}
    </Alert>
  )
}
