import { Select, type SelectProps } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { useState } from 'react'
import { useCall } from '../../../console-kit/calls.ts'
import { type Listed, listMembers } from '../contract.ts'
import { nameOf } from '../member-words.ts'

interface MemberSelectProps extends Pick<SelectProps, 'label' | 'description' | 'error'> {
  /** Public id of a member who cannot be chosen. */
  except: string
  value: string | null
  onChange: (id: string | null) => void
}

const labelOf = (member: Listed) =>
  [nameOf(member), member.email, member.partnerNumber].filter((text) => text !== null && text !== '').join(' · ')

/** Chooses a member of the program as the list of members finds one. */
export function MemberSelect({ except, value, onChange, ...field }: MemberSelectProps) {
  const [text, setText] = useState('')
  const [q] = useDebouncedValue(text.trim(), 250)
  const found = useCall(listMembers, { query: { q, limit: 20 } }, { enabled: q.length >= 2 })
  const [chosen, setChosen] = useState<Listed | null>(null)
  // The chosen one stays an option while another is looked for.
  const others = (found.data?.items ?? []).filter(({ id, isMerged }) => id !== chosen?.id && id !== except && !isMerged)
  const members = [...(chosen ? [chosen] : []), ...others]
  return (
    <Select
      {...field}
      placeholder="Name, email, number, phone, card"
      searchable
      searchValue={text}
      onSearchChange={setText}
      data={members.map((member) => ({ value: member.id, label: labelOf(member) }))}
      filter={({ options }) => options}
      value={members.some(({ id }) => id === value) ? value : null}
      onChange={(id) => {
        setChosen(members.find((each) => each.id === id) ?? null)
        onChange(id)
      }}
      nothingFoundMessage={
        q.length < 2
          ? 'Type at least two letters'
          : found.isFetching
            ? 'Searching…'
            : 'No other member is found by this'
      }
      openOnFocus={false}
      data-autofocus
    />
  )
}
