import { useHydrated } from '../../../platform/browser/use-hydrated.ts'
import { formatClock, localMoment } from '../../../platform/time.ts'
import { useCopy } from '../../../programs/content/member/embed/use-copy.tsx'
import type { MerchantDetail } from '../contract.ts'
import { openState } from '../rules.ts'
import styles from './OpenNow.module.css'

/** Shows whether the restaurant is open, in its local time. Rendered in the browser only, because pages are cached. */
export function OpenNow({ hours, timeZone }: Pick<MerchantDetail, 'hours' | 'timeZone'>) {
  const t = useCopy()
  if (!useHydrated()) return null
  const state = openState(hours, localMoment(new Date(), timeZone))
  if (!state) return null
  if (state.open) return <p className={styles.open}>{t('merchant.open_now', { time: formatClock(state.until) })}</p>
  return <p className={styles.closed}>{nextOpening()}</p>

  function nextOpening(): string {
    if (!state || state.open || !state.next) return t('merchant.closed_now')
    const { weekday, at } = state.next
    const time = formatClock(at)
    if (weekday === null) return t('merchant.opens', { time })
    return t('merchant.opens_on', { day: t(`merchant.day_${weekday}`), time })
  }
}
