import { useEffect, useRef } from 'react'
import { Link } from '../../../platform/browser/router/Link.tsx'
import { useCopy } from '../../../programs/content/member/embed/use-copy.tsx'
import type { Explanation } from '../contract.ts'
import styles from './MissingTransactionPage.module.css'

/** The findings about a transaction. They receive the focus; the page announces them. */
export function Findings({ explanation }: { explanation: Explanation }) {
  const t = useCopy()
  const container = useRef<HTMLDivElement>(null)
  // biome-ignore lint/correctness/useExhaustiveDependencies: a new explanation takes the focus again
  useEffect(() => container.current?.focus(), [explanation])
  const { outcome, findings, transactionId, period, claimId } = explanation
  return (
    <div ref={container} tabIndex={-1} className={styles.findings}>
      <strong>{t(`claims.outcome_${outcome}`)}</strong>
      {findings.map(({ key, params }) => (
        <p key={key}>{t(key, params)}</p>
      ))}
      {transactionId !== undefined && (
        <Link to={`/account/recent_activity?period=${period}#meal-${transactionId}`}>{t('claims.see_meal')}</Link>
      )}
      {claimId !== undefined && <a href={`#claim-${claimId}`}>{t('claims.see_claim')}</a>}
    </div>
  )
}
