import { SmartLink } from '../../../programs/content/member/embed/SmartLink.tsx'
import { useEntries } from '../../../programs/content/member/embed/use-content.ts'
import { useCopy, useFill } from '../../../programs/content/member/embed/use-copy.tsx'
import { Tooltip } from '../../../ui/Tooltip.tsx'
import styles from './AnnouncementBanner.module.css'

/** A bar above every page with texts and links from content, and an optional tooltip. Not rendered without content. */
export function AnnouncementBanner() {
  const t = useCopy()
  const fill = useFill()
  const announcement = useEntries('announcement_banner')[0]?.fields
  const items = announcement?.banner_copy ?? []
  const tooltip = fill(announcement?.tooltip_copy ?? '')
  if (items.length === 0) return null
  return (
    <aside className={styles.banner} aria-label={t('announcement.label')}>
      <p>
        {items.map((item) =>
          item.type === 'link' ? (
            <SmartLink key={item.copy} href={item.url} newTab={item.new_tab}>
              {fill(item.copy)}
            </SmartLink>
          ) : (
            <span key={item.copy}>{fill(item.copy)} </span>
          ),
        )}
      </p>
      {tooltip !== '' && <Tooltip label={t('announcement.more')} text={tooltip} />}
    </aside>
  )
}
