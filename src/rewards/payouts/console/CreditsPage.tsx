import { Anchor, Badge, Group } from '@mantine/core'
import { Money, Time } from '../../../console-kit/format.tsx'
import { type Column, ListPage } from '../../../console-kit/ListPage.tsx'
import { Link, useAddress } from '../../../console-kit/links.tsx'
import { exportCredits, type ListedCredit, listCredits } from './contract.ts'
import { attentionNames, stateNames } from './credit-names.ts'

/** The statement credits of a program. */
export default function CreditsPage() {
  const address = useAddress()
  const columns: Column<ListedCredit>[] = [
    {
      id: 'ordered',
      header: 'Ordered',
      cell: ({ id, orderedAt }) => (
        <Anchor component={Link} size="sm" to={address(`payouts/${id}`)}>
          <Time at={orderedAt} />
        </Anchor>
      ),
    },
    { id: 'member', header: 'Member', cell: ({ member }) => member.name },
    { id: 'amount', header: 'Amount', align: 'right', cell: ({ cents }) => <Money cents={cents} /> },
    { id: 'target', header: 'Paid to', cell: ({ target }) => target },
    {
      id: 'state',
      header: 'State',
      cell: ({ state, attention }) => (
        <Group gap={4} wrap="nowrap">
          <Badge color={stateNames[state].color}>{stateNames[state].label}</Badge>
          {attention && <Badge color="red">Needs a decision</Badge>}
        </Group>
      ),
    },
    { id: 'why', header: 'Why', cell: ({ attention }) => attention && attentionNames[attention] },
    { id: 'processor', header: 'Processor', isOptional: true, cell: ({ processor }) => processor },
    {
      id: 'unanswered',
      header: 'Attempts without an answer',
      align: 'right',
      isOptional: true,
      cell: ({ unanswered }) => unanswered,
    },
    { id: 'id', header: 'Id', isOptional: true, cell: ({ id }) => id },
  ]
  return (
    <ListPage
      title="Statement credits"
      call={listCredits}
      csv={exportCredits}
      columns={columns}
      keyOf={({ id }) => id}
      addressOf={({ id }) => address(`payouts/${id}`)}
      filters={[
        {
          kind: 'choice',
          name: 'state',
          label: 'State',
          options: [
            { value: 'any', label: 'Any state' },
            { value: 'attention', label: 'Needs a decision' },
            ...Object.entries(stateNames).map(([value, { label }]) => ({ value, label })),
          ],
        },
        { kind: 'text', name: 'member', label: 'Member’s email, number or id' },
        { kind: 'days', from: 'from', to: 'to', label: 'Ordered' },
        { kind: 'text', name: 'q', label: 'Id of the credit' },
      ]}
      empty={{
        title: 'No statement credits yet',
        text: 'A credit is ordered when a balance reaches the amount of the program’s settings.',
      }}
    />
  )
}
