import styles from './Rating.module.css'

interface Props {
  /** From 0 to 5. */
  value: number
  /** The rating as a sentence. */
  label: string
  /** Number of ratings, as a number and as a sentence. */
  count?: { shown: string; read: string }
}

// A list shows many: the shape is short, and its stroke is in the stylesheet.
function Star() {
  return (
    <svg aria-hidden="true" viewBox="0 0 24 24" className={styles.star}>
      <path d="m12 2 3.1 6.3 6.9 1-5 4.8 1.2 6.9-6.2-3.2L5.8 21 7 14.1 2 9.3l6.9-1z" />
    </svg>
  )
}

export function Rating({ value, label, count }: Props) {
  return (
    <span className={styles.rating}>
      <Star />
      <span aria-hidden="true">{value.toFixed(1)}</span>
      <span className="visually-hidden">{label}</span>
      {count && (
        <>
          <span aria-hidden="true" className={styles.count}>
            {count.shown}
          </span>
          <span className="visually-hidden"> {count.read}</span>
        </>
      )}
    </span>
  )
}
