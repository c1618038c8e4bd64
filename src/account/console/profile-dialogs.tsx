import { TagsInput, Text, TextInput } from '@mantine/core'
import { useForm } from '@mantine/form'
import { useState } from 'react'
import { ActionDialog } from '../../console-kit/ActionDialog.tsx'
import { fieldErrorsOf } from '../../console-kit/api.ts'
import { useAct } from '../../console-kit/calls.ts'
import { toastDone } from '../../console-kit/toast.tsx'
import { changeMemberEmail, correctMember, tagMember } from './contract.ts'
import type { DialogProps } from './dialog-props.ts'

export function CorrectDialog({ member, onClose }: DialogProps) {
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

export function EmailDialog({ member, onClose }: DialogProps) {
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

export function TagsDialog({ member, onClose }: DialogProps) {
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
