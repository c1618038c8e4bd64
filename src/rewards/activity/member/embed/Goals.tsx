import { apiQuery, type PageArgs, useApiQuery } from '../../../../platform/browser/query.ts'
import { Link } from '../../../../platform/browser/router/Link.tsx'
import { useCopy } from '../../../../programs/content/member/embed/use-copy.tsx'
import { Meter } from '../../../../ui/Meter.tsx'
import { type Goal, listGoals } from '../../contract.ts'
import styles from './Goals.module.css'

export async function loadGoals({ api, cache }: PageArgs): Promise<void> {
  await cache.prefetch(apiQuery(api, listGoals, {}))
}

/** The overview says above how far VIP is; what keeps VIP for another year is said only here. */
const isSaidAbove = ({ kind, key }: Goal) => kind === 'vip' && !key.startsWith('rewards.goal.vip_keep')

/** The member's next goals, with a link to the restaurants. */
export function Goals({ zipCode }: { zipCode: string }) {
  const t = useCopy()
  const all = useApiQuery(listGoals, {}, { staleTime: 0 }).data ?? []
  const goals = all.filter((goal) => !isSaidAbove(goal))
  if (goals.length === 0) return null
  const search = new URLSearchParams({ ...(zipCode !== '' && { location: zipCode }) })
  return (
    <section className={styles.goals}>
      <h3>{t('rewards.goal.title')}</h3>
      <ul>
        {goals.map(({ key, params, progress }) => {
          const text = t(key, params)
          return (
            <li key={text}>{progress ? <Meter value={progress.done} max={progress.total} label={text} /> : text}</li>
          )
        })}
      </ul>
      <p>
        <Link to={`/search?${search}`}>{t('rewards.goal.find')}</Link>
      </p>
    </section>
  )
}
