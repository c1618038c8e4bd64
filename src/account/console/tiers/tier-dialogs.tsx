import { Alert, Select, Text } from '@mantine/core'
import { DatePickerInput } from '@mantine/dates'
import { useState } from 'react'
import { ActionDialog } from '../../../console-kit/ActionDialog.tsx'
import { fieldErrorsOf, messageOf } from '../../../console-kit/api.ts'
import { useAct, useCall } from '../../../console-kit/calls.ts'
import { Day } from '../../../console-kit/format.tsx'
import { useProgram } from '../../../console-kit/session.tsx'
import { toastDone } from '../../../console-kit/toast.tsx'
import { endTier, giveTier, type MemberDetail, previewTier } from '../contract.ts'
import type { DialogProps } from '../dialog-props.ts'
import { nameOf } from '../member-words.ts'

type Tier = MemberDetail['tierLevel']

/** Gives a higher tier until a day: first what it changes for the next dine. */
export function TierDialog({ member, onClose }: DialogProps) {
  const { tierNames } = useProgram()
  const [tier, setTier] = useState<Tier | null>(member.tiersToGive.at(-1) ?? null)
  const [lastDay, setLastDay] = useState<string | null>(null)
  const isComplete = tier !== null && lastDay !== null
  const body = { tier: tier ?? 'VIP', lastDay: lastDay ?? '' }
  const dry = useCall(previewTier, { params: { id: member.id }, body }, { enabled: isComplete })
  const act = useAct(giveTier)
  const problems = fieldErrorsOf(dry.error)
  const shown = dry.error || dry.isPlaceholderData || !isComplete ? undefined : dry.data
  return (
    <ActionDialog
      title={`Give ${nameOf(member)} a tier until a day`}
      isOpen
      onClose={onClose}
      confirmLabel="Give the tier"
      asksReason
      isReady={shown !== undefined}
      onConfirm={async (reason) => {
        await act.mutateAsync({
          params: { id: member.id },
          body: { ...body, fingerprint: shown?.fingerprint ?? '', reason },
        })
        toastDone('Given. It counts from now on.')
      }}
    >
      <Select
        label="Tier"
        data={member.tiersToGive.map((value) => ({ value, label: tierNames[value] }))}
        value={tier}
        onChange={(value) => setTier(value as Tier | null)}
        error={problems.tier}
        allowDeselect={false}
      />
      <DatePickerInput
        label="Last day"
        description="In the calendar of the program; for meals in that of the restaurant."
        valueFormat="MMM D, YYYY"
        ariaLabels={{ previousMonth: 'Previous month', nextMonth: 'Next month' }}
        value={lastDay}
        onChange={setLastDay}
        error={problems.lastDay}
        data-autofocus
      />
      {dry.error && Object.keys(problems).length === 0 && (
        <Alert color="red" role="alert">
          {messageOf(dry.error)}
        </Alert>
      )}
      {shown && lastDay && (
        <Alert color="blue" role="status">
          {shown.before === shown.after ? `Stays ${shown.after}` : `${shown.before} becomes ${shown.after}`} until{' '}
          <Day of={lastDay} />, and then ends by itself. The next dine of {shown.bill} at the plain rate earns{' '}
          {shown.rewardAfter} instead of {shown.rewardBefore}. What is earned until then is kept.
          {shown.replaces && (
            <>
              {' '}
              What was given until <Day of={shown.replaces} /> ends now.
            </>
          )}
        </Alert>
      )}
    </ActionDialog>
  )
}

/** Ends a given tier before its last day. */
export function EndTierDialog({ member, onClose }: DialogProps) {
  const { tierNames } = useProgram()
  const act = useAct(endTier)
  return (
    <ActionDialog
      title="End the given tier"
      isOpen
      onClose={onClose}
      confirmLabel="End it now"
      asksReason
      onConfirm={async (reason) => {
        await act.mutateAsync({ params: { id: member.id }, body: { reason } })
        toastDone('Ended.')
      }}
    >
      <Text size="sm">
        {tierNames[member.tierLevel]} becomes {tierNames[member.earnedTier]} now. What was earned until now is kept.
      </Text>
    </ActionDialog>
  )
}
