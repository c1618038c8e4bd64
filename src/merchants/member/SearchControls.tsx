import { Search } from 'lucide-react'
import { Form, useNavigate } from 'react-router'
import { useCopy } from '../../content/member/embed/use-copy.tsx'
import { useProgram } from '../../partners/member/embed/use-program.ts'
import { visibleFilters } from '../../partners/rules.ts'
import { Button } from '../../ui/Button.tsx'
import { type SearchState, searchAddress } from '../search-address.ts'
import styles from './SearchControls.module.css'

const sorts = ['distance', 'rating', 'name', 'newest'] as const
const meals = ['breakfast', 'brunch', 'lunch', 'dinner', 'lateNight'] as const

/** Where, what, and the filters. A plain GET form: it works before the script does. */
export function SearchControls({ state }: { state: SearchState }) {
  const t = useCopy()
  const navigate = useNavigate()
  const { config, flags } = useProgram()
  const visible = new Set(visibleFilters(config, flags.filters))
  const change = (changes: Partial<SearchState>) => navigate(searchAddress({ ...state, pageNo: 1, ...changes }))
  const chips = (
    [
      ['acclaimed', config.acclaimedEnabled],
      ['isNew', true],
      ['reservations', config.openTableReservationsEnabled],
    ] as const
  ).filter(([name, offered]) => offered && visible.has(name))
  return (
    <div className={styles.controls}>
      <Form action="/search" className={styles.form} role="search">
        <label>
          <span>{t('search.what')}</span>
          <input
            name="restaurantOrCuisine"
            defaultValue={state.restaurantOrCuisine}
            placeholder={t('search.what_example')}
            autoComplete="off"
            maxLength={80}
          />
        </label>
        <label>
          <span>{t('search.where')}</span>
          <input name="location" defaultValue={state.location} autoComplete="off" maxLength={80} />
        </label>
        <Button type="submit">
          <Search aria-hidden="true" size={18} />
          {t('search.submit')}
        </Button>
      </Form>
      <div className={styles.filters}>
        {chips.map(([name]) => (
          <button
            key={name}
            type="button"
            className={styles.chip}
            aria-pressed={state[name]}
            onClick={() => change({ [name]: !state[name] })}
          >
            {t(`search.filter_${name}`)}
          </button>
        ))}
        {visible.has('mealsServed') && (
          <Choice
            label={t('search.filter_meal')}
            value={state.mealsServed[0] ?? ''}
            options={[
              ['', t('search.filter_any')],
              ...meals.map((meal): [string, string] => [meal, t(`search.meal_${meal}`)]),
            ]}
            onChoose={(meal) => change({ mealsServed: meal ? [meal] : [] })}
          />
        )}
        {visible.has('priceRange') && (
          <Choice
            label={t('search.filter_price')}
            value={state.priceRange[0] ?? ''}
            options={[
              ['', t('search.filter_any')],
              ...['1', '2', '3', '4'].map((level): [string, string] => [level, '$'.repeat(Number(level))]),
            ]}
            onChoose={(level) => change({ priceRange: level ? [level] : [] })}
          />
        )}
        {visible.has('sortBy') && (
          <Choice
            label={t('search.sort')}
            value={state.sortBy || 'distance'}
            options={sorts.map((sort): [string, string] => [sort, t(`search.sort_${sort}`)])}
            onChoose={(sortBy) => change({ sortBy: sortBy === 'distance' ? '' : sortBy })}
          />
        )}
      </div>
    </div>
  )
}

interface ChoiceProps {
  label: string
  value: string
  options: [value: string, text: string][]
  onChoose: (value: string) => void
}

function Choice({ label, value, options, onChoose }: ChoiceProps) {
  return (
    <label className={styles.choice}>
      <span>{label}</span>
      <select value={value} onChange={(event) => onChoose(event.target.value)}>
        {options.map(([option, text]) => (
          <option key={option} value={option}>
            {text}
          </option>
        ))}
      </select>
    </label>
  )
}
