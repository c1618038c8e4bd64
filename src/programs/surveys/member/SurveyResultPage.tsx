import { Link } from '../../../platform/browser/router/Link.tsx'
import { useLocation } from '../../../platform/browser/router/RouterProvider.tsx'
import { EmptyState } from '../../../ui/EmptyState.tsx'
import { useCopy } from '../../content/member/embed/use-copy.tsx'
import { Meta } from '../../partners/member/embed/Meta.tsx'

/** The result page of a standalone form, for success and failure. */
export function Page() {
  const t = useCopy()
  const outcome = useLocation().pathname.endsWith('/success') ? 'success' : 'error'
  const title = t(`survey.${outcome}_title`)
  return (
    <>
      <Meta title={title} />
      <EmptyState
        level={1}
        title={title}
        tagline={t(`survey.${outcome}_text`)}
        action={<Link to="/">{t('not_found.home')}</Link>}
      />
    </>
  )
}
