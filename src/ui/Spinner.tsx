import styles from './Spinner.module.css'

/** Progress indicator; the label is read by screen readers. */
export function Spinner({ label }: { label: string }) {
  return (
    <span className={styles.space} role="status">
      <span className={styles.ring} aria-hidden="true" />
      <span className="visually-hidden">{label}</span>
    </span>
  )
}
