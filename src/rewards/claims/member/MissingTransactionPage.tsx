import { useState } from 'react'
import { apiQuery, type PageArgs, useApiSuspenseQuery } from '../../../platform/browser/query.ts'
import { signInOn401 } from '../../../platform/browser/redirects.ts'
import { addDays } from '../../../platform/time.ts'
import { useCopy } from '../../../programs/content/member/embed/use-copy.tsx'
import { Meta } from '../../../programs/partners/member/embed/Meta.tsx'
import { Button } from '../../../ui/Button.tsx'
import { memberCardsQuery } from '../../cards/member/embed/member-cards-query.ts'
import { type Explanation, listClaims } from '../contract.ts'
import type { MissingTransaction } from '../forms.ts'
import { isOverdue, postsWithinDays } from '../rules.ts'
import { ClaimForm } from './ClaimForm.tsx'
import { ClaimList } from './ClaimList.tsx'
import { Findings } from './Findings.tsx'
import styles from './MissingTransactionPage.module.css'
import { TransactionForm } from './TransactionForm.tsx'

export async function load(args: PageArgs): Promise<void> {
  const { api, cache, url } = args
  await signInOn401(cache.ensure(apiQuery(api, listClaims, {})), url)
  await memberCardsQuery.load(args)
}

const day = new Intl.DateTimeFormat('en-US', { dateStyle: 'medium', timeZone: 'UTC' })
const lastWaitingDay = (date: string) => day.format(new Date(addDays(date, postsWithinDays)))

/** The outcomes that name a meal, which may be another one than the member's. */
const canBeAnother: ReadonlySet<Explanation['outcome']> = new Set(['found', 'claimed'])

/** Explains why a transaction is missing, and opens a claim when it cannot. */
export function Page() {
  const t = useCopy()
  const claims = useApiSuspenseQuery(listClaims, {})
  const [checked, setChecked] = useState<{ transaction: MissingTransaction; explanation: Explanation } | null>(null)
  // The meal in the history, or of an earlier claim, is not the one that is missing.
  const [isAnother, setIsAnother] = useState(false)
  // The server accepts no claim about a meal that can still be reported.
  const isClaimable =
    checked?.explanation.outcome === 'unexplained' ||
    (isAnother && checked && isOverdue(checked.transaction.date, new Date()))
  return (
    <>
      <Meta title={t('claims.title')} />
      <h2>{t('claims.title')}</h2>
      <p>{t('claims.lead')}</p>
      <div className={styles.column}>
        <TransactionForm
          onExplained={(transaction, explanation) => {
            setChecked({ transaction, explanation })
            setIsAnother(false)
          }}
          onChange={() => setChecked(null)}
        />
        {/* On the page before its text: a live region that is added with its text is not announced. */}
        <div role="status">{checked && <Findings explanation={checked.explanation} />}</div>
        {checked && canBeAnother.has(checked.explanation.outcome) && !isAnother && (
          <p>
            <Button type="button" variant="quiet" onClick={() => setIsAnother(true)}>
              {t('claims.another')}
            </Button>
          </p>
        )}
        <div role="status">
          {checked && isAnother && !isOverdue(checked.transaction.date, new Date()) && (
            <p>{t('claims.wait', { until: lastWaitingDay(checked.transaction.date) })}</p>
          )}
        </div>
        {checked && isClaimable && (
          <ClaimForm
            key={JSON.stringify(checked.transaction)}
            transaction={checked.transaction}
            isAnother={isAnother}
            onOpened={() => setChecked(null)}
          />
        )}
      </div>
      <h3>{t('claims.list')}</h3>
      <ClaimList claims={claims} />
    </>
  )
}
