import styles from './PriceMeter.module.css'

/** How dear, from 1 to 4. */
export function PriceMeter({ level, label }: { level: number; label: string }) {
  return (
    <span className={styles.price}>
      <span className="visually-hidden">{label}</span>
      <span aria-hidden="true">
        {'$'.repeat(level)}
        <span className={styles.rest}>{'$'.repeat(4 - level)}</span>
      </span>
    </span>
  )
}
