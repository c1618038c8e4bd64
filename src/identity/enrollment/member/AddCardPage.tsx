import type { PageArgs } from '../../../platform/browser/query.ts'
import { Link } from '../../../platform/browser/router/Link.tsx'
import { useNavigate, useSearchParams } from '../../../platform/browser/router/RouterProvider.tsx'
import { Redirect } from '../../../platform/browser/router/redirect.ts'
import { useCopy } from '../../../programs/content/member/embed/use-copy.tsx'
import { Meta } from '../../../programs/partners/member/embed/Meta.tsx'
import { CardForm } from '../../../rewards/cards/member/embed/CardForm.tsx'
import { memberQuery, useRefreshMember } from '../../members/member/embed/use-member.ts'
import { returnPathIn, withReturn } from '../../session/sso/return-path.ts'
import styles from './Enrollment.module.css'
import { storeLinkedCards } from './linked-card.ts'
import { Steps } from './Steps.tsx'

/** Redirects members who have not completed step one. */
export async function load({ api, cache, url }: PageArgs): Promise<void> {
  const member = await cache.ensure(memberQuery(api))
  const returnTo = returnPathIn(url.searchParams)
  if (!member || (member.memberType === 'NonCardMember' && member.address.zipCode === ''))
    throw new Redirect(withReturn('/join', returnTo))
  if (member.memberType === 'EnrolledCardMember') throw new Redirect(returnTo || '/account/manage_cards')
}

export function Page() {
  const t = useCopy()
  const navigate = useNavigate()
  const refreshMember = useRefreshMember()
  const search = useSearchParams()
  const next = withReturn('/card_added', returnPathIn(search))
  return (
    <div className={styles.page}>
      <Meta title={t('add_card.title')} />
      <Steps at={2} />
      <h1>{t('add_card.title')}</h1>
      <p className={styles.lead}>{t('add_card.lead')}</p>
      <CardForm
        goOn={<Link to={next}>{t('cards.continue')}</Link>}
        onSomeLinked={refreshMember}
        onLinked={async ({ linked }) => {
          storeLinkedCards(linked.map(({ lastFour }) => lastFour))
          await refreshMember()
          navigate(next, { replace: true })
        }}
      />
    </div>
  )
}
