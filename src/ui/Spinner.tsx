import styles from './Spinner.module.css'

/** Goes round while something is awaited; the label is read aloud. */
export function Spinner({ label }: { label: string }) {
  return (
    <span className={styles.space} role="status">
      <span className={styles.ring} aria-hidden="true" />
      <span className="visually-hidden">{label}</span>
    </span>
  )
}
