import { Link } from '../../../../platform/browser/router/Link.tsx'
import { EmptyState } from '../../../../ui/EmptyState.tsx'
import { Meta } from '../../../partners/member/embed/Meta.tsx'
import { useCopy } from './use-copy.tsx'

/** The not-found page, for pages that detect it themselves. */
export function NotFound() {
  const t = useCopy()
  return (
    <>
      <Meta path="/not_found" title={t('not_found.title')} />
      <EmptyState
        level={1}
        title={t('not_found.title')}
        tagline={t('not_found.tagline')}
        action={<Link to="/">{t('not_found.home')}</Link>}
      />
    </>
  )
}
