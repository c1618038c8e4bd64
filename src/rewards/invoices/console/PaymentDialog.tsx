import { Text, TextInput } from '@mantine/core'
import { DatePickerInput } from '@mantine/dates'
import { useState } from 'react'
import { ActionDialog } from '../../../console-kit/ActionDialog.tsx'
import { fieldErrorsOf } from '../../../console-kit/api.ts'
import { useAct } from '../../../console-kit/calls.ts'
import { useProgram } from '../../../console-kit/session.tsx'
import { toastDone } from '../../../console-kit/toast.tsx'
import { decimalFromCents, formatCents, readSoughtDollars } from '../../../platform/money.ts'
import { dayIn } from '../../../platform/time.ts'
import { addPayment, type InvoiceDetail } from './contract.ts'

/** Records a payment: by default all that is open, today. */
export function PaymentDialog({ invoice, onClose }: { invoice: InvoiceDetail; onClose: () => void }) {
  const { timeZone } = useProgram()
  const today = dayIn(new Date(), timeZone)
  const [amount, setAmount] = useState(decimalFromCents(invoice.openCents))
  const [paidOn, setPaidOn] = useState<string | null>(today)
  const [reference, setReference] = useState('')
  const act = useAct(addPayment)
  const errors = fieldErrorsOf(act.error)
  const cents = readSoughtDollars(amount)
  return (
    <ActionDialog
      title={`Payment of invoice ${invoice.number}`}
      isOpen
      onClose={onClose}
      confirmLabel="Record it"
      isReady={paidOn !== null}
      fields={['amount', 'paidOn', 'reference']}
      onConfirm={async () => {
        await act.mutateAsync({ params: { id: invoice.number }, body: { amount, paidOn: paidOn ?? today, reference } })
        toastDone('The payment is recorded.')
      }}
    >
      <TextInput
        label="Amount in dollars"
        inputMode="decimal"
        value={amount}
        onChange={(event) => setAmount(event.currentTarget.value)}
        error={errors.amount}
      />
      <DatePickerInput
        label="Paid on"
        valueFormat="MMM D, YYYY"
        maxDate={today}
        value={paidOn}
        onChange={setPaidOn}
        error={errors.paidOn}
      />
      <TextInput
        label="Reference"
        description="What the bank statement says. It may stay empty."
        value={reference}
        onChange={(event) => setReference(event.currentTarget.value)}
        error={errors.reference}
      />
      {cents !== null && cents > 0 && cents <= invoice.openCents && (
        <Text size="sm" role="status">
          {cents === invoice.openCents
            ? 'The invoice is paid then.'
            : `${formatCents(invoice.openCents - cents)} stay open.`}
        </Text>
      )}
    </ActionDialog>
  )
}
