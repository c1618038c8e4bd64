import { useCopy } from '../../content/member/embed/use-copy.tsx'
import type { PageArgs } from '../../kit/web/query.ts'
import { Meta } from '../../partners/member/embed/Meta.tsx'
import { useProgram } from '../../partners/member/embed/use-program.ts'
import { useMember } from './embed/use-member.ts'
import { loadMember } from './load-member.ts'
import styles from './ProfilePage.module.css'

export const load = (args: PageArgs) => loadMember(args)

const longDate = new Intl.DateTimeFormat('en-US', { dateStyle: 'long', timeZone: 'UTC' })

/** What the program knows about the member. */
export function Page() {
  const t = useCopy()
  const { config } = useProgram()
  const member = useMember()
  if (!member) return null
  const onOff = (on: boolean) => t(on ? 'profile.on' : 'profile.off')
  const facts = [
    ['profile.name', `${member.firstName} ${member.lastName}`],
    ['profile.email', member.email],
    ...(config.hasSmsOptIn || config.hasSmsOptInV2
      ? [
          ['profile.phone', member.phoneNumber || t('profile.none')],
          ['profile.sms_opt_in', onOff(member.smsOptIn)],
        ]
      : []),
    ['profile.zip', member.address.zipCode || t('profile.none')],
    ...(member.partnerNumber ? [['profile.partner_number', member.partnerNumber]] : []),
    ...(config.hideEmailOptIn ? [] : [['profile.email_opt_in', onOff(member.emailOptIn)]]),
    ['profile.member_since', longDate.format(new Date(`${member.joinDate}T00:00:00Z`))],
  ] as const
  return (
    <>
      <Meta title={t('account.user_profile')} />
      <h2>{t('profile.title')}</h2>
      <p>{t('profile.lead')}</p>
      <dl className={styles.facts}>
        {facts.map(([key, value]) => (
          <div key={key}>
            <dt>{t(String(key))}</dt>
            <dd>{value}</dd>
          </div>
        ))}
      </dl>
    </>
  )
}
