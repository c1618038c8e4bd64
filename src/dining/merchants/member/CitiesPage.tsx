import { apiQuery, type PageArgs, useApiSuspenseQuery } from '../../../platform/browser/query.ts'
import { formatCount } from '../../../platform/money.ts'
import { useCopy } from '../../../programs/content/member/embed/use-copy.tsx'
import { Meta } from '../../../programs/partners/member/embed/Meta.tsx'
import { useProgram } from '../../../programs/partners/member/embed/use-program.ts'
import { listCities } from '../contract.ts'
import styles from './CityPage.module.css'
import { LinkList } from './CityPage.tsx'

export async function load({ api, cache }: PageArgs): Promise<void> {
  await cache.ensure(apiQuery(api, listCities, {}))
}

/** The cities with restaurants, by state. */
export function Page() {
  const t = useCopy()
  const { config } = useProgram()
  const { states, totalCities, totalRestaurants } = useApiSuspenseQuery(listCities, {})
  const counts = { restaurants: formatCount(totalRestaurants), cities: formatCount(totalCities) }
  return (
    <div className={styles.page}>
      <Meta
        fullTitle={`${t('cities.title')} · ${config.programName}`}
        description={t('cities.all_description', counts)}
      />
      <h1>{t('cities.title')}</h1>
      <p className={styles.lead}>{t('cities.all_lead', counts)}</p>
      <div className={styles.states}>
        {states.map(({ name: state, cities }) => (
          <LinkList
            key={state}
            heading={state}
            links={cities.map(({ slug, name, count }) => ({ path: `/restaurants/${slug}`, name, count }))}
          />
        ))}
      </div>
    </div>
  )
}
