import { NearbyCarousel } from '../../../dining/merchants/member/embed/MerchantCarousel.tsx'
import type { Member } from '../../../identity/members/contract.ts'
import { loadMember } from '../../../identity/members/member/embed/load-member.ts'
import { useMember } from '../../../identity/members/member/embed/use-member.ts'
import { countsDollars, goalYear, spendingOf, visitsOf } from '../../../identity/members/vip/rules.ts'
import type { PageArgs } from '../../../platform/browser/query.ts'
import { Link } from '../../../platform/browser/router/Link.tsx'
import { formatCents } from '../../../platform/money.ts'
import { prefetchContent } from '../../../programs/content/member/embed/use-content.ts'
import { useCopy } from '../../../programs/content/member/embed/use-copy.tsx'
import { Meta } from '../../../programs/partners/member/embed/Meta.tsx'
import { useProgram } from '../../../programs/partners/member/embed/use-program.ts'
import { describeRate, rewardParts, smallestUnits } from '../../../programs/partners/rates.ts'
import { yearOf } from '../../../programs/partners/rules.ts'
import { CreditYear, loadCreditYear } from '../../../rewards/activity/member/embed/CreditYear.tsx'
import { Goals, loadGoals } from '../../../rewards/activity/member/embed/Goals.tsx'
import { LatestActivity, loadLatest } from '../../../rewards/activity/member/embed/LatestActivity.tsx'
import { BonusBanners } from '../../../rewards/bonuses/member/embed/BonusBanners.tsx'
import { CarriedDebts, loadCarriedDebts } from '../../../rewards/debts/member/embed/CarriedDebts.tsx'
import { dayText } from '../../../rewards/earning/explain.ts'
import { Meter } from '../../../ui/Meter.tsx'
import styles from './OverviewPage.module.css'
import { Referral } from './Referral.tsx'

export async function load(args: PageArgs): Promise<void> {
  await loadMember(args)
  await Promise.all([
    loadLatest(args),
    loadCreditYear(args),
    loadGoals(args),
    loadCarriedDebts(args),
    prefetchContent(args, ['account_center']),
  ])
}

export function Page() {
  const t = useCopy()
  const { config } = useProgram()
  const member = useMember()
  if (!member) return null
  return (
    <>
      <Meta title={t('account.overview')} />
      <h2 className={styles.greeting}>{t('overview.greeting', { firstName: member.firstName })}</h2>
      <div className={styles.grid}>
        <section className={styles.year}>
          {config.currencyType === 'Credit' ? <CreditYear className={styles.number} /> : <YearToDate member={member} />}
        </section>
        {config.showEarnRate && (
          <section className={styles.status}>
            <h3>{t('overview.status')}</h3>
            <p className={styles.tier}>{t(`tier.${member.tierLevel}`)}</p>
            {member.tierUntil && <p>{t('overview.tier_until', { day: dayText(member.tierUntil) })}</p>}
            <p>{t('overview.earning', { rate: describeRate(config, member.tierLevel) })}</p>
          </section>
        )}
        {config.hasVIP && <VipProgress member={member} />}
      </div>
      <CarriedDebts />
      <Goals zipCode={member.address.zipCode} />
      <BonusBanners member={member} />
      <section className={styles.latest}>
        <h3>{t('overview.latest')}</h3>
        <LatestActivity />
        <p>
          <Link to="/account/recent_activity">{t('account.recent_activity')}</Link>
        </p>
      </section>
      <NearbyCarousel />
      <Referral member={member} />
    </>
  )
}

function YearToDate({ member }: { member: Member }) {
  const t = useCopy()
  const { config } = useProgram()
  const { ytdMilesOrDollars: amount } = member.diningProgress
  const { number, unit } = rewardParts(config, smallestUnits(config, amount))
  return (
    <>
      <p className={styles.number}>{number}</p>
      <p>{t('overview.year_to_date', { unit, year: yearOf(config, new Date()) })}</p>
    </>
  )
}

function VipProgress({ member }: { member: Member }) {
  const t = useCopy()
  const { config } = useProgram()
  const { diningProgress: progress } = member
  const year = goalYear(progress, yearOf(config, new Date()))
  const qualified = progress.status !== 'Building'
  return (
    <section className={styles.vip}>
      <h3>{t('overview.vip', { year })}</h3>
      {countsDollars(progress) ? (
        <SpendingMeter progress={progress} year={year} />
      ) : (
        <VisitMeter progress={progress} year={year} />
      )}
      {!qualified && <p>{awayLine(t, progress)}</p>}
      {progress.vipBegins && <p>{t('overview.vip_begins', { day: dayName(progress.vipBegins) })}</p>}
    </section>
  )
}

const day = new Intl.DateTimeFormat('en-US', { month: 'long', day: 'numeric', timeZone: 'UTC' })
const dayName = (date: string) => day.format(new Date(`${date}T00:00:00Z`))

interface MeterProps {
  progress: Member['diningProgress']
  year: number
}

function VisitMeter({ progress, year }: MeterProps) {
  const t = useCopy()
  const { done, total } = visitsOf(progress)
  return <Meter value={done} max={total} label={t('overview.vip_meter', { done, total, year })} />
}

function SpendingMeter({ progress, year }: MeterProps) {
  const t = useCopy()
  const { done, total } = spendingOf(progress)
  const values = { done: formatCents(done), total: formatCents(total), year }
  return <Meter value={done} max={total} label={t('overview.vip_meter_dollars', values)} />
}

function awayLine(t: ReturnType<typeof useCopy>, progress: Member['diningProgress']): string {
  return countsDollars(progress)
    ? t('overview.away_dollars', { amount: formatCents(Math.round((progress.remainingDollars ?? 0) * 100)) })
    : t(progress.remainingDines === 1 ? 'overview.away_dines_one' : 'overview.away_dines', {
        count: progress.remainingDines ?? 0,
      })
}
