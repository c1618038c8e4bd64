import Search from 'lucide-react/icons/search'
import SlidersHorizontal from 'lucide-react/icons/sliders-horizontal'
import { type SubmitEvent, useEffect, useState } from 'react'
import { useNavigate } from '../../../platform/browser/router/RouterProvider.tsx'
import { lazyPart } from '../../../programs/content/member/embed/lazy-part.tsx'
import { useCopy } from '../../../programs/content/member/embed/use-copy.tsx'
import { useProgram } from '../../../programs/partners/member/embed/use-program.ts'
import { visibleFilters } from '../../../programs/partners/rules.ts'
import { Button } from '../../../ui/Button.tsx'
import { Combobox } from '../../../ui/Combobox.tsx'
import { maxSearchText, positionLiterals, weekdays } from '../names.ts'
import { filterCount, isBare, noPlace, type SearchState, searchAddress } from '../search-address.ts'
import styles from './SearchControls.module.css'
import { lastLocation, saveTypedSearch } from './search-storage.ts'
import type { SearchInput } from './use-search.ts'
import { useLocationSuggestions, useMerchantSuggestions } from './use-suggestions.ts'

const FilterDialog = lazyPart(async () => (await import('./FilterDialog.tsx')).FilterDialog)

const [, currentMapView] = positionLiterals

interface Props {
  state: SearchState
  given: SearchInput
  /** The error message of the location. */
  locationError?: string | undefined
}

/** The address of a search that was sent from the fields, and their text at that moment. */
interface Sent {
  address: string
  what: string
  where: string
}

/** Location, text and filters. A plain GET form, so that it works before the script loads. */
export function SearchControls({ state, given, locationError }: Props) {
  const t = useCopy()
  const navigate = useNavigate()
  const [what, setWhat] = useState(state.restaurantOrCuisine)
  // The address has a fixed value for a map area; the field shows a translated label instead.
  const mapArea = t('search.map_area')
  const shownPlace = state.location === currentMapView ? mapArea : state.location
  const [where, setWhere] = useState(shownPlace)
  const [typed, setTyped] = useState(false)
  const address = searchAddress(state)
  const [shown, setShown] = useState(address)
  const [sent, setSent] = useState<Sent | null>(null)
  // A new search updates the fields, except for text that was typed while it loaded. The elements stay the same, because
  // new ones would lose the focus.
  if (address !== shown) {
    const before = sent?.address === address ? sent : { what, where }
    setShown(address)
    setSent(null)
    if (what === before.what) setWhat(state.restaurantOrCuisine)
    if (where === before.where) setWhere(shownPlace)
    setTyped(typed && (what !== before.what || where !== before.where))
  }
  const whats = useMerchantSuggestions(what, typed)
  const wheres = useLocationSuggestions(where, typed)
  const errorOf = (text: string, label: string) =>
    text.length > maxSearchText ? t(`validation.too_long|${maxSearchText}|${label}`) : undefined
  const [whatError, whereError] = [errorOf(what, 'search.what'), errorOf(where, 'search.where')]
  const countText = (count: number) => (count === 1 ? t('search.suggestion_one') : t('search.suggestions', { count }))

  // A visit without a search starts with the last typed location; one that is removed later stays removed. Beside results
  // of another place it would be wrong.
  const [arrivedWithoutSearch] = useState(isBare(state))
  useEffect(() => {
    if (arrivedWithoutSearch) setWhere(lastLocation())
  }, [arrivedWithoutSearch])

  function go({ location, restaurantOrCuisine }: { location: string; restaurantOrCuisine: string }): void {
    const wish = { location: location === mapArea ? currentMapView : location, restaurantOrCuisine }
    saveTypedSearch(wish)
    const moved = wish.location.trim() !== state.location
    const next = searchAddress({ ...state, ...(moved && noPlace), ...trimmed(wish), pageNo: 1 })
    setSent({ address: next, what: restaurantOrCuisine, where: location })
    navigate(next)
  }

  function submit(event: SubmitEvent): void {
    event.preventDefault()
    // From the fields, which may have what was typed before hydration.
    const fields = new FormData(event.currentTarget as HTMLFormElement)
    const textOf = (name: string) => String(fields.get(name) ?? '')
    // The fields say it.
    if (whatError ?? whereError) return
    go({ location: textOf('location'), restaurantOrCuisine: textOf('restaurantOrCuisine') })
  }

  return (
    <div className={styles.controls}>
      <search>
        <form action="/search" className={styles.form} onSubmit={submit}>
          <Combobox
            label={t('search.what')}
            name="restaurantOrCuisine"
            value={what}
            placeholder={t('search.what_example')}
            options={whats}
            listLabel={t('search.suggestions_list')}
            countText={countText}
            error={whatError}
            onType={(text) => {
              setWhat(text)
              setTyped(true)
            }}
            onChoose={(option) => {
              setWhat(option)
              go({ location: where, restaurantOrCuisine: option })
            }}
          />
          <Combobox
            label={t('search.where')}
            name="location"
            value={where}
            options={wheres}
            listLabel={t('search.suggestions_list')}
            countText={countText}
            error={whereError ?? locationError}
            onType={(text) => {
              setWhere(text)
              setTyped(true)
            }}
            onChoose={(option) => {
              setWhere(option)
              go({ location: option, restaurantOrCuisine: what })
            }}
          />
          <Button type="submit">
            <Search aria-hidden="true" size={18} />
            {t('search.submit')}
          </Button>
        </form>
      </search>
      <Filters state={state} given={given} />
    </div>
  )
}

function trimmed({ location, restaurantOrCuisine }: { location: string; restaurantOrCuisine: string }) {
  return { location: location.trim(), restaurantOrCuisine: restaurantOrCuisine.trim() }
}

/** The suggested filters as chips, with a button for all filters. */
function Filters({ state, given }: Pick<Props, 'state' | 'given'>) {
  const t = useCopy()
  const navigate = useNavigate()
  const { config, flags } = useProgram()
  const [open, setOpen] = useState(false)
  const visible = new Set(visibleFilters(config, flags.filters))
  const change = (changes: Partial<SearchState>) => navigate(searchAddress({ ...state, ...changes, pageNo: 1 }))
  const count = filterCount(state)
  const chips = [
    { name: 'acclaimed', offered: config.acclaimedEnabled, on: state.acclaimed, key: 'search.filter_acclaimed' },
    { name: 'isNew', offered: true, on: state.isNew, key: 'search.filter_isNew' },
    { name: 'benefitsFor', offered: true, on: state.benefitsFor.length > 0, key: 'search.chip_benefits' },
    {
      name: 'reservations',
      offered: config.openTableReservationsEnabled,
      on: state.reservations,
      key: 'search.filter_reservations',
    },
  ].filter(({ name, offered }) => offered && visible.has(name))
  function toggle({ name, on }: (typeof chips)[number]): void {
    if (name !== 'benefitsFor') return void change({ [name]: !on })
    void change({ benefitsFor: on ? [] : [weekdays[new Date().getDay()] as string] })
  }
  return (
    <>
      <div className={styles.filters}>
        {visible.size > 0 && (
          <button type="button" className={styles.chip} aria-haspopup="dialog" onClick={() => setOpen(true)}>
            <SlidersHorizontal aria-hidden="true" size={16} />{' '}
            {count > 0 ? t('search.filters_set', { count }) : t('search.filters')}
          </button>
        )}
        {chips.map((chip) => (
          <button
            key={chip.name}
            type="button"
            className={styles.chip}
            aria-pressed={chip.on}
            onClick={() => toggle(chip)}
          >
            {t(chip.key)}
          </button>
        ))}
      </div>
      {/* Not in the row of chips, which scrolls sideways: a message may be in its place. */}
      {open && (
        <FilterDialog state={state} given={given} visible={visible} onClose={() => setOpen(false)} onApply={change} />
      )}
    </>
  )
}
