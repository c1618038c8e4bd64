import { Checkbox } from '@mantine/core'

interface RowCheckboxProps {
  /** Id of the row's first cell, whose text names the check box: `Select Ada Lovelace`. */
  labelId: string
  isChecked: boolean
  onToggle: () => void
}

/** The check box that selects a row of a list. */
export function RowCheckbox({ labelId, isChecked, onToggle }: RowCheckboxProps) {
  const id = `select-${labelId}`
  return (
    <Checkbox
      id={id}
      aria-label="Select"
      aria-labelledby={`${id} ${labelId}`}
      checked={isChecked}
      onChange={onToggle}
    />
  )
}
