import { Link } from '../../../../platform/browser/router/Link.tsx'
import { useHydrated } from '../../../../platform/browser/use-hydrated.ts'
import { phoneHref } from '../../../../platform/phone.ts'
import { lazyPart } from '../../../../programs/content/member/embed/lazy-part.tsx'
import { useCopy } from '../../../../programs/content/member/embed/use-copy.tsx'
import { useProgram } from '../../../../programs/partners/member/embed/use-program.ts'
import { formatReward } from '../../../../programs/partners/rates.ts'
import { Skeleton } from '../../../../ui/Skeleton.tsx'
import { Tooltip } from '../../../../ui/Tooltip.tsx'
import type { MerchantDetail } from '../../../merchants/contract.ts'
import styles from './ReservationBlock.module.css'

const BookTable = lazyPart(async () => (await import('../BookTable.tsx')).BookTable)

type Bookable = Pick<
  MerchantDetail,
  'id' | 'name' | 'reservationProviders' | 'timeZone' | 'hours' | 'participating' | 'offers' | 'location'
>

/**
 * The booking section of a restaurant's page, where the restaurant and the program accept reservations. `isLocked`: meals
 * there earn nothing for this member, and no bonus; without an offer they earn none for anybody.
 */
export function ReservationBlock({ merchant, isLocked = false }: { merchant: Bookable; isLocked?: boolean }) {
  const t = useCopy()
  const { config } = useProgram()
  const inBrowser = useHydrated()
  const bookable = merchant.participating && merchant.reservationProviders.length > 0
  if (!bookable || !config.openTableReservationsEnabled || config.enrollmentType === 'none') return null
  return (
    <section className={styles.block} aria-labelledby="reserve" id="reserve-table">
      <h2 id="reserve">{t('reservations.title')}</h2>
      {!isLocked && merchant.offers.length > 0 && <BonusLine />}
      {/* Availability and the current date are unknown where pages are rendered for all visitors. */}
      {inBrowser && <BookTable fallback={<Skeleton height={200} />} merchant={merchant} />}
      {!inBrowser && <Skeleton height={200} />}
      <WithoutScript phone={merchant.location.phone} />
    </section>
  )
}

/** Says without script what to do instead of waiting. */
function WithoutScript({ phone }: { phone: string }) {
  const t = useCopy()
  return (
    <noscript>
      <p>{t('form.needs_script')}</p>
      {phone && (
        <p>
          {t('reservations.or_call')} <a href={phoneHref(phone)}>{phone}</a>
        </p>
      )}
    </noscript>
  )
}

function BonusLine() {
  const t = useCopy()
  const { config } = useProgram()
  const { hasReservationBonus, reservationBonus } = config
  if (!hasReservationBonus || !reservationBonus) return null
  const { amount, condition } = reservationBonus
  return (
    <p className={styles.bonus}>
      <strong>{t('reservations.bonus', { bonus: formatReward(config, amount) })}</strong>
      <Tooltip label={t('reservations.bonus_about')} text={condition} />
      <Link to="/earn/reservations">{t('reservations.bonus_terms')}</Link>
    </p>
  )
}
