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
import { getLinkedCards } from './linked-card.ts'
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
  const [cards, setCards] = useState<readonly string[]>([])
  // The cards are stored on this device only, so the page adds them in the browser.
  useEffect(() => {
    const linked = getLinkedCards()
    if (linked.length > 0) setCards(linked)
    else navigate(returnTo || '/account/overview', { replace: true })
  }, [navigate, returnTo])
  return (
    <div className={styles.page}>
      <Meta title={t('card_added.title')} />
      <Steps at={3} />
      <h1>{t('card_added.title')}</h1>
      {cards.length === 1 && <p className={styles.lead}>{t('card_added.lead', { lastFour: cards[0] ?? '' })}</p>}
      {cards.length > 1 && (
        <p className={styles.lead}>
          {t('card_added.lead_several', {
            lastFours: `${cards.slice(0, -1).join(', ')} and ${cards.at(-1)}`,
          })}
        </p>
      )}
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
