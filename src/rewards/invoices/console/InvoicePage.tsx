import { Anchor, Badge, Button, Text } from '@mantine/core'
import { useParams } from '@tanstack/react-router'
import { useState } from 'react'
import { ActionDialog } from '../../../console-kit/ActionDialog.tsx'
import { useAct, useCall } from '../../../console-kit/calls.ts'
import { DetailPage } from '../../../console-kit/DetailPage.tsx'
import { Facts } from '../../../console-kit/Facts.tsx'
import { Day, Money, Time } from '../../../console-kit/format.tsx'
import { Link, useAddress } from '../../../console-kit/links.tsx'
import { RelatedTable } from '../../../console-kit/Related.tsx'
import { useMay } from '../../../console-kit/session.tsx'
import { Loaded } from '../../../console-kit/states.tsx'
import { dayText } from '../../../console-kit/times.ts'
import { toastDone } from '../../../console-kit/toast.tsx'
import { formatCents } from '../../../platform/money.ts'
import { EntryLink } from '../../ledger/console/EntryLink.tsx'
import { nameOfMonth } from '../../settlement/console/month-name.ts'
import { getInvoice, type InvoiceDetail, undoPayment } from './contract.ts'
import { stateNames } from './invoice-names.ts'
import { PaymentDialog } from './PaymentDialog.tsx'

type Payment = InvoiceDetail['payments'][number]

/** One invoice: what it asks for, and what was paid. */
export default function InvoicePage() {
  const { id = '' } = useParams({ strict: false }) as { id?: string }
  const query = useCall(getInvoice, { params: { id } })
  return <Loaded query={query}>{(invoice) => <Invoice invoice={invoice} />}</Loaded>
}

function Invoice({ invoice }: { invoice: InvoiceDetail }) {
  const address = useAddress()
  const mayEdit = useMay()('settlement.edit')
  const [isPaying, setPaying] = useState(false)
  const [undone, setUndone] = useState<Payment | null>(null)
  const { number, merchantName, month, state, openCents, payments } = invoice
  return (
    <DetailPage
      title={`Invoice ${number}, ${merchantName}`}
      state={stateNames[state]}
      trail={[{ label: 'Invoices', to: address('invoices') }]}
      actions={mayEdit && openCents > 0 && <Button onClick={() => setPaying(true)}>Record a payment</Button>}
      facts={<InvoiceFacts invoice={invoice} />}
    >
      <RelatedTable
        title="Payments"
        items={payments}
        keyOf={({ id }) => id}
        empty={state === 'credit' ? 'Nothing is to be paid.' : 'Nothing was paid yet.'}
        columns={[
          { header: 'Paid on', cell: ({ paidOn }) => <Day of={paidOn} /> },
          { header: 'Amount', align: 'right', cell: ({ cents }) => <Money cents={cents} /> },
          { header: 'Reference', cell: ({ reference }) => reference },
          {
            header: 'Recorded',
            cell: ({ by, recordedAt, entry }) => (
              <>
                <EntryLink id={entry}>
                  <Time at={recordedAt} />
                </EntryLink>
                , by {by}
              </>
            ),
          },
          {
            header: '',
            cell: (payment) =>
              payment.undone ? (
                <>
                  <Badge color="gray">Taken back</Badge>
                  <Text size="xs" c="dimmed">
                    By {payment.undone.by}, <Time at={payment.undone.at} />: {payment.undone.reason}
                  </Text>
                </>
              ) : (
                mayEdit && (
                  <Button
                    size="xs"
                    variant="subtle"
                    color="red"
                    aria-label={`Take back ${formatCents(payment.cents)} of ${dayText(payment.paidOn)}`}
                    onClick={() => setUndone(payment)}
                  >
                    Take back
                  </Button>
                )
              ),
          },
        ]}
      />
      <Text size="sm" c="dimmed">
        The total is what the journal posted for the restaurant in {nameOfMonth(month)} (UTC). It never changes; refunds
        that come later are part of a later invoice.
      </Text>
      {isPaying && <PaymentDialog invoice={invoice} onClose={() => setPaying(false)} />}
      {undone && <UndoDialog invoice={invoice} payment={undone} onClose={() => setUndone(null)} />}
    </DetailPage>
  )
}

function InvoiceFacts({ invoice }: { invoice: InvoiceDetail }) {
  const address = useAddress()
  const { merchantId, merchantName, city, month, monthCents, carriedCents } = invoice
  const { totalCents, paidCents, openCents, dueOn, issuedAt } = invoice
  return (
    <Facts
      title="Facts"
      facts={[
        [
          'Restaurant',
          <Anchor key="merchant" component={Link} size="sm" to={address(`settlement/${merchantId}?month=${month}`)}>
            {merchantName}, {city}
          </Anchor>,
        ],
        ['Month (UTC)', nameOfMonth(month)],
        ['Posted in the month', <Money key="month" cents={monthCents} />],
        ['Owed to it before', carriedCents !== 0 && <Money key="carried" cents={carriedCents} />],
        ['Total', <Money key="total" cents={totalCents} />],
        ['Paid', <Money key="paid" cents={paidCents} />],
        ['Open', <Money key="open" cents={openCents} />],
        ['Issued', <Time key="issued" at={issuedAt} />],
        ['Due', <Day key="due" of={dueOn} />],
      ]}
    />
  )
}

function UndoDialog({ invoice, payment, onClose }: { invoice: InvoiceDetail; payment: Payment; onClose: () => void }) {
  const act = useAct(undoPayment)
  return (
    <ActionDialog
      title="Take a payment back"
      isOpen
      onClose={onClose}
      confirmLabel="Take it back"
      isDangerous
      asksReason
      onConfirm={async (reason) => {
        await act.mutateAsync({ params: { id: invoice.number, payment: payment.id }, body: { reason } })
        toastDone('The payment is taken back.')
      }}
    >
      <Text size="sm">
        {formatCents(payment.cents)} of {dayText(payment.paidOn)} no longer count. Open is then{' '}
        {formatCents(invoice.openCents + payment.cents)}. The journal keeps both entries.
      </Text>
    </ActionDialog>
  )
}
