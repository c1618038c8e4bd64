import { MonthPickerInput } from '@mantine/dates'
import { thisDay } from './times.ts'

interface MonthFieldProps {
  label: string
  /** `YYYY-MM`; null for any, which `isClearable` allows. */
  value: string | null
  isClearable?: boolean
  onChange: (month: string | undefined) => void
}

/** A month. */
export function MonthField({ label, value, isClearable = false, onChange }: MonthFieldProps) {
  return (
    <MonthPickerInput
      label={label}
      valueFormat="MMMM YYYY"
      value={value === null ? null : `${value}-01`}
      onChange={(day) => onChange(day?.slice(0, 7))}
      maxDate={thisDay()}
      clearable={isClearable}
      w={200}
    />
  )
}
