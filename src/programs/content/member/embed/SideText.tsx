import { Html } from './Html.tsx'
import styles from './SideText.module.css'
import { useEntries } from './use-content.ts'

/** The program's text beside its restaurants; renders nothing when it is empty. */
export function SideText({ name }: { name: 'search' | 'merchants' }) {
  const text = useEntries('sidebar').find(({ slug }) => slug === name)?.fields.page_text
  if (!text) return null
  return (
    <aside className={styles.side}>
      <Html text={text} />
    </aside>
  )
}
