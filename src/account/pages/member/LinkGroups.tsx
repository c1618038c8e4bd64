import { SmartLink } from '../../../programs/content/member/embed/SmartLink.tsx'
import { useEntries } from '../../../programs/content/member/embed/use-content.ts'
import { useFill } from '../../../programs/content/member/embed/use-copy.tsx'
import styles from './LinkGroups.module.css'

/** Further account links, grouped as in the content. */
export function LinkGroups() {
  const fill = useFill()
  const groups = useEntries('account_center')[0]?.fields.link_groups ?? []
  if (groups.length === 0) return null
  return (
    <div className={styles.groups}>
      {groups.map(({ title, links }) => (
        <section key={title}>
          <h2>{fill(title)}</h2>
          <ul>
            {links.map(({ text, url }) => (
              <li key={url}>
                <SmartLink href={url}>{fill(text)}</SmartLink>
              </li>
            ))}
          </ul>
        </section>
      ))}
    </div>
  )
}
