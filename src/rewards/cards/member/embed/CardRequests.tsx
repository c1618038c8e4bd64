import { useApiQuery } from '../../../../platform/browser/query.ts'
import { useLocalTime } from '../../../../platform/browser/use-local-time.ts'
import { useCopy } from '../../../../programs/content/member/embed/use-copy.tsx'
import { FormBanner } from '../../../../ui/FormBanner.tsx'
import { listCardRequests } from '../../contract.ts'

/** Says that a card of another program was asked for, and until when its holder may agree. */
export function CardRequests() {
  const t = useCopy()
  const moment = useLocalTime('moment')
  const { data } = useApiQuery(listCardRequests, {}, { staleTime: 0 })
  // The latest says until when: a member may ask again.
  const latest = data?.[0]
  if (!latest) return null
  return (
    <FormBanner
      type="success"
      title={t('cards.asked_title', { date: moment(latest.askedAt) })}
      message={t('cards.asked', { until: moment(latest.until) })}
    />
  )
}
