import { useMember } from '../../../../identity/members/member/embed/use-member.ts'
import { Link } from '../../../../platform/browser/router/Link.tsx'
import { setItem } from '../../../../platform/browser/storage.ts'
import { storageKeys } from '../../../../platform/browser/storage-keys.ts'
import { useCopy } from '../../../../programs/content/member/embed/use-copy.tsx'
import { useProgram } from '../../../../programs/partners/member/embed/use-program.ts'
import { formatReward } from '../../../../programs/partners/rates.ts'
import { track } from '../../../../programs/tracking/member/embed/tracker.ts'
import { Badge } from '../../../../ui/Badge.tsx'
import type { Merchant } from '../../contract.ts'
import { personalText } from '../../earning/rules.ts'
import { EarnLine, useEarning } from './EarnLine.tsx'
import styles from './MerchantCard.module.css'
import { MerchantFacts } from './MerchantFacts.tsx'

interface Props {
  merchant: Merchant
  /** Heading level within the page. */
  level: 2 | 3
  eager?: boolean
}

/** Name, location, rating, distance and earnings of a restaurant. */
export function MerchantCard({ merchant, level, eager = false }: Props) {
  const Heading = `h${level}` as const
  const t = useCopy()
  const { details, location } = merchant
  const memberId = useMember()?.publicId
  function select(): void {
    setItem(storageKeys.selectedMerchant, merchant.id)
    track({ eventName: 'MerchantSelected', memberId, merchantId: merchant.id })
  }
  return (
    <article className={styles.card} data-merchant={merchant.id}>
      <img
        className={styles.image}
        src={`${merchant.images.imageBaseUrl}?w=500&r=1.4`}
        srcSet={`${merchant.images.imageBaseUrl}?w=200&r=1.4 200w, ${merchant.images.imageBaseUrl}?w=500&r=1.4 500w, ${merchant.images.imageBaseUrl}?w=600&r=1.4 600w`}
        sizes="(max-width: 660px) 40vw, 240px"
        width={500}
        height={357}
        alt=""
        loading={eager ? 'eager' : 'lazy'}
        {...(eager && { fetchPriority: 'high' })}
        decoding="async"
      />
      <div className={styles.body}>
        <Highlights merchant={merchant} />
        <Heading className={styles.name}>
          <Link to={`/merchants/${merchant.id}`} onClick={select}>
            {merchant.name}
          </Link>
        </Heading>
        <div className={styles.earn}>
          <EarnLine merchant={merchant} />
        </div>
        <p className={styles.facts}>
          <MerchantFacts details={details} />
        </p>
        <p className={styles.facts}>
          <span>{placeOf(location)}</span>
          {merchant.distance !== null && (
            <span className={styles.distance}>{t('merchant.distance', { miles: merchant.distance.toFixed(1) })}</span>
          )}
        </p>
        <BonusLine merchant={merchant} onSelect={select} />
      </div>
    </article>
  )
}

/** Returns "neighborhood, city", or the city alone when both are the same. */
export function placeOf(location: Merchant['location']): string {
  const { neighborhood, address } = location
  return neighborhood && neighborhood !== address.city ? `${neighborhood}, ${address.city}` : address.city
}

function Highlights({ merchant }: { merchant: Merchant }) {
  const t = useCopy()
  const { config } = useProgram()
  const { highlight } = merchant.details
  const shown = (['comingSoon', 'leavingSoon', 'new'] as const).filter((name) => highlight[name])
  const acclaimed = config.acclaimedEnabled && (highlight.acclaimed || merchant.acclaimedLevel > 0)
  if (shown.length === 0 && !acclaimed) return null
  return (
    <p className={styles.highlights}>
      {acclaimed && <Badge tone="accent">{t('merchant.acclaimed')}</Badge>}
      {shown.map((name) => (
        <Badge key={name}>{t(`merchant.${name}`)}</Badge>
      ))}
    </p>
  )
}

function BonusLine({ merchant, onSelect }: { merchant: Merchant; onSelect: () => void }) {
  const t = useCopy()
  const { config } = useProgram()
  const earning = useEarning(merchant)
  const personal = personalText(config, earning)
  if (personal) return <p className={styles.bonus}>{t('merchant.flex', { rate: personal })}</p>
  // Meals at a restaurant that is locked, or has no offer, earn no bonus either.
  if (!('tier' in earning)) return null
  const bookable = config.openTableReservationsEnabled && merchant.reservationProviders.length > 0
  const bonus = config.hasReservationBonus && bookable ? config.reservationBonus : undefined
  if (bonus) {
    return (
      <p className={styles.bonus}>
        {`${t('merchant.reservation_bonus', { bonus: formatReward(config, bonus.amount) })} `}
        <Link className={styles.reserve} to={`/merchants/${merchant.id}#reserve-table`} onClick={onSelect}>
          {t('merchant.reserve')}
          <span className="visually-hidden">{`: ${merchant.name}`}</span>
        </Link>
      </p>
    )
  }
  if (merchant.benefitAvailability.campaignCodes.length === 0) return null
  return <p className={styles.bonus}>{t('merchant.bonus_offers')}</p>
}
