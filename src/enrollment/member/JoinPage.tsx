import { Link, redirect } from 'react-router'
import { useCopy } from '../../content/member/embed/use-copy.tsx'
import type { PageArgs } from '../../kit/web/query.ts'
import { askMember, useMember } from '../../members/member/embed/use-member.ts'
import { Meta } from '../../partners/member/embed/Meta.tsx'
import { useProgram } from '../../partners/member/embed/use-program.ts'
import { Maintenance } from '../../shell/member/embed/Maintenance.tsx'
import action from '../../ui/Action.module.css'
import styles from './Enrollment.module.css'
import { JoinFields } from './JoinFields.tsx'
import { Steps } from './Steps.tsx'

/** Who has joined already goes on where joining stopped. */
export async function load({ api, cache }: PageArgs): Promise<void> {
  const member = await cache.ensureQueryData(askMember(api))
  if (member?.memberType === 'EnrolledCardMember') throw redirect('/account/overview')
  if (member && member.address.zipCode !== '') throw redirect('/add_card')
}

export function Page() {
  const t = useCopy()
  const { config, flags } = useProgram()
  const member = useMember()
  if (flags.authFlags.joinMaintenance) return <Maintenance kind="join" />
  const needsSignIn = config.enrollmentType === 'sso' && !member
  return (
    <div className={styles.page}>
      <Meta title={t('join.title')} />
      <Steps at={1} />
      <h1>{t('join.title')}</h1>
      <p className={styles.lead}>{t('join.lead')}</p>
      {needsSignIn ? (
        <p>
          <a className={action.action} href="/Login?returnTo=/join">
            {t('join.sso_sign_in')}
          </a>
        </p>
      ) : (
        <JoinFields />
      )}
      {config.enrollmentType === 'direct' && (
        <p className={styles.after}>
          {t('join.have_account')} <Link to="/login">{t('join.sign_in')}</Link>
        </p>
      )}
    </div>
  )
}
