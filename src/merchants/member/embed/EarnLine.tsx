import { useState } from 'react'
import { Link, useLocation } from 'react-router'
import { useCopy } from '../../../content/member/embed/use-copy.tsx'
import { formatCents } from '../../../kit/money.ts'
import { clockText } from '../../../kit/time.ts'
import { useMember } from '../../../members/member/embed/use-member.ts'
import type { PublicConfig, TierLevel } from '../../../partners/contract.ts'
import { useProgram } from '../../../partners/member/embed/use-program.ts'
import { bestTier, describeRate, tierNumber } from '../../../partners/rates.ts'
import { withReturn } from '../../../session/sso/return-path.ts'
import action from '../../../ui/Action.module.css'
import { Dialog } from '../../../ui/Dialog.tsx'
import type { Merchant } from '../../contract.ts'
import { earnKey, tierNeeded } from '../../rules.ts'
import styles from './EarnLine.module.css'

/** The tier whose rates somebody is shown: the member's, or that of whom an invitation was for. */
export function useTier(): TierLevel | null {
  const member = useMember()
  const { known } = useProgram()
  return member?.tierLevel ?? known?.tierLevel ?? null
}

/** The tier that has to be reached before meals at a restaurant earn; null when they earn already. */
export function useLock({ acclaimedLevel }: Pick<Merchant, 'acclaimedLevel'>): 2 | 3 | null {
  const { acclaimed2Enabled } = useProgram().config
  const tier = useTier()
  if (!acclaimed2Enabled || tier === null) return null
  return tierNeeded(acclaimedLevel, tierNumber(tier))
}

/** What one earns here, how to unlock it, or the way in. */
export function EarnLine({ merchant }: { merchant: Merchant }) {
  const t = useCopy()
  const { config } = useProgram()
  const tier = useTier()
  const lock = useLock(merchant)
  const percent = merchant.earn?.ratePercent ?? 100
  if (lock) return <Unlock merchant={merchant} tier={lock} />
  if (tier) return t(earnKey(config, tier), { rate: describeRate(config, tier, percent) })
  if (config.enrollmentType === 'none') {
    return t('merchant.earn_up_to', { rate: describeRate(config, bestTier(config), percent) })
  }
  return <SignInToSee />
}

/** When and from which bill on a meal earns, where not every one does; for those who see offers. */
export function EarnTerms({ merchant }: { merchant: Merchant }) {
  const t = useCopy()
  const { config } = useProgram()
  const tier = useTier()
  const lock = useLock(merchant)
  const { hours, minSpendCents } = merchant.earn ?? {}
  if (lock || (tier === null && config.enrollmentType !== 'none') || (!hours && !minSpendCents)) return null
  const terms = [
    hours && t('merchant.earn_hours', { from: clockText(hours.from), until: clockText(hours.until) }),
    minSpendCents && t('merchant.earn_minimum', { amount: formatCents(minSpendCents) }),
  ]
  return <span className={styles.terms}>{terms.filter(Boolean).join(', ')}</span>
}

/** The link to sign in for those who have to before they see offers; it brings them back to this page. */
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

/** Where a tier is unlocked: emails are chosen in the profile, or where its form leaves them out, among all consents. */
function wayTo(tier: 2 | 3, { hideEmailOptIn }: Pick<PublicConfig, 'hideEmailOptIn'>): string {
  if (tier === 3) return '/earn/vip-upgrade'
  return hideEmailOptIn ? '/account/privacy' : '/account/user_profile'
}

/** What it takes to earn at a restaurant that is not for everybody, behind a button. */
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
          <p className={styles.words}>{t(`merchant.unlock_${tier}`, { restaurant: merchant.name })}</p>
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
