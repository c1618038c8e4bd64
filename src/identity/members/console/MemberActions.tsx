import {
  Alert,
  Button,
  Checkbox,
  Menu,
  SegmentedControl,
  Select,
  Stack,
  TagsInput,
  Text,
  TextInput,
} from '@mantine/core'
import { useForm } from '@mantine/form'
import { useDebouncedValue } from '@mantine/hooks'
import { ChevronDown } from 'lucide-react'
import { useState } from 'react'
import { ActionDialog } from '../../../console/kit/ActionDialog.tsx'
import { fieldErrorsOf, messageOf } from '../../../console/kit/api.ts'
import { useAct, useCall } from '../../../console/kit/calls.ts'
import { useMay, useProgram, useSession } from '../../../console/kit/session.tsx'
import { toastDone, toastFailed } from '../../../console/kit/toast.tsx'
import { callUrl } from '../../../platform/call.ts'
import {
  adjustBalance,
  changeMemberEmail,
  closeMember,
  correctMember,
  exportMemberData,
  getMemberRecords,
  grantMemberBonus,
  type MemberDetail,
  previewAdjustment,
  reopenMember,
  tagMember,
  unlockMember,
} from './contract.ts'
import { nameOf } from './member-words.ts'

type DialogName = 'adjust' | 'look' | 'correct' | 'email' | 'tags' | 'bonus' | 'close' | 'reopen'

/** What an operator can do with a member now, by the operator's permissions and the account's state. */
export function MemberActions({ member }: { member: MemberDetail }) {
  const may = useMay()
  const program = useProgram()
  const [open, setOpen] = useState<DialogName | null>(null)
  const unlock = useAct(unlockMember)
  const close = () => setOpen(null)
  const isClosed = member.memberType === 'ClosedAccountMember'
  const items = [
    may('members.edit') && { label: 'Correct name or address', onClick: () => setOpen('correct') },
    may('members.edit') && member.emailEditable && { label: 'Change email address', onClick: () => setOpen('email') },
    may('notes.write') && { label: 'Tags', onClick: () => setOpen('tags') },
    may('ledger.adjust') && { label: 'Grant a bonus', onClick: () => setOpen('bonus') },
    may('members.edit') &&
      member.isLocked && {
        label: 'Unlock sign-in',
        onClick: () =>
          unlock.mutate(
            { params: { id: member.id } },
            { onSuccess: () => toastDone('The member can sign in again.'), onError: toastFailed },
          ),
      },
    may('members.export') && {
      label: 'Export the data',
      onClick: () => location.assign(callUrl(exportMemberData, { params: { program: program.code, id: member.id } })),
    },
    may('members.close') && !isClosed && { label: 'Close the account', onClick: () => setOpen('close'), color: 'red' },
    may('members.close') && isClosed && { label: 'Reopen the account', onClick: () => setOpen('reopen') },
  ].filter((item) => item !== false)
  return (
    <>
      {may('members.impersonate') && (
        <Button variant="default" onClick={() => setOpen('look')}>
          View as member
        </Button>
      )}
      {may('ledger.adjust') && <Button onClick={() => setOpen('adjust')}>Credit or debit</Button>}
      {items.length > 0 && (
        <Menu position="bottom-end">
          <Menu.Target>
            <Button variant="default" rightSection={<ChevronDown size={16} />}>
              More
            </Button>
          </Menu.Target>
          <Menu.Dropdown>
            {items.map(({ label, ...item }) => (
              <Menu.Item key={label} {...item}>
                {label}
              </Menu.Item>
            ))}
          </Menu.Dropdown>
        </Menu>
      )}
      {open === 'adjust' && <AdjustDialog member={member} onClose={close} />}
      {open === 'look' && <LookDialog member={member} onClose={close} />}
      {open === 'correct' && <CorrectDialog member={member} onClose={close} />}
      {open === 'email' && <EmailDialog member={member} onClose={close} />}
      {open === 'tags' && <TagsDialog member={member} onClose={close} />}
      {open === 'bonus' && <BonusDialog member={member} onClose={close} />}
      {open === 'close' && <CloseDialog member={member} onClose={close} />}
      {open === 'reopen' && <ReopenDialog member={member} onClose={close} />}
    </>
  )
}

interface DialogProps {
  member: MemberDetail
  onClose: () => void
}

function AdjustDialog({ member, onClose }: DialogProps) {
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
        label={`Amount (${useProgram().currency.currencyName})`}
        inputMode="decimal"
        value={amount}
        onChange={(event) => setAmount(event.currentTarget.value)}
        error={dry.error && isCurrent ? messageOf(dry.error) : undefined}
        data-autofocus
      />
      {shown && (
        <Alert color={shown.needsApproval ? 'orange' : 'blue'} role="status">
          The balance goes from {shown.before} to {shown.after}.
          {shown.needsApproval && ` Above ${shown.limit}, a second person has to approve it.`}
        </Alert>
      )}
    </ActionDialog>
  )
}

/** Begins the impersonation: a page of plain forms then shows the app in a frame. */
function LookDialog({ member, onClose }: DialogProps) {
  const program = useProgram()
  const { csrfToken } = useSession()
  const may = useMay()
  const [change, setChange] = useState(false)
  return (
    <ActionDialog
      title={`View the app as ${nameOf(member)}`}
      isOpen
      onClose={onClose}
      confirmLabel="View as member"
      asksReason
      onConfirm={async (reason) =>
        sendForm(`/${program.code}/members/${member.id}/look`, {
          csrf: csrfToken,
          reason,
          ...(change && { change: 'yes' }),
        })
      }
    >
      <Text size="sm">
        For up to 30 minutes. Your visit, your reason and your changes are recorded, and the member can request the
        record.
      </Text>
      {may('members.act') && (
        <Checkbox
          label="I need to change something for the member"
          checked={change}
          onChange={(event) => setChange(event.currentTarget.checked)}
        />
      )}
    </ActionDialog>
  )
}

/** Sends a form as the browser does, which then shows the page of the response. */
function sendForm(action: string, fields: Record<string, string>): void {
  const form = Object.assign(document.createElement('form'), { method: 'post', action, hidden: true })
  for (const [name, value] of Object.entries(fields))
    form.append(Object.assign(document.createElement('input'), { type: 'hidden', name, value }))
  document.body.append(form)
  form.submit()
}

function CorrectDialog({ member, onClose }: DialogProps) {
  const act = useAct(correctMember)
  const form = useForm({
    initialValues: {
      firstName: member.firstName,
      lastName: member.lastName,
      ...member.address,
      phoneNumber: member.phoneNumber,
    },
  })
  const labels = {
    ...(member.namesEditable && { firstName: 'First name', lastName: 'Last name' }),
    address1: 'Address',
    address2: 'Apartment or suite',
    city: 'City',
    state: 'State (two letters)',
    zipCode: 'ZIP code',
    phoneNumber: 'Phone number',
  } as const
  return (
    <ActionDialog
      title="Correct name or address"
      isOpen
      onClose={onClose}
      confirmLabel="Store"
      asksReason
      onConfirm={async (reason) => {
        try {
          await act.mutateAsync({
            params: { id: member.id },
            body: { ...form.getValues(), version: member.version, reason },
          })
        } catch (error) {
          form.setErrors(fieldErrorsOf(error))
          throw error
        }
        toastDone('Stored.')
      }}
    >
      {Object.entries(labels).map(([name, label]) => (
        <TextInput key={name} label={label} {...form.getInputProps(name)} />
      ))}
    </ActionDialog>
  )
}

function EmailDialog({ member, onClose }: DialogProps) {
  const act = useAct(changeMemberEmail)
  const [email, setEmail] = useState('')
  return (
    <ActionDialog
      title="Change email address"
      isOpen
      onClose={onClose}
      confirmLabel="Change"
      asksReason
      isReady={email.trim() !== ''}
      onConfirm={async (reason) => {
        await act.mutateAsync({ params: { id: member.id }, body: { email, version: member.version, reason } })
        toastDone('Changed. Both addresses get an email.')
      }}
    >
      <Text size="sm">
        Now {member.email}. Both addresses get an email, and the new one a code to verify it. Links in earlier emails
        end.
      </Text>
      <TextInput
        label="New email address"
        type="email"
        value={email}
        onChange={(event) => setEmail(event.currentTarget.value)}
        data-autofocus
      />
    </ActionDialog>
  )
}

function TagsDialog({ member, onClose }: DialogProps) {
  const act = useAct(tagMember)
  const [tags, setTags] = useState(member.tags)
  return (
    <ActionDialog
      title="Tags"
      isOpen
      onClose={onClose}
      confirmLabel="Store"
      onConfirm={async () => {
        await act.mutateAsync({ params: { id: member.id }, body: { tags, expected: member.tags } })
        toastDone('Stored.')
      }}
    >
      <TagsInput
        label="Tags"
        description="Lower-case letters, digits and hyphens. Enter adds one."
        value={tags}
        onChange={setTags}
        data-autofocus
      />
    </ActionDialog>
  )
}

function BonusDialog({ member, onClose }: DialogProps) {
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

function CloseDialog({ member, onClose }: DialogProps) {
  const act = useAct(closeMember)
  return (
    <ActionDialog
      title={`Close the account of ${nameOf(member)}`}
      isOpen
      onClose={onClose}
      confirmLabel="Close the account"
      isDangerous
      asksReason
      onConfirm={async (reason) => {
        await act.mutateAsync({ params: { id: member.id }, body: { reason } })
        toastDone('Closed.')
      }}
    >
      <Stack gap="xs">
        <Text size="sm">
          {member.lastFours.length > 0
            ? `These cards stop earning: ${member.lastFours.join(', ')}.`
            : 'The account has no linked card.'}{' '}
          Every session of the member ends. The balance of {member.balance} stays.
        </Text>
      </Stack>
    </ActionDialog>
  )
}

function ReopenDialog({ member, onClose }: DialogProps) {
  const act = useAct(reopenMember)
  return (
    <ActionDialog
      title={`Reopen the account of ${nameOf(member)}`}
      isOpen
      onClose={onClose}
      confirmLabel="Reopen"
      asksReason
      onConfirm={async (reason) => {
        await act.mutateAsync({ params: { id: member.id }, body: { reason } })
        toastDone('Open again.')
      }}
    >
      <Text size="sm">The account opens without a card. The member links one again.</Text>
    </ActionDialog>
  )
}
