import { SmartLink } from '../../../programs/content/member/embed/SmartLink.tsx'
import { useContent } from '../../../programs/content/member/embed/use-content.ts'
import { useCopy, useFill } from '../../../programs/content/member/embed/use-copy.tsx'
import { Tooltip } from '../../../ui/Tooltip.tsx'
import styles from './AnnouncementBanner.module.css'

interface Item {
  type: string
  copy: string
  url?: string
  new_tab?: boolean
}

/** A bar above every page with texts and links from content, and an optional tooltip. Not rendered without content. */
export function AnnouncementBanner() {
  const t = useCopy()
  const fill = useFill()
  const { announcement } = useContent('announcement_banner')
  const items = Array.isArray(announcement?.banner_copy) ? (announcement.banner_copy as Item[]) : []
  const tooltip = typeof announcement?.tooltip_copy === 'string' ? fill(announcement.tooltip_copy) : ''
  if (items.length === 0) return null
  return (
    <aside className={styles.banner} aria-label={t('announcement.label')}>
      <p>
        {items.map(({ type, copy, url, new_tab: newTab }) =>
          type === 'link' && url ? (
            <SmartLink key={copy} href={url} newTab={newTab === true}>
              {fill(copy)}
            </SmartLink>
          ) : (
            <span key={copy}>{fill(copy)} </span>
          ),
        )}
      </p>
      {tooltip !== '' && <Tooltip label={t('announcement.more')} text={tooltip} />}
    </aside>
  )
}
