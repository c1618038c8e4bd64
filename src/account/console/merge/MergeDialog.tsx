import { Alert, List, Stack, Text, TextInput } from '@mantine/core'
import { useState } from 'react'
import { ActionDialog } from '../../../console-kit/ActionDialog.tsx'
import { fieldErrorsOf, messageOf } from '../../../console-kit/api.ts'
import { useAct, useCall } from '../../../console-kit/calls.ts'
import { Day } from '../../../console-kit/format.tsx'
import { toastDone } from '../../../console-kit/toast.tsx'
import { getMember, listMemberTimeline, type MergePreview, mergeMember, previewMerge } from '../contract.ts'
import type { DialogProps } from '../dialog-props.ts'
import { nameOf } from '../member-words.ts'
import { MemberSelect } from './MemberSelect.tsx'
import { changeWords, endingWords, movedWords, stayingWords } from './words.ts'

const numberLabels = {
  memberNumber: 'Member number of the account that ends',
  referralCode: 'Referral code of the account that ends',
} as const

/** Merges an account into another one of the same person: first everything that it does, then a second person decides. */
export function MergeDialog({ member, onClose }: DialogProps) {
  const [into, setInto] = useState<string | null>(null)
  const [memberNumber, setMemberNumber] = useState('')
  const dry = useCall(
    previewMerge,
    { params: { id: member.id }, body: { into: into ?? '' } },
    { enabled: into !== null },
  )
  // Not the preview: while the request waits, there is none.
  const act = useAct(mergeMember, { refreshes: [getMember, listMemberTimeline] })
  const shown = dry.error || dry.isPlaceholderData || into === null ? undefined : dry.data
  return (
    <ActionDialog
      title={`Merge ${nameOf(member)} into another account`}
      isOpen
      onClose={onClose}
      confirmLabel="Ask for approval"
      isDangerous
      asksReason
      isReady={shown !== undefined && memberNumber.trim() !== ''}
      fields={['memberNumber']}
      onConfirm={async (reason) => {
        const fingerprint = shown?.fingerprint ?? ''
        await act.mutateAsync({
          params: { id: member.id },
          body: { into: into ?? '', memberNumber, fingerprint, reason },
        })
        toastDone('Asked. A second person decides it under Approvals.')
      }}
    >
      <Text size="sm">
        For two accounts of one person. {nameOf(member)} with {member.email} ends, and the account that you choose has
        everything.
      </Text>
      <MemberSelect
        label="Account to keep"
        except={member.id}
        value={into}
        onChange={setInto}
        error={dry.error ? messageOf(dry.error) : undefined}
      />
      {shown && (
        <>
          <Outcome preview={shown} />
          <TextInput
            label={numberLabels[shown.typed]}
            description="Type it, so that the right account ends."
            value={memberNumber}
            onChange={(event) => setMemberNumber(event.currentTarget.value)}
            error={fieldErrorsOf(act.error).memberNumber}
            autoComplete="off"
          />
        </>
      )}
    </ActionDialog>
  )
}

function Outcome({ preview }: { preview: MergePreview }) {
  const { from, into, moves, movesNumber, balances, changes, year, tier } = preview
  return (
    <Alert color="orange" role="status" title={`${from.name} ends, ${into.name} stays`}>
      <Stack gap="xs">
        <Lines
          title={`Moves to ${into.email}`}
          lines={[
            ...moves.map(({ what, count }) => movedWords[what](count)),
            ...(movesNumber ? [`the member number ${from.number}`] : []),
          ]}
        />
        <Lines
          title="Balance"
          lines={
            balances.length === 0
              ? ['Both balances are empty.']
              : balances.map((each) => `${each.from} and ${each.into} become ${each.after}`)
          }
        />
        {changes.length > 0 && (
          <Lines
            title="The rules for one person change"
            lines={changes.map(({ kind, amount, count }) => `${changeWords[kind]} (${count}): ${amount}`)}
          />
        )}
        <Text size="sm">
          This year: {year.from.dines} and {year.into.dines} visits become {year.after.dines}, {year.from.spend} and{' '}
          {year.into.spend} become {year.after.spend}. Tier:{' '}
          {tier.before === tier.after ? `stays ${tier.after}` : `${tier.before} becomes ${tier.after}`}
          {tier.vipFrom && (
            <>
              , from <Day of={tier.vipFrom} />
            </>
          )}
          {tier.vipUntil && (
            <>
              {' '}
              until <Day of={tier.vipUntil} />
            </>
          )}
          .
        </Text>
        <Lines title={`Stays with ${from.email}`} lines={stayingWords(preview)} />
        <Text size="sm">{endingWords(preview)}</Text>
        <Text size="sm">
          Later refunds, claims and messages about its purchases arrive at the account to keep. Statement credits under
          way keep their numbers and their targets.
        </Text>
        <Text size="sm" fw={600}>
          A second person has to approve it. It cannot be undone.
        </Text>
      </Stack>
    </Alert>
  )
}

function Lines({ title, lines }: { title: string; lines: readonly string[] }) {
  return (
    <div>
      <Text size="sm" fw={600}>
        {title}
      </Text>
      <List size="sm" withPadding>
        {lines.map((line) => (
          <List.Item key={line}>{line}</List.Item>
        ))}
      </List>
    </div>
  )
}
