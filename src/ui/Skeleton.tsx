import styles from './Skeleton.module.css'

/** The place of something that is on its way, in its final height. */
export function Skeleton({ height }: { height: 200 | 320 | 400 }) {
  return <div className={styles.skeleton} data-height={height} aria-hidden="true" />
}
