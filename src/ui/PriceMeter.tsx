import styles from './PriceMeter.module.css'

/** Price level, from 1 to 4. */
export function PriceMeter({ level, label }: { level: number; label: string }) {
  return (
    <span className={styles.price}>
      <meter className="visually-hidden" aria-label={label} min={0} max={4} value={level} />
      <span aria-hidden="true">
        {'$'.repeat(level)}
        <span className={styles.rest}>{'$'.repeat(4 - level)}</span>
      </span>
    </span>
  )
}
