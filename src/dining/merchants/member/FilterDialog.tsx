import { type ReactNode, useState } from 'react'
import { apiQuery, useApi } from '../../../platform/browser/query.ts'
import { useQuery } from '../../../platform/browser/use-query.ts'
import { formatCount } from '../../../platform/money.ts'
import { useCopy } from '../../../programs/content/member/embed/use-copy.tsx'
import { useProgram } from '../../../programs/partners/member/embed/use-program.ts'
import { Button } from '../../../ui/Button.tsx'
import { Dialog } from '../../../ui/Dialog.tsx'
import { SelectField } from '../../../ui/SelectField.tsx'
import { getSearchFacets } from '../contract.ts'
import { features, meals, weekdays } from '../names.ts'
import { noFilters, queryOf, type SearchState } from '../search-address.ts'
import styles from './FilterDialog.module.css'
import type { SearchInput } from './use-search.ts'

const sorts = ['distance', 'rating', 'name', 'newest', 'relevance'] as const
const prices = ['1', '2', '3', '4'] as const

interface Props {
  state: SearchState
  given: SearchInput
  /** The filters that this program shows. */
  visible: ReadonlySet<string>
  onClose: () => void
  onApply: (changes: Partial<SearchState>) => void
}

type ListName = 'benefitsFor' | 'features' | 'mealsServed' | 'priceRange'

/** Shows every filter with its number of results; changes take effect when applied. */
export function FilterDialog({ state, given, visible, onClose, onApply }: Props) {
  const t = useCopy()
  const { config } = useProgram()
  const [draft, setDraft] = useState(state)
  // Uses the location of the current search, which may be the position of the device.
  const { location, latitude, longitude } = given.query
  const { sortBy: _order, pageNo: _page, ...filters } = queryOf(draft)
  const query = { ...filters, location, latitude, longitude } as SearchInput['query']
  const facets = useQuery(apiQuery(useApi(), getSearchFacets, { query }), { keepsPrevious: true })
  const counts = facets.data
  const named = (text: string, count: number | undefined) =>
    count === undefined ? text : t('search.option', { name: text, count: formatCount(count) })
  const toggle = (name: ListName, value: string) =>
    setDraft((before) => {
      const list = before[name]
      return { ...before, [name]: list.includes(value) ? list.filter((item) => item !== value) : [...list, value] }
    })
  const groups: { name: ListName; options: readonly string[]; text: (option: string) => string }[] = [
    {
      name: 'benefitsFor',
      options: weekdays,
      text: (day) => t(`merchant.day_${weekdays.indexOf(day as 'Sun')}`),
    },
    {
      name: 'features',
      options: features,
      text: (feature) => named(t(`search.feature_${feature}`), counts?.features[feature]),
    },
    {
      name: 'mealsServed',
      options: meals,
      text: (meal) => named(t(`search.meal_${meal}`), counts?.mealsServed[meal]),
    },
    {
      name: 'priceRange',
      options: prices,
      text: (price) => named('$'.repeat(Number(price)), counts?.priceRange[price]),
    },
  ]
  const switches = (
    [
      ['acclaimed', config.acclaimedEnabled],
      ['isNew', true],
      ['reservations', config.openTableReservationsEnabled],
    ] as const
  ).filter(([name, offered]) => offered && visible.has(name))
  return (
    <Dialog open onClose={onClose} title={t('search.filters')} closeLabel={t('search.close')}>
      <form
        className={styles.form}
        onSubmit={(event) => {
          event.preventDefault()
          onApply(draft)
          onClose()
        }}
      >
        {visible.has('sortBy') && (
          <SelectField
            label={t('search.sort')}
            value={draft.sortBy || 'distance'}
            onChange={(event) => {
              const order = event.target.value
              setDraft((before) => ({ ...before, sortBy: order === 'distance' ? '' : order }))
            }}
          >
            {sorts.map((sort) => (
              <option key={sort} value={sort}>
                {t(`search.sort_${sort}`)}
              </option>
            ))}
          </SelectField>
        )}
        {switches.length > 0 && (
          <div className={styles.options}>
            {switches.map(([name]) => (
              <Option
                key={name}
                checked={draft[name]}
                onChange={() => setDraft((before) => ({ ...before, [name]: !before[name] }))}
              >
                {named(t(`search.filter_${name}`), counts?.[name])}
              </Option>
            ))}
          </div>
        )}
        {groups
          .filter(({ name }) => visible.has(name))
          .map(({ name, options, text }) => (
            <fieldset key={name} className={styles.group}>
              <legend>{t(`search.filter_${name}`)}</legend>
              <div className={styles.options}>
                {options.map((option) => (
                  <Option key={option} checked={draft[name].includes(option)} onChange={() => toggle(name, option)}>
                    {text(option)}
                  </Option>
                ))}
              </div>
            </fieldset>
          ))}
        <p className="visually-hidden" role="status">
          {counts && applyText()}
        </p>
        <p className={styles.actions}>
          <Button type="submit">{applyText()}</Button>
          <Button
            type="button"
            variant="quiet"
            onClick={() => setDraft((before) => ({ ...before, ...noFilters, sortBy: '' }))}
          >
            {t('search.clear')}
          </Button>
        </p>
      </form>
    </Dialog>
  )

  function applyText(): string {
    if (!counts) return t('search.submit')
    if (counts.total === 0) return t('search.filters_none')
    const key = counts.total === 1 ? 'search.filters_show_one' : 'search.filters_show'
    return t(key, { count: formatCount(counts.total) })
  }
}

function Option({ checked, onChange, children }: { checked: boolean; onChange: () => void; children: ReactNode }) {
  return (
    <label className={styles.option}>
      <input type="checkbox" checked={checked} onChange={onChange} />
      {children}
    </label>
  )
}
