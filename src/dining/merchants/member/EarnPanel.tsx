import { formatCents } from '../../../platform/money.ts'
import { formatClock } from '../../../platform/time.ts'
import { useCopy } from '../../../programs/content/member/embed/use-copy.tsx'
import { useProgram } from '../../../programs/partners/member/embed/use-program.ts'
import { bestTier, describeRate } from '../../../programs/partners/rates.ts'
import { EarnCalculator } from '../../../rewards/activity/member/embed/EarnCalculator.tsx'
import { useFlexOfferAt } from '../../../rewards/activity/member/embed/use-flex-offers.ts'
import type { MerchantDetail, Offer } from '../contract.ts'
import styles from './EarnPanel.module.css'
import { SignInToSee, Unlock, useLock, useTier } from './embed/EarnLine.tsx'

const weekdays = [0, 1, 2, 3, 4, 5, 6] as const
const shortDay = new Intl.DateTimeFormat('en-US', { weekday: 'short', timeZone: 'UTC' })
const longDay = new Intl.DateTimeFormat('en-US', { dateStyle: 'long', timeZone: 'UTC' })
// 4 January 1970 was a Sunday.
const dayName = (day: number) => shortDay.format(new Date(Date.UTC(1970, 0, 4 + day)))

/** Shows what a transaction here earns: the rate, its days and limits, and an example bill. */
export function EarnPanel({ merchant }: { merchant: MerchantDetail }) {
  const t = useCopy()
  const lock = useLock(merchant)
  const [best, ...others] = merchant.offers
  return (
    <section className={styles.panel} aria-labelledby="earns">
      <h2 id="earns">{t('merchant.what_earns')}</h2>
      {!merchant.participating && <p>{t('merchant.left')}</p>}
      {merchant.participating && !best && <p>{t('merchant.no_offer')}</p>}
      {best && lock && (
        <div className={styles.locked}>
          <p>{t(`merchant.unlock_${lock}`, { restaurant: merchant.name })}</p>
          <Unlock merchant={merchant} tier={lock} />
        </div>
      )}
      {best && (
        <>
          {!lock && <RateLine merchant={merchant} percent={best.ratePercent} />}
          <OfferTerms offer={best} />
          {others.map((offer) => (
            <OfferTerms key={`${offer.startsOn}-${offer.ratePercent}-${offer.days.join()}`} offer={offer} rated />
          ))}
        </>
      )}
      {merchant.participating && <EarnCalculator merchantId={merchant.id} timeZone={merchant.timeZone} />}
    </section>
  )
}

/** Shows the days and limits of an offer; `rated` adds its rate, for offers other than the best one. */
function OfferTerms({ offer, rated = false }: { offer: Offer; rated?: boolean }) {
  const t = useCopy()
  const { config } = useProgram()
  const tier = useTier() ?? bestTier(config)
  return (
    <>
      {rated && (
        <p className={styles.also}>{t('merchant.also', { rate: describeRate(config, tier, offer.ratePercent) })}</p>
      )}
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
      <p className={styles.terms}>
        <strong>{t(`merchant.offer_${offer.type}`)}</strong> {termsOf(t, offer)}
      </p>
    </>
  )
}

function RateLine({ merchant, percent }: { merchant: MerchantDetail; percent: number }) {
  const t = useCopy()
  const { config } = useProgram()
  const tier = useTier()
  const flex = useFlexOfferAt(merchant.id)
  if (tier) {
    return (
      <>
        <p className={styles.rate}>
          {t('merchant.earns_sentence', { rate: describeRate(config, tier, percent, extraOf(flex)) })}
        </p>
        {flex && <p>{t('merchant.flex_sentence', { amount: flex.replace(/^\+/, '') })}</p>}
      </>
    )
  }
  const rate = describeRate(config, bestTier(config), percent)
  if (config.enrollmentType === 'none') return <p className={styles.rate}>{t('merchant.earns_browse', { rate })}</p>
  return (
    <>
      <p className={styles.rate}>{t('merchant.earns_visitor', { rate })}</p>
      <p>
        <SignInToSee />
      </p>
    </>
  )
}

/** Converts `+5` and `+2%` to the amount added per 100 dollars. */
function extraOf(amount: string | null): number {
  return amount === null ? 0 : Math.round(Number.parseFloat(amount) * 100)
}

function termsOf(t: ReturnType<typeof useCopy>, offer: Offer): string {
  return [
    offer.type === 'Unlimited' && t('merchant.unlimited'),
    offer.maxSpendCents && t('merchant.limited_spend', { amount: formatCents(offer.maxSpendCents) }),
    offer.maxVisitsPerMonth && t('merchant.limited_visits', { count: offer.maxVisitsPerMonth }),
    offer.maxMonthlySpendCents && t('merchant.limited_month', { amount: formatCents(offer.maxMonthlySpendCents) }),
    offer.minSpendCents > 0 && t('merchant.minimum_spend', { amount: formatCents(offer.minSpendCents) }),
    offer.hours &&
      t('merchant.offer_hours', { from: formatClock(offer.hours.from), until: formatClock(offer.hours.until) }),
    offer.endsOn && t('merchant.offer_until', { date: longDay.format(new Date(`${offer.endsOn}T00:00:00Z`)) }),
  ]
    .filter(Boolean)
    .join(' ')
}
