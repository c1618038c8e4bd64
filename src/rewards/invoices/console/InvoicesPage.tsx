import { Anchor, Button } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { Day, Money, StateBadge } from '../../../console-kit/format.tsx'
import { type Column, ListPage } from '../../../console-kit/ListPage.tsx'
import { Link, useAddress } from '../../../console-kit/links.tsx'
import { useMay } from '../../../console-kit/session.tsx'
import { nameOfMonth } from '../../settlement/console/month-name.ts'
import { exportInvoices, type ListedInvoice, listInvoices } from './contract.ts'
import { ImportDialog } from './ImportDialog.tsx'
import { stateNames } from './invoice-names.ts'

/** The invoices of a program's restaurants. */
export default function InvoicesPage() {
  const address = useAddress()
  const mayEdit = useMay()('settlement.edit')
  const [isImporting, { open, close }] = useDisclosure()
  const columns: Column<ListedInvoice>[] = [
    {
      id: 'number',
      header: 'Invoice',
      cell: ({ number }) => (
        <Anchor component={Link} size="sm" to={address(`invoices/${number}`)}>
          {number}
        </Anchor>
      ),
    },
    { id: 'restaurant', header: 'Restaurant', cell: ({ merchantName, city }) => `${merchantName}, ${city}` },
    { id: 'month', header: 'Month', cell: ({ month }) => nameOfMonth(month) },
    { id: 'total', header: 'Total', align: 'right', cell: ({ totalCents }) => <Money cents={totalCents} /> },
    { id: 'open', header: 'Open', align: 'right', cell: ({ openCents }) => <Money cents={openCents} /> },
    { id: 'due', header: 'Due', cell: ({ dueOn }) => <Day of={dueOn} /> },
    {
      id: 'state',
      header: 'State',
      cell: ({ state }) => <StateBadge of={stateNames[state]} />,
    },
    {
      id: 'paid',
      header: 'Paid',
      align: 'right',
      isOptional: true,
      cell: ({ paidCents }) => <Money cents={paidCents} />,
    },
  ]
  return (
    <>
      <ListPage
        title="Invoices"
        call={listInvoices}
        csv={exportInvoices}
        columns={columns}
        keyOf={({ number }) => number}
        addressOf={({ number }) => address(`invoices/${number}`)}
        filters={[
          {
            kind: 'choice',
            name: 'state',
            label: 'State',
            options: [
              { value: 'any', label: 'Any state' },
              ...Object.entries(stateNames).map(([value, { label }]) => ({ value, label })),
            ],
          },
          { kind: 'month', name: 'month', label: 'Month (UTC)', isOptional: true },
          { kind: 'text', name: 'restaurant', label: 'Restaurant' },
          { kind: 'text', name: 'q', label: 'Number of the invoice' },
        ]}
        actions={
          mayEdit && (
            <Button variant="default" onClick={open}>
              Import payments
            </Button>
          )
        }
        empty={{
          title: 'No invoices yet',
          text: 'They are issued when a month of settlement is closed, one for each restaurant.',
        }}
      />
      {mayEdit && <ImportDialog isOpen={isImporting} onClose={close} />}
    </>
  )
}
