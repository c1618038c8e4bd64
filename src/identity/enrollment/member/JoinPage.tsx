import type { PageArgs } from '../../../platform/browser/query.ts'
import { Link } from '../../../platform/browser/router/Link.tsx'
import { useSearchParams } from '../../../platform/browser/router/RouterProvider.tsx'
import { Redirect } from '../../../platform/browser/router/redirect.ts'
import { Maintenance } from '../../../programs/content/member/embed/Maintenance.tsx'
import { useCopy } from '../../../programs/content/member/embed/use-copy.tsx'
import { Meta } from '../../../programs/partners/member/embed/Meta.tsx'
import { useProgram } from '../../../programs/partners/member/embed/use-program.ts'
import action from '../../../ui/Action.module.css'
import { FormBanner } from '../../../ui/FormBanner.tsx'
import { memberQuery, useMember } from '../../members/member/embed/use-member.ts'
import { typedEmail } from '../../session/member/embed/typed-email.ts'
import { returnPathIn, withReturn } from '../../session/sso/return-path.ts'
import styles from './Enrollment.module.css'
import { JoinFields } from './JoinFields.tsx'
import { Steps } from './Steps.tsx'
import { useInvited } from './use-invited.ts'

/** Redirects members who have already joined to their next step. */
export async function load({ api, cache, url }: PageArgs): Promise<void> {
  const member = await cache.ensure(memberQuery(api))
  const returnTo = returnPathIn(url.searchParams)
  if (member?.memberType === 'EnrolledCardMember') throw new Redirect(returnTo || '/account/overview')
  if (member && member.address.zipCode !== '') throw new Redirect(withReturn('/add_card', returnTo))
}

export function Page() {
  const t = useCopy()
  const { config, flags } = useProgram()
  const member = useMember()
  const search = useSearchParams()
  const lacksPassword = useInvited()?.hasWebProfile === false && config.enrollmentType === 'direct'
  const returnTo = returnPathIn(search)
  if (flags.authFlags.joinMaintenance) return <Maintenance kind="join" />
  const needsSignIn = config.enrollmentType === 'sso' && !member
  return (
    <div className={styles.page}>
      <Meta title={t('join.title')} />
      <Steps at={1} />
      <h1>{t('join.title')}</h1>
      <p className={styles.lead}>{t('join.lead')}</p>
      {lacksPassword && (
        <FormBanner type="warning" title={t('join.invited_title')} message={t('join.invited')}>
          <Link to={withReturn('/recover', returnTo)}>{t('join.invited_action')}</Link>
        </FormBanner>
      )}
      {needsSignIn ? (
        <p>
          <a className={action.action} href={withReturn('/Login', returnTo || '/join')}>
            {t('join.sso_sign_in')}
          </a>
        </p>
      ) : (
        <JoinFields />
      )}
      {config.enrollmentType === 'direct' && (
        <p className={styles.after}>
          {t('join.have_account')}{' '}
          <Link to={withReturn('/login', returnTo)} state={typedEmail}>
            {t('join.sign_in')}
          </Link>
        </p>
      )}
    </div>
  )
}
