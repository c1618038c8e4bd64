import { useLocation } from '../../../platform/browser/router/RouterProvider.tsx'
import { useCopy } from '../../../programs/content/member/embed/use-copy.tsx'
import { useProgram } from '../../../programs/partners/member/embed/use-program.ts'
import styles from './PreviewBar.module.css'

/** Indicates a preview. Not rendered in programs that always show drafts, before they go live. */
export function PreviewBar() {
  const t = useCopy()
  const { preview, config } = useProgram()
  const { pathname, search } = useLocation()
  if (!preview || config.cmsPreview) return null
  return (
    <p className={styles.bar}>
      {t('shell.preview')}{' '}
      <a href={`/preview/leave?to=${encodeURIComponent(pathname + search)}`}>{t('shell.leave_preview')}</a>
    </p>
  )
}
