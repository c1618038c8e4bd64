import { apiQuery, type PageArgs, useApiQuery } from '../../../../platform/browser/query.ts'
import { useCopy } from '../../../../programs/content/member/embed/use-copy.tsx'
import { listCarriedDebts } from '../../contract.ts'
import styles from './CarriedDebts.module.css'

export async function loadCarriedDebts({ api, cache }: PageArgs): Promise<void> {
  await cache.prefetch(apiQuery(api, listCarriedDebts, {}))
}

const dayName = new Intl.DateTimeFormat('en-US', { dateStyle: 'long', timeZone: 'UTC' })

/** Why the balance began below zero; nothing for almost every member. */
export function CarriedDebts() {
  const t = useCopy()
  const debts = useApiQuery(listCarriedDebts, {}, { staleTime: 0 }).data ?? []
  if (debts.length === 0) return null
  return (
    <section className={styles.debts}>
      <h3>{t('debts.title')}</h3>
      <p>{t('debts.lead')}</p>
      <ul>
        {debts.map(({ id, at, key, params }) => (
          <li key={id}>
            {t(key, params)} <span className={styles.day}>{dayName.format(new Date(at))}</span>
          </li>
        ))}
      </ul>
    </section>
  )
}
