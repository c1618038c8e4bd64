import { Anchor, Text } from '@mantine/core'
import { useParams } from '@tanstack/react-router'
import { useCall } from '../../../console-kit/calls.ts'
import { DetailPage } from '../../../console-kit/DetailPage.tsx'
import { Facts } from '../../../console-kit/Facts.tsx'
import { Time } from '../../../console-kit/format.tsx'
import { Link, useAddress } from '../../../console-kit/links.tsx'
import { RelatedTable } from '../../../console-kit/Related.tsx'
import { useMay } from '../../../console-kit/session.tsx'
import { Loaded } from '../../../console-kit/states.tsx'
import { reasonName } from '../../earning/console/reason-names.ts'
import { getJournalEntry, type JournalDetail } from './contract.ts'
import { accountNames, kindNames, sourceNames } from './journal-names.ts'

/** One journal entry: its postings, and what caused it. */
export default function EntryPage() {
  const { id = '' } = useParams({ strict: false }) as { id?: string }
  const query = useCall(getJournalEntry, { params: { id: Number(id) } })
  return <Loaded query={query}>{(entry) => <Entry entry={entry} />}</Loaded>
}

function Entry({ entry }: { entry: JournalDetail }) {
  const address = useAddress()
  const may = useMay()
  const { id, kind, postings, versions } = entry
  return (
    <DetailPage
      title={`${kindNames[kind] ?? kind}, entry ${id}`}
      trail={[{ label: 'Journal', to: address('journal') }]}
      facts={<EntryFacts entry={entry} />}
    >
      <RelatedTable
        title="Postings"
        items={postings}
        keyOf={(posting) => `${posting.id}`}
        empty="It has no postings."
        columns={[
          { header: 'Account', cell: ({ account }) => accountNames[account] },
          {
            header: 'Whose',
            cell: ({ member, restaurant }) =>
              member === null ? (
                restaurant?.name
              ) : may('members.read') ? (
                <Anchor component={Link} size="sm" to={address(`members/${member.id}`)}>
                  {member.name || 'Deleted account'}
                </Anchor>
              ) : (
                member.name || 'Deleted account'
              ),
          },
          { header: 'Amount', align: 'right', cell: ({ amount }) => amount },
        ]}
      />
      <Text size="sm" c="dimmed">
        A positive amount is what the account has or is owed, a negative one what it gives or owes. In each unit the
        postings of an entry sum to zero. Entries are never changed: a correction is a further entry.
      </Text>
      <RelatedTable
        title="All entries of the same cause"
        items={versions}
        keyOf={(version) => `${version.id}`}
        empty="There are no others."
        columns={[
          {
            header: 'Entry',
            cell: (version) =>
              version.id === id ? (
                `${version.id} (this one)`
              ) : (
                <Anchor component={Link} size="sm" to={address(`journal/${version.id}`)}>
                  {version.id}
                </Anchor>
              ),
          },
          { header: 'What', cell: (version) => kindNames[version.kind] ?? version.kind },
          { header: 'Posted', cell: ({ postedAt }) => <Time at={postedAt} /> },
        ]}
      />
    </DetailPage>
  )
}

/** The page of each cause, and the permission to open it. */
const causePages = {
  transaction: { path: 'transactions', permission: 'transactions.read' },
  credit: { path: 'payouts', permission: 'payouts.read' },
  invoice: { path: 'invoices', permission: 'settlement.read' },
  member: { path: 'members', permission: 'members.read' },
} as const

function EntryFacts({ entry }: { entry: JournalDetail }) {
  const address = useAddress()
  const may = useMay()
  const { id, postedAt, source, sourceId, reasonCode, words, by, cause } = entry
  const page = cause && causePages[cause.type]
  const label = cause && (cause.label || 'Deleted account')
  return (
    <Facts
      title="Facts"
      facts={[
        ['Posted', <Time key="posted" at={postedAt} />],
        ['From', sourceNames[source]],
        [
          'Caused by',
          cause && page && may(page.permission) ? (
            <Anchor key="cause" component={Link} size="sm" to={address(`${page.path}/${cause.id}`)}>
              {label}
            </Anchor>
          ) : (
            label
          ),
        ],
        ['Why', words || (source === 'transaction' && reasonCode !== '' && reasonName(reasonCode))],
        ['By', by.join(', ')],
        ['Id of the cause', sourceId],
        ['Entry', `${id}`],
      ]}
    />
  )
}
