import { useState } from 'react'
import { ask, type PageArgs, useAnswer } from '../../../platform/browser/query.ts'
import { orSignIn } from '../../../platform/browser/redirects.ts'
import { useCopy } from '../../../programs/content/member/embed/use-copy.tsx'
import { Meta } from '../../../programs/partners/member/embed/Meta.tsx'
import { cardsOfMember } from '../../cards/member/embed/cards-of-member.ts'
import { type Explanation, listClaims, type MissingMeal } from '../contract.ts'
import { ClaimForm } from './ClaimForm.tsx'
import { ClaimList } from './ClaimList.tsx'
import { Findings } from './Findings.tsx'
import { MealForm } from './MealForm.tsx'
import styles from './MissingMealPage.module.css'

export async function load(args: PageArgs): Promise<void> {
  const { api, cache, url } = args
  await orSignIn(cache.ensureQueryData(ask(api, listClaims, {})), url)
  await cardsOfMember.load(args)
}

/** Explains why a transaction is missing, and opens a claim when it cannot. */
export function Page() {
  const t = useCopy()
  const claims = useAnswer(listClaims, {})
  const [asked, setAsked] = useState<{ meal: MissingMeal; explanation: Explanation } | null>(null)
  return (
    <>
      <Meta title={t('claims.title')} />
      <h2>{t('claims.title')}</h2>
      <p>{t('claims.lead')}</p>
      <div className={styles.column}>
        <MealForm
          onExplained={(meal, explanation) => setAsked({ meal, explanation })}
          onChange={() => setAsked(null)}
        />
        {asked && <Findings explanation={asked.explanation} />}
        {asked?.explanation.outcome === 'unexplained' && (
          <ClaimForm key={JSON.stringify(asked.meal)} meal={asked.meal} onOpened={() => setAsked(null)} />
        )}
      </div>
      <h3>{t('claims.list')}</h3>
      <ClaimList claims={claims} />
    </>
  )
}
