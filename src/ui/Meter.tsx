import { useId } from 'react'
import styles from './Meter.module.css'

/** A progress bar with a sentence as label. */
export function Meter({ value, max, label }: { value: number; max: number; label: string }) {
  const id = useId()
  return (
    <div className={styles.meter}>
      <p id={id}>{label}</p>
      <progress value={value} max={max} aria-labelledby={id} />
    </div>
  )
}
