import { Anchor, Badge, Button } from '@mantine/core'
import { useState } from 'react'
import { Money, Time } from '../../../console-kit/format.tsx'
import { type Column, ListPage } from '../../../console-kit/ListPage.tsx'
import { Link, useAddress } from '../../../console-kit/links.tsx'
import { useMay } from '../../../console-kit/session.tsx'
import { reasonName, reasonNames } from '../../earning/console/reason-names.ts'
import { exportTransactions, type ListedTransaction, listTransactions } from './contract.ts'
import { statusNames } from './names.ts'
import { RecalculateDialog } from './RecalculateDialog.tsx'
import { statusColor } from './status-color.ts'

const options = (names: Readonly<Record<string, string>>) =>
  Object.entries(names).map(([value, label]) => ({ value, label }))

/** The transactions of a program, with filters by everything that a member or a restaurant asks about. */
export default function TransactionsPage() {
  const address = useAddress()
  const mayRecalculate = useMay()('ledger.adjust')
  const [isRecalculating, setRecalculating] = useState(false)
  const columns: Column<ListedTransaction>[] = [
    {
      id: 'when',
      header: 'When',
      cell: ({ id, dinedAt }) => (
        <Anchor component={Link} size="sm" to={address(`transactions/${id}`)}>
          <Time at={dinedAt} />
        </Anchor>
      ),
    },
    {
      id: 'restaurant',
      header: 'Restaurant',
      cell: ({ merchantName, merchantId }) => (
        <>
          {merchantName} {merchantId === null && <Badge color="orange">Unknown</Badge>}
        </>
      ),
    },
    {
      id: 'member',
      header: 'Member',
      cell: ({ member }) => member?.name ?? <Badge color="orange">Card unknown</Badge>,
    },
    { id: 'card', header: 'Card', cell: ({ cardLastFour }) => cardLastFour },
    { id: 'amount', header: 'Bill', align: 'right', cell: ({ cents }) => <Money cents={cents} /> },
    {
      id: 'refunded',
      header: 'Refunded',
      align: 'right',
      isOptional: true,
      cell: ({ refundedCents }) => <Money cents={refundedCents} />,
    },
    { id: 'reward', header: 'Reward', align: 'right', cell: ({ reward }) => reward },
    {
      id: 'status',
      header: 'Status',
      cell: ({ awardStatus }) => <Badge color={statusColor[awardStatus]}>{statusNames[awardStatus]}</Badge>,
    },
    { id: 'reason', header: 'Why', cell: ({ reasonCode }) => reasonName(reasonCode) },
    { id: 'networkId', header: 'Network id', isOptional: true, cell: ({ networkId }) => networkId },
  ]
  return (
    <ListPage
      title="Transactions"
      call={listTransactions}
      csv={exportTransactions}
      keyOf={({ id }) => id}
      addressOf={({ id }) => address(`transactions/${id}`)}
      columns={columns}
      filters={[
        { kind: 'text', name: 'q', label: 'Id or last four digits' },
        { kind: 'text', name: 'restaurant', label: 'Restaurant' },
        { kind: 'text', name: 'member', label: 'Member’s email, number or id' },
        { kind: 'days', from: 'from', to: 'to', label: 'Days' },
        { kind: 'choice', name: 'status', label: 'Status', options: options({ any: 'Any status', ...statusNames }) },
        { kind: 'choice', name: 'reason', label: 'Why', options: options({ any: 'Any reason', ...reasonNames }) },
        { kind: 'text', name: 'min', label: 'Bill from ($)' },
        { kind: 'text', name: 'max', label: 'Bill to ($)' },
      ]}
      empty={{ title: 'No transactions yet', text: 'They appear as soon as the card network reports the first one.' }}
      actions={
        mayRecalculate && (
          <Button variant="default" onClick={() => setRecalculating(true)}>
            Calculate again
          </Button>
        )
      }
    >
      <RecalculateDialog isOpen={isRecalculating} onClose={() => setRecalculating(false)} />
    </ListPage>
  )
}
