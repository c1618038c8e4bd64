import { callUrl } from '../../../platform/call.ts'
import { addMonths } from '../../../platform/time.ts'
import { useCopy } from '../../../programs/content/member/embed/use-copy.tsx'
import { useProgram } from '../../../programs/partners/member/embed/use-program.ts'
import { SelectField } from '../../../ui/SelectField.tsx'
import { type ActivityFilter, type ActivityStatus, activityStatuses } from '../activity-filter.ts'
import { exportActivity } from '../contract.ts'
import styles from './ActivityPage.module.css'

interface Props {
  filter: ActivityFilter
  onChange: (filter: ActivityFilter) => void
  /** Whether there is anything to download. */
  hasEntries: boolean
}

const monthName = new Intl.DateTimeFormat('en-US', { month: 'long', year: 'numeric', timeZone: 'UTC' })

/** Returns the months of the list, the newest first: 13, because it starts twelve months ago, within a month. */
function monthsOf(now: Date): string[] {
  const last = now.toISOString().slice(0, 7)
  return Array.from({ length: 13 }, (_, ago) => addMonths(last, -ago))
}

/** Returns the name of a year or a month. */
export const periodText = (period: string) =>
  period.length === 4 ? period : monthName.format(new Date(`${period}-01T00:00:00Z`))

/** Filters the list by status and period, and downloads the filtered list. */
export function ActivityFilters({ filter, onChange, hasEntries }: Props) {
  const t = useCopy()
  const { config } = useProgram()
  const months = monthsOf(new Date())
  const years = [...new Set(months.map((month) => month.slice(0, 4)))]
  const statuses = activityStatuses.filter((status) => status !== 'credit' || config.currencyType === 'Credit')
  const set = (over: ActivityFilter) => onChange({ ...filter, ...over })
  return (
    <div className={styles.filters}>
      <SelectField
        label={t('activity.filter_status')}
        value={filter.status ?? ''}
        onChange={({ target }) => set({ status: (target.value as ActivityStatus) || undefined })}
      >
        <option value="">{t('activity.filter_status_all')}</option>
        {statuses.map((status) => (
          <option key={status} value={status}>
            {t(`activity.filter_status_${status}`)}
          </option>
        ))}
      </SelectField>
      <SelectField
        label={t('activity.filter_period')}
        value={filter.period ?? ''}
        onChange={({ target }) => set({ period: target.value || undefined })}
      >
        <option value="">{t('activity.filter_period_all')}</option>
        {Object.entries({ years, months }).map(([kind, periods]) => (
          <optgroup key={kind} label={t(`activity.filter_${kind}`)}>
            {periods.map((period) => (
              <option key={period} value={period}>
                {periodText(period)}
              </option>
            ))}
          </optgroup>
        ))}
      </SelectField>
      {hasEntries && (
        <a className={styles.export} href={callUrl(exportActivity, { query: filter })} download>
          {t('activity.export')}
        </a>
      )}
    </div>
  )
}
