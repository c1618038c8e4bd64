import { expect, test } from 'vitest'
import { isKnownZip, locate, placesWithin, suggestPlaces } from './service.ts'

const near = (text: string) => {
  const place = locate(text)
  return place && `${place.latitude.toFixed(0)},${place.longitude.toFixed(0)}`
}

test('SRCH-001 a ZIP code, a city, a city with its state and a nickname are found', () => {
  expect(near('10001')).toBe('41,-74')
  expect(['10001-2345', 'dinner at 10001, please'].map(near)).toEqual(['41,-74', '41,-74'])
  expect(near('Chicago, IL')).toBe('42,-88')
  expect(near('chicago illinois')).toBe('42,-88')
  expect(near('Saint Louis, MO')).toBe(near('St. Louis MO'))
  expect(near('NYC')).toBe('41,-74')
  expect(near('Portland')).toBe(near('Portland, OR'))
})

test('SRCH-001 a place is found in any common spelling', () => {
  const same = [
    [
      'New York, NY',
      'nyc',
      'NYC, NY',
      'New York City',
      'new york, new york',
      'Manhattan, NY',
      'New York, NY, USA',
      'New York, NY, US',
      'New York, United States',
    ],
    ['Jamaica, NY', 'Queens', 'Queens, New York'],
    ['Bronx, NY', 'the Bronx', 'The Bronx, NY'],
    ['Los Angeles, CA', 'L.A.', 'la'],
    ['San Francisco, CA', 'SF', 'San Fran', 'san fran, california'],
    ['Mount Vernon, NY', 'Mt Vernon', 'Mt. Vernon, New York'],
    ['Fort Worth, TX', 'Ft. Worth'],
    ['Charleston, WV', 'Charleston, West Virginia'],
    ['Richmond, VA', 'Richmond Virginia'],
    ['North Hollywood, CA', 'N. Hollywood'],
    // The larger of the cities of this name, where no state is given.
    ['O Fallon, MO', 'O’Fallon, MO', "O'Fallon Missouri", "O'Fallon", 'ofallon'],
    ["Coeur d'Alene, ID", 'coeur dalene'],
    ['La Canada Flintridge, CA', 'La Cañada Flintridge'],
    ['Winston Salem, NC', 'Winston-Salem'],
  ] as const
  for (const [first, ...others] of same) {
    expect([first, near(first)]).not.toEqual([first, undefined])
    for (const other of others) expect([other, locate(other)?.label]).toEqual([other, locate(first)?.label])
  }
})

test('SRCH-032 the territories are found by ZIP code, by name, and by a city with their code', () => {
  const stateOf = (text: string) => locate(text)?.state
  for (const [code, ...texts] of [
    ['PR', '00901', '00601', '00726-1234', 'Puerto Rico', 'San Juan, PR'],
    ['VI', '00802', 'US Virgin Islands', 'Charlotte Amalie, VI'],
    ['GU', '96910', 'guam', 'Hagatna, GU'],
    ['MP', '96950', 'Saipan, MP'],
    ['AS', '96799', 'American Samoa', 'Pago Pago, AS'],
  ] as const)
    for (const text of texts) expect([text, stateOf(text)]).toEqual([text, code])
  expect(locate('00901')).toMatchObject({ label: 'Puerto Rico', latitude: 18.22, longitude: -66.43 })
  expect(suggestPlaces('Puer')).toContain('Puerto Rico')
  // Of the armed forces, and of nobody.
  for (const text of ['09012', '96201', '96799x', '00501 x']) expect([text, stateOf(text)]).toEqual([text, undefined])
})

test('SRCH-027 text that is not a place is not found', () => {
  expect(locate('asdfghjkl')).toBeUndefined()
  expect(locate('00000')).toBeUndefined()
  for (const text of ['', ' ', ',', 'constructor', 'constructor ny', '__proto__', 'toString NY']) {
    expect(locate(text)).toBeUndefined()
    expect(suggestPlaces(text)).toEqual([])
  }
})

test('VAL-010 US ZIP codes are known, including military and territories', () => {
  for (const zip of ['10001', '94103', '09012', '34002', '96201', '96601', '00901', '96799', '96910'])
    expect([zip, isKnownZip(zip)]).toEqual([zip, true])
  for (const zip of ['00000', '99999', '96101x', '35000', '1234', 'abcde', ''])
    expect([zip, isKnownZip(zip)]).toEqual([zip, false])
})

test('suggestions begin with the typed text, larger places first', () => {
  expect(suggestPlaces('chica')[0]).toBe('Chicago, IL')
  expect(suggestPlaces('1000')[0]).toMatch(/, [A-Z]{2} 1000\d$/)
  expect(suggestPlaces('10001')).toEqual(['New York, NY 10001'])
  expect(suggestPlaces('st. lou')[0]).toBe(suggestPlaces('Saint Lou')[0])
  expect(suggestPlaces('nyc')).toEqual(['New York, NY'])
  expect(suggestPlaces('c')).toEqual([])
  for (const label of suggestPlaces('san')) expect(locate(label)?.label).toBe(label)
})

test('SRCH-001 a state is suggested before the cities with the same prefix', () => {
  expect(suggestPlaces('texas').slice(0, 2)).toEqual(['Texas', 'Texas City, TX'])
  expect(suggestPlaces('calif')[0]).toBe('California')
  expect(locate('Texas')?.state).toBe('TX')
  // The name alone refers to the city.
  expect(suggestPlaces('new york')[0]).toBe('New York, NY')
  expect(suggestPlaces('te')).not.toContain('Texas')
  expect(suggestPlaces('new', 3)).toEqual(['New Hampshire', 'New Jersey', 'New Mexico'])
})

test('the places within bounds are cities at their points, and none outside', () => {
  const bounds = { south: 40.5, west: -74.1, north: 40.9, east: -73.8 }
  const found = placesWithin(bounds, 3)
  expect(found).toHaveLength(3)
  expect(found[0]).toEqual({
    label: 'New York, NY',
    latitude: expect.closeTo(40.75, 1),
    longitude: expect.closeTo(-73.98, 1),
  })
  expect(placesWithin({ ...bounds, south: -40.9, north: -40.5 }, 3)).toEqual([])
  // A place on the edge is within.
  const { latitude, longitude } = found[0] as { latitude: number; longitude: number }
  const point = { south: latitude, north: latitude, west: longitude, east: longitude }
  expect(placesWithin(point, 3).map(({ label }) => label)).toEqual(['New York, NY'])
})

test('a city and a state are at the mean of their ZIP codes', () => {
  const at = (latitude: number, longitude: number) => ({
    latitude: expect.closeTo(latitude, 2),
    longitude: expect.closeTo(longitude, 2),
  })
  expect(locate('Chicago, IL')).toMatchObject(at(41.854, -87.676))
  expect(locate('Los Angeles, CA')).toMatchObject(at(34.034, -118.281))
  expect(locate('Texas')).toMatchObject(at(31.274, -97.998))
  expect(locate('Alaska')).toMatchObject(at(61.467, -152.538))
})

test('every suggested city begins with the typed text, and none is suggested twice', () => {
  for (const typed of ['chica', 'park', 'san', 'new']) {
    const found = suggestPlaces(typed, 100)
    expect(found.length).toBeGreaterThan(3)
    expect(found.filter((label) => !label.toLowerCase().startsWith(typed))).toEqual([])
    expect(new Set(found).size).toBe(found.length)
  }
})
