import { Link } from 'react-router'
import { useCopy } from '../../content/member/embed/use-copy.tsx'
import type { ReplyOf } from '../../kit/call.ts'
import { formatCents } from '../../kit/money.ts'
import { useMember } from '../../members/member/embed/use-member.ts'
import { useProgram } from '../../partners/member/embed/use-program.ts'
import { bestTier, describeRate } from '../../partners/rates.ts'
import type { getMerchant } from '../contract.ts'
import styles from './EarnPanel.module.css'

type Detail = ReplyOf<typeof getMerchant>
const weekdays = [0, 1, 2, 3, 4, 5, 6] as const
const shortDay = new Intl.DateTimeFormat('en-US', { weekday: 'short', timeZone: 'UTC' })
// 4 January 1970 was a Sunday.
const dayName = (day: number) => shortDay.format(new Date(Date.UTC(1970, 0, 4 + day)))

/** What a meal here earns: the rate, the days it holds, and its limits. */
export function EarnPanel({ merchant }: { merchant: Detail }) {
  const t = useCopy()
  const offer = merchant.offers[0]
  return (
    <section className={styles.panel} aria-labelledby="earns">
      <h2 id="earns">{t('merchant.what_earns')}</h2>
      {offer ? <Offer offer={offer} /> : <p>{t('merchant.no_offer')}</p>}
    </section>
  )
}

function Offer({ offer }: { offer: Detail['offers'][number] }) {
  const t = useCopy()
  return (
    <>
      <RateLine percent={offer.ratePercent} />
      <ul className={styles.week} aria-label={t('merchant.earn_days')}>
        {weekdays.map((day) => {
          const earns = offer.days.includes(day)
          return (
            <li key={day} data-earns={earns || undefined}>
              <span aria-hidden="true">{dayName(day)}</span>
              <span className="visually-hidden">
                {t(`merchant.day_${day}`)}: {t(earns ? 'merchant.earns_yes' : 'merchant.earns_no')}
              </span>
            </li>
          )
        })}
      </ul>
      <p className={styles.terms}>{termsOf(t, offer)}</p>
    </>
  )
}

function RateLine({ percent }: { percent: number }) {
  const t = useCopy()
  const { config } = useProgram()
  const member = useMember()
  if (member)
    return (
      <p className={styles.rate}>
        {t('merchant.earns_sentence', { rate: describeRate(config, member.tierLevel, percent) })}
      </p>
    )
  const rate = describeRate(config, bestTier(config), percent)
  if (config.enrollmentType === 'none') return <p className={styles.rate}>{t('merchant.earns_browse', { rate })}</p>
  return (
    <>
      <p className={styles.rate}>{t('merchant.earns_visitor', { rate })}</p>
      <p>
        {config.enrollmentType === 'sso' ? (
          <a href="/Login">{t('merchant.sign_in_offers')}</a>
        ) : (
          <Link to="/login">{t('merchant.sign_in_offers')}</Link>
        )}
      </p>
    </>
  )
}

function termsOf(t: ReturnType<typeof useCopy>, offer: Detail['offers'][number]): string {
  if (offer.type === 'Unlimited') return t('merchant.unlimited')
  return [
    offer.maxSpendCents && t('merchant.limited_spend', { amount: formatCents(offer.maxSpendCents) }),
    offer.maxVisitsPerMonth && t('merchant.limited_visits', { count: offer.maxVisitsPerMonth }),
    offer.endsOn && t('merchant.offer_until', { date: offer.endsOn }),
  ]
    .filter(Boolean)
    .join(' ')
}
