import { Alert, SegmentedControl, Select, TextInput } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { useState } from 'react'
import { ActionDialog } from '../../console-kit/ActionDialog.tsx'
import { fieldErrorsOf, messageOf } from '../../console-kit/api.ts'
import { useAct, useCall } from '../../console-kit/calls.ts'
import { useProgram } from '../../console-kit/session.tsx'
import { toastDone } from '../../console-kit/toast.tsx'
import { typedUnitOf } from '../../programs/partners/rates.ts'
import { adjustBalance, getMemberRecords, grantMemberBonus, previewAdjustment } from './contract.ts'
import type { DialogProps } from './dialog-props.ts'
import { nameOf } from './member-words.ts'

export function AdjustDialog({ member, onClose }: DialogProps) {
  const [direction, setDirection] = useState<'credit' | 'debit'>('credit')
  const [amount, setAmount] = useState('')
  const [key] = useState(() => crypto.randomUUID())
  const [settled] = useDebouncedValue({ direction, amount }, 250)
  const dry = useCall(
    previewAdjustment,
    { params: { id: member.id }, body: settled },
    { enabled: settled.amount.trim() !== '' },
  )
  const act = useAct(adjustBalance)
  const isCurrent = settled.amount === amount && settled.direction === direction && !dry.isPlaceholderData
  const shown = dry.error || !isCurrent || amount.trim() === '' ? undefined : dry.data
  return (
    <ActionDialog
      title={`Credit or debit ${nameOf(member)}`}
      isOpen
      onClose={onClose}
      confirmLabel={shown?.needsApproval ? 'Ask for approval' : direction === 'credit' ? 'Credit' : 'Debit'}
      asksReason
      isReady={shown !== undefined}
      fields={['amount']}
      onConfirm={async (reason) => {
        const result = await act.mutateAsync({
          params: { id: member.id },
          body: { direction, amount, key, expected: shown?.before ?? '', reason },
        })
        toastDone(result.state === 'posted' ? 'Posted.' : 'Asked. A second person decides it under Approvals.')
      }}
    >
      <SegmentedControl
        aria-label="Direction"
        data={[
          { value: 'credit', label: 'Credit' },
          { value: 'debit', label: 'Debit' },
        ]}
        value={direction}
        onChange={(value) => setDirection(value as 'credit' | 'debit')}
      />
      <TextInput
        label={`Amount in ${typedUnitOf(useProgram().currency)}`}
        inputMode="decimal"
        value={amount}
        onChange={(event) => setAmount(event.currentTarget.value)}
        error={dry.error && isCurrent ? messageOf(dry.error) : fieldErrorsOf(act.error).amount}
        data-autofocus
      />
      {shown && (
        <Alert color={shown.needsApproval ? 'orange' : 'blue'} role="status">
          The balance goes from {shown.before} to {shown.after}.
          {shown.needsApproval &&
            ` A second person has to approve it. Without one, a balance changes by at most ${shown.limit} a day, and all that you change by at most ${shown.dayLimit}.`}
        </Alert>
      )}
    </ActionDialog>
  )
}

export function BonusDialog({ member, onClose }: DialogProps) {
  const records = useCall(getMemberRecords, { params: { id: member.id } })
  const act = useAct(grantMemberBonus)
  const [code, setCode] = useState<string | null>(null)
  const grantable = records.data?.grantable ?? []
  return (
    <ActionDialog
      title="Grant a bonus"
      isOpen
      onClose={onClose}
      confirmLabel="Grant"
      asksReason
      isReady={code !== null}
      onConfirm={async (reason) => {
        await act.mutateAsync({ params: { id: member.id }, body: { code: code ?? '', reason } })
        toastDone('Granted. It counts from now on.')
      }}
    >
      <Select
        label="Bonus"
        data={grantable.map((bonus) => ({ value: bonus.code, label: bonus.description }))}
        value={code}
        onChange={setCode}
        nothingFoundMessage="The program has no other bonus."
        placeholder={grantable.length === 0 ? 'The program has no other bonus' : 'Choose one'}
        data-autofocus
      />
    </ActionDialog>
  )
}
