import { MonthPickerInput } from '@mantine/dates'
import { thisDay } from './times.ts'

interface MonthFieldProps {
  label: string
  /** `YYYY-MM` */
  value: string
  onChange: (month: string | undefined) => void
}

/** A month. */
export function MonthField({ label, value, onChange }: MonthFieldProps) {
  return (
    <MonthPickerInput
      label={label}
      valueFormat="MMMM YYYY"
      value={`${value}-01`}
      onChange={(day) => onChange(day?.slice(0, 7))}
      maxDate={thisDay()}
      w={200}
    />
  )
}
