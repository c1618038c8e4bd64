import { returnPathIn, withReturn } from '../../../identity/session/sso/return-path.ts'
import { useSearchParams } from '../../../platform/browser/router/RouterProvider.tsx'
import { useCopy } from '../../../programs/content/member/embed/use-copy.tsx'
import { Meta } from '../../../programs/partners/member/embed/Meta.tsx'
import { useProgram } from '../../../programs/partners/member/embed/use-program.ts'
import { EmptyState } from '../../../ui/EmptyState.tsx'

/** The server error page; the code identifies the log line. */
export function Page({ reference: given }: { reference?: string }) {
  const t = useCopy()
  const program = useProgram()
  const reference = given || program.reference
  const search = useSearchParams()
  if (search.get('reason') === 'sso') return <SsoFailed />
  return (
    <>
      <Meta path="/error" title={t('server_error.title')} />
      <EmptyState
        level={1}
        title={t('server_error.title')}
        tagline={[t('server_error.tagline'), reference && t('server_error.reference', { code: reference })].join(' ')}
        action={<a href="/">{t('not_found.home')}</a>}
      />
    </>
  )
}

/** Shown when the partner's sign-in failed, with a retry link. */
function SsoFailed() {
  const t = useCopy()
  const returnTo = returnPathIn(useSearchParams())
  return (
    <>
      <Meta path="/login" title={t('shell.sign_in')} />
      <EmptyState
        level={1}
        title={t('server_error.sso_title')}
        tagline={t('error.ssoFailed')}
        action={<a href={withReturn('/Login', returnTo)}>{t('server_error.retry')}</a>}
      />
    </>
  )
}
