import { TagsInput, Text, TextInput } from '@mantine/core'
import { useForm } from '@mantine/form'
import { useEffect, useRef, useState } from 'react'
import { ActionDialog } from '../../console-kit/ActionDialog.tsx'
import { fieldErrorsOf } from '../../console-kit/api.ts'
import { useAct } from '../../console-kit/calls.ts'
import { toastDone } from '../../console-kit/toast.tsx'
import { useEditedList } from '../../console-kit/use-edited-list.ts'
import { changeMemberEmail, correctMember, tagMember } from './contract.ts'
import type { DialogProps } from './dialog-props.ts'
import { tagProblem, toTag } from './tags.ts'

const correctable = ({ firstName, lastName, address, phoneNumber }: DialogProps['member']) => ({
  firstName,
  lastName,
  ...address,
  phoneNumber,
})

export function CorrectDialog({ member, onClose }: DialogProps) {
  const act = useAct(correctMember)
  const form = useForm({ initialValues: correctable(member) })
  const seen = useRef(member)
  useEffect(() => {
    // Somebody else has changed the member meanwhile: what was not touched here follows, and the rest says so.
    const [was, is] = [correctable(seen.current), correctable(member)]
    seen.current = member
    for (const name of Object.keys(is) as (keyof typeof is)[]) {
      if (is[name] === was[name]) continue
      if (form.getValues()[name] === was[name]) form.setFieldValue(name, is[name])
      else if (form.getValues()[name] !== is[name])
        form.setFieldError(name, `Meanwhile stored: ${is[name] || 'nothing'}. Store replaces it.`)
    }
  }, [member, form])
  const labels = {
    ...(member.namesEditable && { firstName: 'First name', lastName: 'Last name' }),
    address1: 'Address',
    address2: 'Apartment, suite',
    city: 'City',
    state: 'State',
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
      fields={Object.keys(labels)}
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
  const isVerified = member.emailVerifiedAt !== null
  const errors = fieldErrorsOf(act.error)
  return (
    <ActionDialog
      title="Change email address"
      isOpen
      onClose={onClose}
      confirmLabel={isVerified ? 'Ask for approval' : 'Change'}
      asksReason
      isReady={email.trim() !== ''}
      fields={['email']}
      onConfirm={async (reason) => {
        await act.mutateAsync({ params: { id: member.id }, body: { email, version: member.version, reason } })
        toastDone(
          isVerified ? 'Asked. A second person decides it under Approvals.' : 'Changed. Both addresses get an email.',
        )
      }}
    >
      <Text size="sm">
        Now {member.email}. Both addresses get an email, and the new one a code to verify it. Links in earlier emails
        end.
        {isVerified && ' The member has verified the present address, so a second person has to approve the change.'}
      </Text>
      <TextInput
        label="New email address"
        type="email"
        value={email}
        onChange={(event) => setEmail(event.currentTarget.value)}
        error={errors.email}
        data-autofocus
      />
    </ActionDialog>
  )
}

export function TagsDialog({ member, onClose }: DialogProps) {
  const act = useAct(tagMember)
  const [tags, setTags] = useEditedList(member.tags, String)
  const [text, setText] = useState('')
  const [problem, setProblem] = useState<string | null>(null)
  const isRefused = useRef(false)
  const change = (next: string[]) => {
    if (next.length <= tags.length) {
      setProblem(null)
      return setTags(next)
    }
    // What was typed is the last one.
    const typed = next.at(-1) ?? ''
    const tag = toTag(typed)
    const wrong = tagProblem(tag, tags)
    setProblem(wrong)
    if (wrong === null) return setTags([...tags, tag])
    // It stays, to be corrected: the box is not emptied after this event.
    setText(typed)
    isRefused.current = true
    queueMicrotask(() => {
      isRefused.current = false
    })
  }
  return (
    <ActionDialog
      title="Tags"
      isOpen
      onClose={onClose}
      confirmLabel="Store"
      isReady={problem === null}
      fields={['tags']}
      onConfirm={async () => {
        await act.mutateAsync({ params: { id: member.id }, body: { tags, expected: member.tags } })
        toastDone('Stored.')
      }}
    >
      <TagsInput
        label="Tags"
        description="Lower-case letters, digits and hyphens. Enter adds one."
        value={tags}
        onChange={change}
        searchValue={text}
        onSearchChange={(value) => {
          if (isRefused.current) return
          setText(value)
          if (value !== text) setProblem(null)
        }}
        // Said at the field, with every other problem.
        isDuplicate={() => false}
        splitChars={[]}
        error={problem ?? fieldErrorsOf(act.error).tags}
        data-autofocus
      />
    </ActionDialog>
  )
}
