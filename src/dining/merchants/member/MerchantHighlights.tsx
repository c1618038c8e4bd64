import { useCopy } from '../../../programs/content/member/embed/use-copy.tsx'
import { useProgram } from '../../../programs/partners/member/embed/use-program.ts'
import { Badge } from '../../../ui/Badge.tsx'
import type { MerchantDetail } from '../contract.ts'
import styles from './MerchantPage.module.css'

/** Highlights of a restaurant as short badges. */
export function MerchantHighlights({ merchant }: { merchant: MerchantDetail }) {
  const t = useCopy()
  const { acclaimedEnabled } = useProgram().config
  const { highlight } = merchant.details
  // The badge is shown only when the page has a link to order by.
  const online = merchant.ordering.length > 0
  const onlyOnline = online && merchant.features.length === 1 && merchant.features[0] === 'onlineOrdering'
  const labels = [
    highlight.comingSoon && 'merchant.comingSoon',
    highlight.leavingSoon && 'merchant.limited_time',
    highlight.new && 'merchant.new',
    onlyOnline && 'merchant.online_ordering_only',
    online && !onlyOnline && 'merchant.online_ordering',
  ].filter((label) => label !== false)
  const acclaimed = acclaimedEnabled && (highlight.acclaimed || merchant.acclaimedLevel > 0)
  if (labels.length === 0 && !acclaimed) return null
  return (
    <p className={styles.highlights}>
      {acclaimed && <Badge tone="accent">{t('merchant.acclaimed')}</Badge>}
      {labels.map((label) => (
        <Badge key={label}>{t(label)}</Badge>
      ))}
    </p>
  )
}
