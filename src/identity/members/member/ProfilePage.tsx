import type { PageArgs } from '../../../platform/browser/query.ts'
import { useCopy } from '../../../programs/content/member/embed/use-copy.tsx'
import { Meta } from '../../../programs/partners/member/embed/Meta.tsx'
import { loadMember } from './embed/load-member.ts'
import { useMember } from './embed/use-member.ts'
import { ProfileFields } from './ProfileFields.tsx'
import styles from './ProfilePage.module.css'

export const load = (args: PageArgs) => loadMember(args)

const longDate = new Intl.DateTimeFormat('en-US', { dateStyle: 'long', timeZone: 'UTC' })

/** The member's profile, with the fields that the member can change. */
export function Page() {
  const t = useCopy()
  const member = useMember()
  if (!member) return null
  const facts = [
    ...(member.partnerNumber ? [['profile.partner_number', member.partnerNumber]] : []),
    ['profile.member_since', longDate.format(new Date(`${member.joinDate}T00:00:00Z`))],
  ] as const
  return (
    <>
      <Meta title={t('account.user_profile')} />
      <h2>{t('profile.title')}</h2>
      <dl className={styles.facts}>
        {facts.map(([key, value]) => (
          <div key={key}>
            <dt>{t(String(key))}</dt>
            <dd>{value}</dd>
          </div>
        ))}
      </dl>
      <ProfileFields key={member.publicId} member={member} />
    </>
  )
}
