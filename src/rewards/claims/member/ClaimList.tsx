import { formatCents } from '../../../platform/money.ts'
import { useCopy } from '../../../programs/content/member/embed/use-copy.tsx'
import type { Claim } from '../contract.ts'
import styles from './MissingTransactionPage.module.css'

const day = new Intl.DateTimeFormat('en-US', { dateStyle: 'medium', timeZone: 'UTC' })

/** The member's claims and their status. */
export function ClaimList({ claims }: { claims: readonly Claim[] }) {
  const t = useCopy()
  if (claims.length === 0) return <p>{t('claims.none')}</p>
  return (
    <ul className={styles.claims}>
      {claims.map((claim) => (
        <li key={claim.id} id={`claim-${claim.id}`}>
          <strong>
            {t('claims.of', {
              amount: formatCents(Math.round(claim.amount * 100)),
              merchant: claim.merchantName,
              date: day.format(new Date(`${claim.date}T00:00:00Z`)),
            })}
          </strong>
          <p>
            {claim.decision
              ? t(`claims.decided_${claim.decision.code}`)
              : t('claims.state_open', { by: day.format(new Date(claim.answerBy)) })}{' '}
            {claim.hasReceipt && t('claims.with_receipt')}
          </p>
          {claim.decision && claim.decision.words !== '' && <p>{claim.decision.words}</p>}
        </li>
      ))}
    </ul>
  )
}
