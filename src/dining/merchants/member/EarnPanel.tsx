import { formatCents } from '../../../platform/money.ts'
import { formatClock } from '../../../platform/time.ts'
import { useCopy } from '../../../programs/content/member/embed/use-copy.tsx'
import { useProgram } from '../../../programs/partners/member/embed/use-program.ts'
import { EarnCalculator } from '../../../rewards/activity/member/embed/EarnCalculator.tsx'
import { useFlexOffer } from '../../../rewards/activity/member/embed/use-flex-offers.ts'
import type { MerchantDetail, Offer } from '../contract.ts'
import {
  type Earning,
  earningOf,
  flexRateFrom,
  limitsText,
  personalText,
  rateText,
  sentenceOf,
} from '../earning/rules.ts'
import styles from './EarnPanel.module.css'
import { SignInToSee, Unlock, useTier } from './embed/EarnLine.tsx'

const weekdays = [0, 1, 2, 3, 4, 5, 6] as const
const shortDay = new Intl.DateTimeFormat('en-US', { weekday: 'short', timeZone: 'UTC' })
const longDay = new Intl.DateTimeFormat('en-US', { dateStyle: 'long', timeZone: 'UTC' })
// 4 January 1970 was a Sunday.
const dayName = (day: number) => shortDay.format(new Date(Date.UTC(1970, 0, 4 + day)))

/** Shows what a transaction here earns: the rate, its days and limits, and an example bill. */
export function EarnPanel({ merchant }: { merchant: MerchantDetail }) {
  const t = useCopy()
  const earning = useEarningAt(merchant)
  const [best, ...others] = merchant.offers
  return (
    <section className={styles.panel} aria-labelledby="earns">
      <h2 id="earns">{t('merchant.what_earns')}</h2>
      {!merchant.participating && <p>{t('merchant.left')}</p>}
      {merchant.participating && !best && <p>{t('merchant.no_offer')}</p>}
      {earning.kind === 'locked' && (
        <div className={styles.locked}>
          <p>{t(`merchant.unlock_${earning.unlocking}`, { restaurant: merchant.name })}</p>
          <Unlock merchant={merchant} unlocking={earning.unlocking} />
        </div>
      )}
      {/* The terms of a locked restaurant would say that it earns. */}
      {best && earning.kind !== 'locked' && (
        <>
          <RateLine earning={earning} offer={best} />
          <OfferTerms offer={best} />
          {others.map((offer) => (
            <OfferTerms
              key={`${offer.startsOn}-${offer.ratePercent}-${offer.days.join()}`}
              offer={offer}
              earning={earning}
            />
          ))}
        </>
      )}
      {merchant.participating && <EarnCalculator merchantId={merchant.id} timeZone={merchant.timeZone} />}
    </section>
  )
}

/** Returns what meals here earn for this visitor, with a personal offer. */
export function useEarningAt({ id, acclaimedLevel, offers }: MerchantDetail): Earning {
  const { config } = useProgram()
  const [tier, flex] = [useTier(), useFlexOffer(id)]
  return earningOf({
    config,
    tier,
    acclaimedLevel,
    ratePercent: offers[0]?.ratePercent ?? null,
    flexRate: flexRateFrom(flex),
  })
}

/** Shows the days and limits of an offer; `earning` adds its rate, for offers other than the best one. */
function OfferTerms({ offer, earning }: { offer: Offer; earning?: Earning }) {
  const t = useCopy()
  const { config } = useProgram()
  return (
    <>
      {earning && (
        <p className={styles.also}>
          {t('merchant.also', { rate: rateText(config, earning, offer.ratePercent) ?? '' })}
        </p>
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

function RateLine({ earning, offer }: { earning: Earning; offer: Offer }) {
  const t = useCopy()
  const { config } = useProgram()
  const sentence = sentenceOf(config, earning)
  const [personal, limits] = [personalText(config, earning), limitsText(t, offer)]
  return (
    <>
      {sentence && (
        <p className={styles.rate}>
          {t(sentence.key, sentence.params)}
          {limits && ` ${t('merchant.earns_when', { limits })}`}
        </p>
      )}
      {personal && <p>{t('merchant.flex_sentence', { rate: personal })}</p>}
      {earning.kind === 'upTo' && config.enrollmentType !== 'none' && (
        <p>
          <SignInToSee />
        </p>
      )}
    </>
  )
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
