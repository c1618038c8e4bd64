import { ChangePassword } from '../../../identity/recovery/member/embed/ChangePassword.tsx'
import { listSessions } from '../../../identity/session/contract.ts'
import { OwnSessions } from '../../../identity/session/member/embed/OwnSessions.tsx'
import { Passkeys } from '../../../identity/session/member/embed/Passkeys.tsx'
import { listPasskeys } from '../../../identity/session/passkeys/contract.ts'
import { EmailAddress, loadVerification } from '../../../identity/verification/member/embed/EmailAddress.tsx'
import { VerifyEmail } from '../../../identity/verification/member/embed/VerifyEmail.tsx'
import { apiQuery, type PageArgs } from '../../../platform/browser/query.ts'
import { signInOn401 } from '../../../platform/browser/redirects.ts'
import { useLocation } from '../../../platform/browser/router/RouterProvider.tsx'
import { useCopy } from '../../../programs/content/member/embed/use-copy.tsx'
import { Meta } from '../../../programs/partners/member/embed/Meta.tsx'
import { useProgram } from '../../../programs/partners/member/embed/use-program.ts'
import styles from './SecurityPage.module.css'

export async function load({ api, cache, url }: PageArgs): Promise<void> {
  await signInOn401(
    Promise.all([
      cache.fetch({ ...apiQuery(api, listSessions, {}), staleTime: 0 }),
      cache.ensure(apiQuery(api, listPasskeys, {})),
      loadVerification({ api, cache }),
    ]),
    url,
  )
}

/** Sign-in methods and sessions of the member, and the form that verifies the email address. */
export function Page() {
  return useLocation().pathname === '/account/verify_email' ? <VerifyEmail /> : <Security />
}

function Security() {
  const t = useCopy()
  const { config, operator } = useProgram()
  return (
    <>
      <Meta title={t('security.title')} />
      <h2>{t('security.title')}</h2>
      <OwnSessions />
      {config.enrollmentType === 'direct' && (
        <>
          <EmailAddress />
          <Passkeys />
          <section className={styles.part}>
            <h3>{t('security.password')}</h3>
            {operator ? (
              <p>{t('error.memberOnly')}</p>
            ) : (
              <>
                <p>{t('security.password_change')}</p>
                <ChangePassword />
              </>
            )}
          </section>
        </>
      )}
    </>
  )
}
