import type { ContentLink } from '../../../programs/content/member/embed/links.ts'
import { useFill } from '../../../programs/content/member/embed/use-copy.tsx'
import styles from './ByWidth.module.css'

/** The texts of a content link: long on wide screens, short on narrow ones. */
export function ByWidth({ link: { text, mobile } }: { link: ContentLink }) {
  const fill = useFill()
  if (mobile === text) return fill(text)
  return (
    <>
      <span className={styles.wide}>{fill(text)}</span>
      <span className={styles.narrow}>{fill(mobile)}</span>
    </>
  )
}
