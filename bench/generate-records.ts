import { MerchantRecord } from '../src/dining/merchants/catalog/record.ts'
import { Random } from '../src/platform/random.ts'

// Every second restaurant is in New York.
const cities = [
  { city: 'New York', state: 'NY', zipCode: '10001', latitude: 40.75, longitude: -73.98 },
  { city: 'Chicago', state: 'IL', zipCode: '60614', latitude: 41.88, longitude: -87.64 },
  { city: 'San Francisco', state: 'CA', zipCode: '94103', latitude: 37.77, longitude: -122.42 },
]
const cityOf = (random: Random) => random.pick(random.chance(0.5) ? cities.slice(0, 1) : cities.slice(1))
export const cuisines = [
  'Japanese',
  'Sushi',
  'Italian',
  'Pizza',
  'Mexican',
  'Thai',
  'Indian',
  'Burgers',
  'Bakery',
  'Café',
]
export const first = ['Golden', 'Blue', 'Little', 'Grand', 'Old', 'Silver', 'Green', 'Corner', 'Garden', 'River']
export const second = [
  'Lantern',
  'Table',
  'Spoon',
  'Harvest',
  'Anchor',
  'Orchard',
  'Stove',
  'Willow',
  'Pepper',
  'Crane',
]
export const syllables = ['ka', 'ro', 'mi', 'ten', 'lu', 'sa', 'bor', 'vi', 'del', 'no', 'ash', 'pe']

/** Generates `count` restaurants, deterministically. Half of them lie within one search of New York. */
export function generateRecords(count: number): MerchantRecord[] {
  const random = new Random(20_261_120)
  return Array.from({ length: count }, (_, index) => record(random, index))
}

function record(random: Random, index: number): MerchantRecord {
  const city = cityOf(random)
  const coined = random.some(syllables, 0.25).join('') || 'ko'
  const cuisine = random.pick(cuisines)
  const count = random.int(0, 300)
  return MerchantRecord.parse({
    ...city,
    source: 'bench',
    sourceId: String(index),
    name: `${random.pick(first)} ${coined} ${random.pick(second)} ${cuisine}`,
    cuisines: [cuisine],
    features: random.some(['delivery', 'dineIn', 'takeout', 'onlineOrdering'], 0.6),
    meals: random.some(['breakfast', 'brunch', 'lunch', 'dinner', 'lateNight'], 0.5),
    priceRange: random.int(1, 4),
    rating: { sum: count * random.int(3, 5), count },
    highlight: random.chance(0.1) ? 'acclaimed' : null,
    address1: `${index} Main Street`,
    neighborhood: `Quarter ${random.int(1, 40)}`,
    latitude: city.latitude + random.gaussian() * 0.1,
    longitude: city.longitude + random.gaussian() * 0.1,
    timeZone: 'America/New_York',
    reservationProvider: random.chance(0.5) ? 'book' : null,
    participating: true,
    joinedOn: '2024-03-01',
    offers: [{ type: 'Unlimited', startsOn: '2021-01-01' }],
  })
}
