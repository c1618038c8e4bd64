import styles from './Skeleton.module.css'

/** Placeholder in the final height of loading content. */
export function Skeleton({ height }: { height: 200 | 320 | 400 }) {
  return <div className={styles.skeleton} data-height={height} aria-hidden="true" />
}
