import type { PageArgs } from '../../../../platform/browser/query.ts'
import { useApi } from '../../../../platform/browser/query.ts'
import { Link } from '../../../../platform/browser/router/Link.tsx'
import { useSuspenseQuery } from '../../../../platform/browser/use-query.ts'
import { useCopy } from '../../../../programs/content/member/embed/use-copy.tsx'
import { useProgram } from '../../../../programs/partners/member/embed/use-program.ts'
import { EmptyState } from '../../../../ui/EmptyState.tsx'
import { activityQuery } from './activity-query.ts'
import { Statement } from './Statement.tsx'
import { useLiveActivity } from './use-live-activity.ts'

const few = 3

export async function loadLatest({ api, cache, config }: PageArgs): Promise<void> {
  await cache.ensure(activityQuery(api, config.currencyType, { pageNo: 1, resultsPerPage: few }))
}

/** The newest transactions. */
export function LatestActivity() {
  const t = useCopy()
  const { config } = useProgram()
  const { data } = useSuspenseQuery(activityQuery(useApi(), config.currencyType, { pageNo: 1, resultsPerPage: few }))
  useLiveActivity()
  if (data.length > 0) return <Statement entries={data} />
  return (
    <EmptyState
      level={4}
      title={t('activity.none_title')}
      tagline={t('activity.none_tagline')}
      action={<Link to="/search">{t('activity.search')}</Link>}
    />
  )
}
