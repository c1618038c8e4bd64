import styles from './Rating.module.css'

interface Props {
  /** From 0 to 5. */
  value: number
  /** The rating as a sentence. */
  label: string
  /** Number of ratings, as a number and as a sentence. */
  count?: { shown: string; read: string }
}

export function Rating({ value, label, count }: Props) {
  return (
    <span className={styles.rating}>
      <span aria-hidden="true">{value.toFixed(1)}</span>
      <span className="visually-hidden">{label}</span>
      {count && (
        <>
          <span aria-hidden="true" className={styles.count}>
            {count.shown}
          </span>
          <span className="visually-hidden">{` ${count.read}`}</span>
        </>
      )}
    </span>
  )
}
