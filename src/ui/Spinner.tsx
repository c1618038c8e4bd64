import { useAnnouncement } from './Announcer.tsx'
import styles from './Spinner.module.css'

/** Progress indicator; screen readers announce its label, and find it in its place. */
export function Spinner({ label }: { label: string }) {
  useAnnouncement(label)
  return (
    <span className={styles.space}>
      <span className={styles.ring} role="img" aria-label={label} />
    </span>
  )
}
