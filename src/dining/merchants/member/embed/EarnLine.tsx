import { useState } from 'react'
import { useMember } from '../../../../identity/members/member/embed/use-member.ts'
import { returnPathFrom, withReturn } from '../../../../identity/session/sso/return-path.ts'
import { Link } from '../../../../platform/browser/router/Link.tsx'
import { useLocation } from '../../../../platform/browser/router/RouterProvider.tsx'
import { useActivationLink } from '../../../../programs/content/member/embed/use-activation-link.ts'
import { useCopy } from '../../../../programs/content/member/embed/use-copy.tsx'
import type { PublicConfig, TierLevel } from '../../../../programs/partners/contract.ts'
import { useProgram } from '../../../../programs/partners/member/embed/use-program.ts'
import { useFlexOffer } from '../../../../rewards/activity/member/embed/use-flex-offers.ts'
import action from '../../../../ui/Action.module.css'
import { Dialog } from '../../../../ui/Dialog.tsx'
import type { Merchant } from '../../contract.ts'
import { type Earning, earningOf, flexRateFrom, limitsText, shortText, type Unlocking } from '../../earning/rules.ts'
import styles from './EarnLine.module.css'

/** Returns the tier whose rates are shown: the member's, or that of an invitation's recipient. */
export function useTier(): TierLevel | null {
  const member = useMember()
  const { known } = useProgram()
  return member?.tierLevel ?? known?.tierLevel ?? null
}

/** Returns what meals at a restaurant earn for this visitor. */
export function useEarning({ id, acclaimedLevel, earn }: Pick<Merchant, 'id' | 'acclaimedLevel' | 'earn'>): Earning {
  const { config } = useProgram()
  const [tier, flex] = [useTier(), useFlexOffer(id)]
  return earningOf({
    config,
    tier,
    acclaimedLevel,
    ratePercent: earn?.ratePercent ?? null,
    flexRate: flexRateFrom(flex),
  })
}

/** Shows what transactions here earn, on which days, how to unlock it, or the sign-in link. */
export function EarnLine({ merchant }: { merchant: Merchant }) {
  const t = useCopy()
  const { config } = useProgram()
  const earning = useEarning(merchant)
  const text = shortText(config, earning)
  if (earning.kind === 'locked') return <Unlock merchant={merchant} unlocking={earning.unlocking} />
  if (!text) return <SignInToSee />
  const limits = limitsText(t, merchant.earn ?? {})
  return (
    <>
      {t(text.key, text.params)}
      {limits && <span className={styles.terms}>{limits}</span>}
    </>
  )
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
 * Returns the page where a restaurant is unlocked. The email consent is in the profile, or on the privacy page when the
 * profile form has none.
 */
function wayTo(
  unlocking: Exclude<Unlocking, 'activate'>,
  { hideEmailOptIn }: Pick<PublicConfig, 'hideEmailOptIn'>,
): string {
  if (unlocking === 'vip') return '/earn/vip-upgrade'
  return hideEmailOptIn ? '/account/privacy' : '/account/user_profile'
}

/** A button that explains how to earn at a restaurant that rewards only some members. */
export function Unlock({ merchant, unlocking }: { merchant: Pick<Merchant, 'name'>; unlocking: Unlocking }) {
  const t = useCopy()
  const { config } = useProgram()
  const linkFor = useActivationLink()
  const returnTo = returnPathFrom(useLocation())
  const [open, setOpen] = useState(false)
  return (
    <>
      <button type="button" className={styles.unlock} onClick={() => setOpen(true)}>
        {t('merchant.unlock')}
      </button>
      {open && (
        <Dialog open onClose={() => setOpen(false)} title={t('merchant.unlock_title')} closeLabel={t('merchant.close')}>
          <p className={styles.text}>{t(`merchant.unlock_${unlocking}`, { restaurant: merchant.name })}</p>
          <p>
            <Link
              className={action.action}
              to={unlocking === 'activate' ? withReturn(linkFor('/activate'), returnTo) : wayTo(unlocking, config)}
            >
              {t(`merchant.unlock_${unlocking}_action`)}
            </Link>
          </p>
        </Dialog>
      )}
    </>
  )
}
