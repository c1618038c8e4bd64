import { Select, TextInput } from '@mantine/core'
import { DatePickerInput } from '@mantine/dates'
import { useDebouncedValue } from '@mantine/hooks'
import { Search } from 'lucide-react'
import { useEffect, useRef, useState } from 'react'
import { leaveOnEnter } from './keys.ts'
import { MonthField } from './MonthField.tsx'
import { dayIn, monthIn, thisMonth } from './times.ts'

/** A filter: a parameter of the address, and of the call. */
export type Filter =
  | { kind: 'text'; name: string; label: string }
  | { kind: 'choice'; name: string; label: string; options: readonly { value: string; label: string }[] }
  | { kind: 'days'; from: string; to: string; label: string }
  /** Without a parameter the current month (UTC), or any. */
  | { kind: 'month'; name: string; label: string; isOptional?: boolean }

/** Returns the names of a filter's parameters. */
export const namesOf = (filter: Filter): string[] => (filter.kind === 'days' ? [filter.from, filter.to] : [filter.name])

interface FilterFieldProps {
  filter: Filter
  search: Readonly<Record<string, string | undefined>>
  /** Why a value is ignored, by the name of its parameter. */
  wrong: Readonly<Record<string, string>>
  onChange: (changes: Record<string, string | undefined>) => void
  /** Of the field to which the key / goes. */
  textField: React.RefObject<HTMLInputElement | null> | undefined
}

/** The field of a filter. A value that is ignored is marked. */
export function FilterField({ filter, search, wrong, onChange, textField }: FilterFieldProps) {
  const ignored = namesOf(filter).find((name) => wrong[name] !== undefined)
  if (filter.kind === 'text') {
    return (
      <TextFilter
        label={filter.label}
        value={search[filter.name] ?? ''}
        error={ignored && wrong[ignored]}
        onChange={(text) => onChange({ [filter.name]: text })}
        textField={textField}
      />
    )
  }
  if (filter.kind === 'choice') {
    const usual = filter.options[0]?.value
    return (
      <Select
        label={filter.label}
        data={[...filter.options]}
        value={ignored ? (usual ?? null) : (search[filter.name] ?? usual ?? null)}
        onChange={(value) => onChange({ [filter.name]: value === usual ? undefined : (value ?? undefined) })}
        allowDeselect={false}
        w={200}
      />
    )
  }
  if (filter.kind === 'month') {
    return (
      <MonthField
        label={filter.label}
        value={monthIn(ignored ? undefined : search[filter.name]) ?? (filter.isOptional ? null : thisMonth())}
        isClearable={filter.isOptional ?? false}
        onChange={(chosen) => onChange({ [filter.name]: chosen })}
      />
    )
  }
  const dayOf = (name: string) => dayIn(search[name]) ?? null
  return (
    <DatePickerInput
      type="range"
      label={filter.label}
      valueFormat="MMM D, YYYY"
      value={[dayOf(filter.from), dayOf(filter.to)]}
      onChange={([from, to]) => onChange({ [filter.from]: from ?? undefined, [filter.to]: to ?? undefined })}
      clearable
      w={260}
    />
  )
}

interface TextFilterProps {
  label: string
  /** Whether the label is only for screen readers. */
  isLabelHidden?: boolean
  /** The text of the address. */
  value: string
  error: string | undefined
  onChange: (text: string) => void
  textField: React.RefObject<HTMLInputElement | null> | undefined
}

/** A text that narrows the list shortly after the last key. What is being typed is never replaced by an earlier part. */
export function TextFilter({ label, isLabelHidden, value, error, onChange, textField }: TextFilterProps) {
  const [text, setText] = useState(value)
  const [typed] = useDebouncedValue(text, 250)
  const sent = useRef(value)
  useEffect(() => {
    if (typed === sent.current) return
    sent.current = typed
    onChange(typed)
  }, [typed, onChange])
  useEffect(() => {
    if (value === sent.current) return
    // The address has changed by another way, such as Back.
    sent.current = value
    setText(value)
  }, [value])
  return (
    <TextInput
      {...(textField && { ref: textField })}
      {...(isLabelHidden ? { 'aria-label': label, placeholder: 'Search' } : { label, w: 280 })}
      value={text}
      error={error}
      onChange={(event) => setText(event.currentTarget.value)}
      onKeyDown={leaveOnEnter}
      leftSection={<Search size={16} />}
      type="search"
    />
  )
}
