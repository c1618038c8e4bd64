import { useMember } from '../../../../identity/members/member/embed/use-member.ts'
import { useCopy } from '../../../../programs/content/member/embed/use-copy.tsx'
import { useProgram } from '../../../../programs/partners/member/embed/use-program.ts'
import type { RewardTransaction } from '../../../earning/contract.ts'
import { mayReview, reviewUrl } from '../../rules.ts'

interface Props {
  transaction: RewardTransaction
  /** Null while unknown. */
  reviewed: ReadonlySet<string> | null
}

/** A link to the review of a transaction, in a new tab, or the note that it was reviewed. */
export function ReviewLink({ transaction, reviewed }: Props) {
  const t = useCopy()
  const member = useMember()
  const { config, formsOrigin } = useProgram()
  if (!member || reviewed === null) return null
  const isReviewed = reviewed.has(transaction.sourceTransactionId)
  if (isReviewed) return <span>{t('reviews.reviewed')}</span>
  const base = config.reviewUrl ?? (config.formServiceCode && `${formsOrigin}/reviews/${config.formServiceCode}`)
  if (!base || !mayReview(transaction, { isReviewed, now: new Date() })) return null
  const isNeeded = config.awardsNeedReview && transaction.awardStatus === 'Pending'
  return (
    <a href={reviewUrl(base, transaction, member.familyId)} target="_blank" rel="noopener">
      {t(isNeeded ? 'reviews.review_for' : 'reviews.review')}{' '}
      <span className="visually-hidden">
        {transaction.merchantName} {t('reviews.new_tab')}
      </span>
    </a>
  )
}
