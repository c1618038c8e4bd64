import { Link, redirect, useNavigate } from 'react-router'
import { CardForm } from '../../cards/member/embed/CardForm.tsx'
import { useCopy } from '../../content/member/embed/use-copy.tsx'
import type { PageArgs } from '../../kit/web/query.ts'
import { askMember, useRefreshMember } from '../../members/member/embed/use-member.ts'
import { Meta } from '../../partners/member/embed/Meta.tsx'
import styles from './Enrollment.module.css'
import { rememberLinkedCard } from './linked-card.ts'
import { Steps } from './Steps.tsx'

/** Without step one there is no step two. */
export async function load({ api, cache }: PageArgs): Promise<void> {
  const member = await cache.ensureQueryData(askMember(api))
  if (!member || (member.memberType === 'NonCardMember' && member.address.zipCode === '')) throw redirect('/join')
  if (member.memberType === 'EnrolledCardMember') throw redirect('/account/manage_cards')
}

export function Page() {
  const t = useCopy()
  const navigate = useNavigate()
  const refreshMember = useRefreshMember()
  return (
    <div className={styles.page}>
      <Meta title={t('add_card.title')} />
      <Steps at={2} />
      <h1>{t('add_card.title')}</h1>
      <p className={styles.lead}>{t('add_card.lead')}</p>
      <CardForm
        goOn={<Link to="/card_added">{t('cards.continue')}</Link>}
        onSomeLinked={refreshMember}
        onLinked={async ({ linked }) => {
          rememberLinkedCard(linked[0]?.lastFour ?? '')
          await refreshMember()
          navigate('/card_added', { replace: true })
        }}
      />
    </div>
  )
}
