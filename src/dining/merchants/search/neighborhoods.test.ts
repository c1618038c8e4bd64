import { expect, test } from 'vitest'
import { Neighborhoods } from './neighborhoods.ts'

const at = (neighborhood: string, city: string, state: string, latitude = 40, longitude = -74) => ({
  neighborhood,
  city,
  state,
  latitude,
  longitude,
})

test('SRCH-001 a neighborhood is found by its name alone or with its city; of two, the larger one', () => {
  const places = new Neighborhoods()
  places.count(at('SoHo', 'New York', 'NY', 40, -74), 1)
  places.count(at('SoHo', 'New York', 'NY', 42, -76), 1)
  places.count(at('Soho', 'Tampa', 'FL'), 1)
  places.count(at('Tampa', 'Tampa', 'FL'), 1)
  const soho = { label: 'SoHo, New York, NY', latitude: 41, longitude: -75 }
  for (const text of ['SoHo', 'soho', 'soho new york', 'SoHo, New York, NY']) expect(places.find(text)).toEqual(soho)
  expect(places.find('soho tampa')?.label).toBe('Soho, Tampa, FL')
  expect(places.find('Tampa')).toBeUndefined()
  expect(places.suggest('so', 8)).toEqual(['SoHo, New York, NY', 'Soho, Tampa, FL'])
  expect([places.suggest('s', 8), places.suggest(' S. ', 8), places.suggest('so', 1)]).toEqual([
    [],
    [],
    ['SoHo, New York, NY'],
  ])
})

test('a neighborhood without restaurants is no longer found', () => {
  const places = new Neighborhoods()
  places.count(at('SoHo', 'New York', 'NY'), 1)
  places.count(at('SoHo', 'New York', 'NY'), -1)
  expect(places.find('SoHo')).toBeUndefined()
  expect(places.suggest('soho', 8)).toEqual([])
  places.count(at('SoHo', 'New York', 'NY'), 1)
  expect(places.find('SoHo')?.label).toBe('SoHo, New York, NY')
})
