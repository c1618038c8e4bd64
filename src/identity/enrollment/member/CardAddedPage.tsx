import { useEffect, useState } from 'react'
import type { PageArgs } from '../../../platform/browser/query.ts'
import { Link } from '../../../platform/browser/router/Link.tsx'
import { useNavigate, useSearchParams } from '../../../platform/browser/router/RouterProvider.tsx'
import { Redirect } from '../../../platform/browser/router/redirect.ts'
import { useCopy } from '../../../programs/content/member/embed/use-copy.tsx'
import { Meta } from '../../../programs/partners/member/embed/Meta.tsx'
import action from '../../../ui/Action.module.css'
import { memberQuery } from '../../members/member/embed/use-member.ts'
import { returnPathIn, withReturn } from '../../session/sso/return-path.ts'
import styles from './Enrollment.module.css'
import { getLinkedCard } from './linked-card.ts'
import { Steps } from './Steps.tsx'

export async function load({ api, cache, url }: PageArgs): Promise<void> {
  const member = await cache.ensure(memberQuery(api))
  const returnTo = returnPathIn(url.searchParams)
  if (!member) throw new Redirect(withReturn('/join', returnTo))
  if (member.memberType !== 'EnrolledCardMember') throw new Redirect(withReturn('/add_card', returnTo))
}

export function Page() {
  const t = useCopy()
  const navigate = useNavigate()
  const search = useSearchParams()
  const returnTo = returnPathIn(search)
  const [lastFour, setLastFour] = useState<string | null>(null)
  // The card is stored on this device only, so the page adds it in the browser.
  useEffect(() => {
    const card = getLinkedCard()
    if (card) setLastFour(card)
    else navigate(returnTo || '/account/overview', { replace: true })
  }, [navigate, returnTo])
  return (
    <div className={styles.page}>
      <Meta title={t('card_added.title')} />
      <Steps at={3} />
      <h1>{t('card_added.title')}</h1>
      {lastFour && <p className={styles.lead}>{t('card_added.lead', { lastFour })}</p>}
      <p className={styles.actions}>
        {returnTo && (
          <Link className={action.action} to={returnTo}>
            {t('card_added.return')}
          </Link>
        )}
        <Link className={returnTo ? undefined : action.action} to="/account/overview">
          {t('card_added.account')}
        </Link>
        <Link to="/search">{t('card_added.search')}</Link>
      </p>
    </div>
  )
}
