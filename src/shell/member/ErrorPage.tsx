import { useCopy } from '../../content/member/embed/use-copy.tsx'
import { Meta } from '../../partners/member/embed/Meta.tsx'
import { EmptyState } from '../../ui/EmptyState.tsx'

/** The server error page; the code finds the log line. */
export function Page({ reference = '' }: { reference?: string }) {
  const t = useCopy()
  return (
    <>
      <Meta title={t('server_error.title')} />
      <EmptyState
        level={1}
        title={t('server_error.title')}
        tagline={[t('server_error.tagline'), reference && t('server_error.reference', { code: reference })].join(' ')}
        action={<a href="/">{t('not_found.home')}</a>}
      />
    </>
  )
}
