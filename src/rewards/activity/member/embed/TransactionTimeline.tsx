import { useApiQuery } from '../../../../platform/browser/query.ts'
import { useCopy } from '../../../../programs/content/member/embed/use-copy.tsx'
import { Skeleton } from '../../../../ui/Skeleton.tsx'
import { getTransactionTimeline } from '../../contract.ts'
import styles from './TransactionTimeline.module.css'

/** A transaction's history, the calculation of its reward, and the next step. Times are the restaurant's. */
export function TransactionTimeline({ id, timeZone }: { id: string; timeZone: string | null }) {
  const t = useCopy()
  const moment = new Intl.DateTimeFormat('en-US', {
    dateStyle: 'medium',
    timeStyle: 'short',
    timeZone: timeZone ?? 'UTC',
  })
  const timeline = useApiQuery(getTransactionTimeline, { params: { id } }, { staleTime: 0 })
  if (timeline.isPending) return <Skeleton height={200} />
  if (timeline.isError) return <p role="alert">{t('rewards.story.failed')}</p>
  const { steps, sum, next } = timeline.data
  return (
    <div className={styles.timeline}>
      {steps.length > 0 && (
        <section>
          <p className={styles.title}>{t('rewards.story.steps')}</p>
          <ol className={styles.steps}>
            {steps.map(({ at, key, params }) => (
              <li key={at + key}>
                <time dateTime={at}>
                  {t(timeZone ? 'rewards.story.at' : 'rewards.story.at_gmt', { moment: moment.format(new Date(at)) })}
                </time>
                <span>{t(key, params)}</span>
              </li>
            ))}
          </ol>
        </section>
      )}
      {sum.length > 0 && (
        <section>
          <p className={styles.title}>{t('rewards.story.sum')}</p>
          <dl className={styles.sum}>
            {sum.map(({ key, params, amount }) => (
              <div key={key}>
                <dt>{t(key, params)}</dt>
                <dd>{amount}</dd>
              </div>
            ))}
          </dl>
        </section>
      )}
      {next && (
        <section>
          <p className={styles.title}>{t('rewards.story.next')}</p>
          <p>{t(next.key, next.params)}</p>
        </section>
      )}
    </div>
  )
}
