import { Html } from './Html.tsx'
import styles from './SideText.module.css'
import { useContent } from './use-content.ts'

/** The program's text beside its restaurants; renders nothing when it is empty. */
export function SideText({ name }: { name: 'search' | 'merchants' }) {
  const text = useContent('sidebar')[name]?.page_text
  if (typeof text !== 'string' || text === '') return null
  return (
    <aside className={styles.side}>
      <Html text={text} />
    </aside>
  )
}
