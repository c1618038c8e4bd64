import styles from '../../../../account/pages/member/SecurityPage.module.css'
import { apiQuery, type PageArgs, useApiSuspenseQuery } from '../../../../platform/browser/query.ts'
import { Link } from '../../../../platform/browser/router/Link.tsx'
import { useLocalTime } from '../../../../platform/browser/use-local-time.ts'
import { useCopy } from '../../../../programs/content/member/embed/use-copy.tsx'
import { Badge } from '../../../../ui/Badge.tsx'
import { getVerification } from '../../contract.ts'

/** Loads the state of the member's address; always the latest, because it may be verified in another browser. */
export const loadVerification = ({ api, cache }: Pick<PageArgs, 'api' | 'cache'>) =>
  cache.fetch({ ...apiQuery(api, getVerification, {}), staleTime: 0 })

/** The member's email address and whether it is verified, with the way to verify it. */
export function EmailAddress() {
  const t = useCopy()
  const day = useLocalTime('day')
  const { email, verifiedAt } = useApiSuspenseQuery(getVerification, {})
  return (
    <section className={styles.part}>
      <h3>{t('verification.title')}</h3>
      <p>
        <strong>{email}</strong>{' '}
        <Badge tone={verifiedAt ? 'plain' : 'accent'}>
          {t(verifiedAt ? 'verification.verified' : 'verification.unverified')}
        </Badge>
      </p>
      {verifiedAt ? (
        <p className={styles.muted}>{t('verification.verified_since', { date: day(verifiedAt) })}</p>
      ) : (
        <>
          <p>{t('verification.why')}</p>
          <p>
            <Link to="/account/verify_email">{t('verification.open')}</Link>
          </p>
        </>
      )}
    </section>
  )
}
