import { Html } from './Html.tsx'
import styles from './SideText.module.css'
import { useContent } from './use-content.ts'

/** What the program says beside its restaurants, where it has something to say. */
export function SideText({ name }: { name: 'search' | 'merchants' }) {
  const text = useContent('sidebar')[name]?.page_text
  if (typeof text !== 'string' || text === '') return null
  return (
    <aside className={styles.side}>
      <Html text={text} />
    </aside>
  )
}
