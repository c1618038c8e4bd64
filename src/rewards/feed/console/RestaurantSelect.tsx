import { Select, type SelectProps } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { useState } from 'react'
import { useCall } from '../../../console-kit/calls.ts'
import { findRestaurants, type LikelyRestaurant } from './contract.ts'

interface RestaurantSelectProps extends Pick<SelectProps, 'label' | 'description' | 'mt' | 'clearable'> {
  /** Id of the chosen restaurant. */
  value: string | null
  onChange: (restaurant: LikelyRestaurant | null) => void
}

/** Chooses a restaurant by the beginning of its name, or by its id. */
export function RestaurantSelect({ value, onChange, ...field }: RestaurantSelectProps) {
  const [text, setText] = useState('')
  const [q] = useDebouncedValue(text.trim(), 250)
  const found = useCall(findRestaurants, { query: { q } }, { enabled: q.length >= 2 })
  const [chosen, setChosen] = useState<LikelyRestaurant | null>(null)
  // The chosen one stays an option while another is looked for.
  const restaurants = [...(chosen ? [chosen] : []), ...(found.data ?? []).filter(({ id }) => id !== chosen?.id)]
  return (
    <Select
      {...field}
      placeholder="Beginning of the name"
      searchable
      searchValue={text}
      onSearchChange={setText}
      data={restaurants.map(({ id, name, address }) => ({ value: id, label: `${name}, ${address}` }))}
      filter={({ options }) => options}
      value={restaurants.some(({ id }) => id === value) ? value : null}
      onChange={(id) => {
        const restaurant = restaurants.find((each) => each.id === id) ?? null
        setChosen(restaurant)
        onChange(restaurant)
      }}
      clearButtonProps={{ 'aria-label': 'No restaurant' }}
      nothingFoundMessage={
        q.length < 2 ? 'Type at least two letters' : found.isFetching ? 'Searching…' : 'No restaurant begins like this'
      }
    />
  )
}
