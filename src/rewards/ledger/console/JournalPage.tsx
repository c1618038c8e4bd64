import { Anchor, Button } from '@mantine/core'
import { Time } from '../../../console-kit/format.tsx'
import { type Column, ListPage } from '../../../console-kit/ListPage.tsx'
import { Link, useAddress } from '../../../console-kit/links.tsx'
import { exportJournal, type ListedEntry, listJournal } from './contract.ts'
import { accountNames, kindNames, sourceNames } from './journal-names.ts'

const options = (names: Readonly<Record<string, string>>, any: string) => [
  { value: 'any', label: any },
  ...Object.entries(names).map(([value, label]) => ({ value, label })),
]

/** The journal of a program: every entry with its postings. */
export default function JournalPage() {
  const address = useAddress()
  const columns: Column<ListedEntry>[] = [
    {
      id: 'entry',
      header: 'Entry',
      cell: ({ id }) => (
        <Anchor component={Link} size="sm" to={address(`journal/${id}`)}>
          {id}
        </Anchor>
      ),
    },
    { id: 'posted', header: 'Posted', cell: ({ postedAt }) => <Time at={postedAt} /> },
    { id: 'what', header: 'What', cell: ({ kind }) => kindNames[kind] ?? kind },
    { id: 'source', header: 'From', cell: ({ source }) => sourceNames[source] },
    { id: 'member', header: 'Member', cell: ({ member }) => member?.name },
    {
      id: 'postings',
      header: 'Postings',
      cell: ({ postings }) => postings.map(({ account, amount }) => `${accountNames[account]} ${amount}`).join(' · '),
    },
  ]
  return (
    <ListPage
      title="Journal"
      call={listJournal}
      csv={exportJournal}
      columns={columns}
      keyOf={({ id }) => `${id}`}
      addressOf={({ id }) => address(`journal/${id}`)}
      filters={[
        { kind: 'text', name: 'q', label: 'Entry, or id of what caused it' },
        { kind: 'text', name: 'member', label: 'Member’s email, number or id' },
        { kind: 'days', from: 'from', to: 'to', label: 'Posted (UTC)' },
        { kind: 'choice', name: 'account', label: 'Account', options: options(accountNames, 'Any account') },
        { kind: 'choice', name: 'source', label: 'From', options: options(sourceNames, 'Anything') },
        { kind: 'text', name: 'amount', label: 'Amount of a posting' },
        { kind: 'text', name: 'restaurant', label: 'Restaurant’s name or id' },
      ]}
      empty={{ title: 'Nothing was posted yet', text: 'The first reward is the first entry.' }}
      actions={
        <Button component={Link} variant="default" to={address('journal/trial-balance')}>
          Trial balance
        </Button>
      }
    />
  )
}
