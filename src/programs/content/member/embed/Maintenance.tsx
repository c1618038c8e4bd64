import { Link } from '../../../../platform/browser/router/Link.tsx'
import { EmptyState } from '../../../../ui/EmptyState.tsx'
import { Meta } from '../../../partners/member/embed/Meta.tsx'
import { useCopy } from './use-copy.tsx'

/** Shown in place of a page during maintenance. */
export function Maintenance({ kind }: { kind: 'login' | 'join' | 'other' }) {
  const t = useCopy()
  return (
    <>
      <Meta path="/maintenance" title={t('maintenance.title')} />
      <EmptyState
        level={1}
        title={t('maintenance.title')}
        tagline={`${t(`maintenance.${kind}`)} ${t('maintenance.later')}`}
        action={<Link to="/">{t('not_found.home')}</Link>}
      />
    </>
  )
}
