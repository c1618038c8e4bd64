import { useState } from 'react'
import { useMember } from '../../../../identity/members/member/embed/use-member.ts'
import { withReturn } from '../../../../identity/session/sso/return-path.ts'
import { Link } from '../../../../platform/browser/router/Link.tsx'
import { useLocation } from '../../../../platform/browser/router/RouterProvider.tsx'
import { formatCents } from '../../../../platform/money.ts'
import { formatClock } from '../../../../platform/time.ts'
import { useCopy } from '../../../../programs/content/member/embed/use-copy.tsx'
import type { PublicConfig, TierLevel } from '../../../../programs/partners/contract.ts'
import { useProgram } from '../../../../programs/partners/member/embed/use-program.ts'
import { bestTier, describeRate, tierNumber } from '../../../../programs/partners/rates.ts'
import action from '../../../../ui/Action.module.css'
import { Dialog } from '../../../../ui/Dialog.tsx'
import type { Merchant } from '../../contract.ts'
import { earnKey, tierNeeded } from '../../rules.ts'
import styles from './EarnLine.module.css'

/** Returns the tier whose rates are shown: the member's, or that of an invitation's recipient. */
export function useTier(): TierLevel | null {
  const member = useMember()
  const { known } = useProgram()
  return member?.tierLevel ?? known?.tierLevel ?? null
}

/** Returns the tier that must be reached before transactions at a restaurant earn; null when they earn already. */
export function useLock({ acclaimedLevel }: Pick<Merchant, 'acclaimedLevel'>): 2 | 3 | null {
  const { acclaimed2Enabled } = useProgram().config
  const tier = useTier()
  if (!acclaimed2Enabled || tier === null) return null
  return tierNeeded(acclaimedLevel, tierNumber(tier))
}

/** Shows what transactions here earn, how to unlock it, or the sign-in link. */
export function EarnLine({ merchant }: { merchant: Merchant }) {
  const t = useCopy()
  const { config } = useProgram()
  const tier = useTier()
  const lock = useLock(merchant)
  if (!merchant.earn && (tier || config.enrollmentType === 'none')) return t('merchant.earn_nothing')
  const percent = merchant.earn?.ratePercent ?? 100
  if (lock) return <Unlock merchant={merchant} tier={lock} />
  if (tier) return t(earnKey(config, tier), { rate: describeRate(config, tier, percent) })
  if (config.enrollmentType === 'none') {
    return t('merchant.earn_up_to', { rate: describeRate(config, bestTier(config), percent) })
  }
  return <SignInToSee />
}

/** Shows the days, the hours and the minimum spend of the offer, if any, to visitors who may see offers. */
export function EarnTerms({ merchant }: { merchant: Merchant }) {
  const t = useCopy()
  const { config } = useProgram()
  const tier = useTier()
  const lock = useLock(merchant)
  const { days = [], hours, minSpendCents } = merchant.earn ?? {}
  const isDaily = days.length % 7 === 0
  if (lock || (tier === null && config.enrollmentType !== 'none') || (isDaily && !hours && !minSpendCents)) return null
  const terms = [
    !isDaily && daysText(days, (day) => t(`merchant.day_${day}`).slice(0, 3)),
    hours && t('merchant.earn_hours', { from: formatClock(hours.from), until: formatClock(hours.until) }),
    minSpendCents && t('merchant.earn_minimum', { amount: formatCents(minSpendCents) }),
  ]
  return <span className={styles.terms}>{terms.filter(Boolean).join(', ')}</span>
}

/** Returns weekdays as a text: `Mon–Thu`, or `Fri, Sat`. */
export function daysText(days: readonly number[], nameOf: (day: number) => string): string {
  const names = days.toSorted().map(nameOf)
  const isRun = days.length > 2 && Math.max(...days) - Math.min(...days) === days.length - 1
  return isRun ? `${names[0]}–${names.at(-1)}` : names.join(', ')
}

/** Sign-in link for visitors who cannot see offers yet; it returns to this page. */
export function SignInToSee() {
  const t = useCopy()
  const { enrollmentType } = useProgram().config
  const { pathname, search } = useLocation()
  const here = pathname + search
  const text = t('merchant.sign_in_offers')
  return enrollmentType === 'sso' ? (
    <a className={styles.signIn} href={withReturn('/Login', here)}>
      {text}
    </a>
  ) : (
    <Link className={styles.signIn} to={withReturn('/login', here)}>
      {text}
    </Link>
  )
}

/**
 * Returns the page where a tier is unlocked. The email consent is in the profile, or on the privacy page when the
 * profile form has none.
 */
function wayTo(tier: 2 | 3, { hideEmailOptIn }: Pick<PublicConfig, 'hideEmailOptIn'>): string {
  if (tier === 3) return '/earn/vip-upgrade'
  return hideEmailOptIn ? '/account/privacy' : '/account/user_profile'
}

/** A button that explains how to earn at a restaurant that is restricted to a tier. */
export function Unlock({ merchant, tier }: { merchant: Pick<Merchant, 'name'>; tier: 2 | 3 }) {
  const t = useCopy()
  const { config } = useProgram()
  const [open, setOpen] = useState(false)
  return (
    <>
      <button type="button" className={styles.unlock} onClick={() => setOpen(true)}>
        {t('merchant.unlock')}
      </button>
      {open && (
        <Dialog open onClose={() => setOpen(false)} title={t('merchant.unlock_title')} closeLabel={t('merchant.close')}>
          <p className={styles.text}>{t(`merchant.unlock_${tier}`, { restaurant: merchant.name })}</p>
          <p>
            <Link className={action.action} to={wayTo(tier, config)}>
              {t(`merchant.unlock_${tier}_action`)}
            </Link>
          </p>
        </Dialog>
      )}
    </>
  )
}
