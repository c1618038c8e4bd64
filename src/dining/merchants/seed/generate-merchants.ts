import { Random, seedOf } from '../../../platform/random.ts'
import { allZips } from '../../../programs/places/service.ts'
import { MerchantRecord } from '../catalog/record.ts'
import { timeZoneOf } from '../catalog/time-zones.ts'
import cuisineTemplates from './cuisine-templates.json' with { type: 'json' }
import { type Metro, metros } from './metros.ts'
import { writeReviews } from './reviews.ts'

type CuisineTemplate = (typeof cuisineTemplates)[number]

const streets =
  'Main Street,Oak Avenue,2nd Street,Market Street,Cedar Lane,Elm Street,Grand Avenue,5th Avenue,Mill Road,Union Street,Water Street,9th Street,Spring Street,Franklin Avenue,Orchard Street,King Street'.split(
    ',',
  )
const campaigns = ['WINTER-10X', 'LUNCH-BREAK', 'FIRST-DINE', 'WEEKDAY-PLUS']

/**
 * Generates invented restaurants over all metros, deterministically; the first hundred meters around ZIP 10001 have
 * sushi.
 */
export function generateMerchants({ count = 5200 }: { count?: number } = {}): MerchantRecord[] {
  const zipNear = zipFinder()
  const total = metros.reduce((sum, { weight }) => sum + weight, 0)
  const records: MerchantRecord[] = []
  const taken = new Set<string>()
  for (const metro of metros) {
    const share = Math.ceil((count * metro.weight) / total)
    for (let index = 0; index < share; index++) records.push(merchantOf(metro, index, zipNear, taken))
  }
  return records
}

type ZipNear = (latitude: number, longitude: number) => string

function merchantOf(metro: Metro, index: number, zipNear: ZipNear, taken: Set<string>): MerchantRecord {
  const sourceId = `${metro.city}-${metro.state}-${index}`.toLowerCase().replace(/[^a-z0-9]+/g, '-')
  const random = new Random(seedOf(sourceId))
  // A share of the New York restaurants are sushi bars near Chelsea, so that a first search finds some.
  const showcase = metro.city === 'New York' && index % 16 === 0
  const template = showcase ? (cuisineTemplates[0] as CuisineTemplate) : random.pick(cuisineTemplates)
  const neighborhoodIndex = showcase ? 0 : random.int(0, metro.neighborhoods.length - 1)
  const neighborhood = metro.neighborhoods[neighborhoodIndex] as string
  const place = showcase ? near(40.7495, -73.9962, 0.008, random) : placeOf(metro, neighborhoodIndex, random)
  const name = nameOf(template, neighborhood, random, taken, metro.city)
  const priceRange = random.int(template.price[0] as number, template.price[1] as number)
  const reviews = writeReviews(random, template.dishes)
  const highlight = highlightOf(random, index)
  const meals = mealsOf(template.cuisine, random)
  const state = metro.state
  const record = MerchantRecord.parse({
    source: 'seed',
    sourceId,
    name,
    description: pitchOf(template, neighborhood, random),
    cuisines: [template.cuisine, ...template.also],
    features: [
      'dineIn',
      ...random.some(['takeout'] as const, 0.7),
      ...random.some(['delivery', 'onlineOrdering'] as const, 0.35),
    ],
    meals,
    priceRange,
    rating: { sum: reviews.reduce((sum, review) => sum + review.rating, 0), count: reviews.length },
    highlight,
    acclaimedLevel: highlight === 'acclaimed' ? random.int(1, 2) : 0,
    campaignCodes: random.chance(0.15) ? [random.pick(campaigns)] : [],
    address1: `${random.int(1, 980)} ${random.pick(streets)}`,
    city: metro.city,
    state,
    zipCode: zipNear(place.latitude, place.longitude),
    neighborhood,
    ...place,
    timeZone: timeZoneOf(state, place),
    phone: `${random.int(201, 979)}-555-01${String(random.int(0, 99)).padStart(2, '0')}`,
    website: `https://www.example.com/${sourceId}`,
    menuUrl: random.chance(0.5) ? `https://www.example.com/${sourceId}/menu` : '',
    hours: hoursOf(meals, random),
    menus: menuOf(template, priceRange, random),
    events: eventsOf(random),
    ordering: random.chance(0.3)
      ? [{ name: 'Order at the counter', url: `https://order.example.org/${sourceId}` }]
      : [],
    reservationProvider: random.chance(0.4) ? 'book' : null,
    participating: true,
    joinedOn: joinedOn(random, highlight),
    offers: [offerOf(random, highlight)],
    tables: tablesOf(random),
    reviews,
  })
  return withWaysToEat(record, index)
}

/** Restaurants with online ordering have a link to order by; a few of them do not serve guests on site. */
function withWaysToEat(record: MerchantRecord, index: number): MerchantRecord {
  const others = record.features.filter((feature) => feature !== 'onlineOrdering')
  if (record.ordering.length === 0) return { ...record, features: others }
  if (index % 29 === 5) return { ...record, features: ['onlineOrdering'], reservationProvider: null }
  return { ...record, features: [...others, 'onlineOrdering'] }
}

function near(latitude: number, longitude: number, spread: number, random: Random) {
  const round = (value: number) => Math.round(value * 1e5) / 1e5
  return {
    latitude: round(latitude + random.gaussian() * spread),
    longitude: round(longitude + random.gaussian() * spread * 1.2),
  }
}

// Each neighborhood lies in a different direction from the center.
function placeOf(metro: Metro, neighborhood: number, random: Random) {
  const turn = (neighborhood / metro.neighborhoods.length) * 2 * Math.PI
  const away = 0.012 + 0.022 * (neighborhood % 3)
  return near(metro.latitude + Math.sin(turn) * away, metro.longitude + Math.cos(turn) * away, 0.006, random)
}

function nameOf(
  template: CuisineTemplate,
  neighborhood: string,
  random: Random,
  taken: Set<string>,
  city: string,
): string {
  for (let attempt = 0; attempt < 12; attempt++) {
    const name = `${random.pick(template.first)} ${random.pick(template.last)}`
    if (claim(taken, `${city}:${name}`)) return name
  }
  const name = `${random.pick(template.first)} ${random.pick(template.last)} ${neighborhood}`
  claim(taken, `${city}:${name}`)
  return name
}

function claim(taken: Set<string>, name: string): boolean {
  if (taken.has(name)) return false
  taken.add(name)
  return true
}

function pitchOf({ cuisine, dishes }: CuisineTemplate, neighborhood: string, random: Random): string {
  const dish = random.pick(dishes)
  return random.pick([
    `${cuisine} cooking in ${neighborhood}, with ${dish.toLowerCase()} that regulars come back for.`,
    `A neighborhood room in ${neighborhood}. Ask for the ${dish.toLowerCase()}.`,
    `Open kitchen, short list, patient service: ${cuisine}, the way ${neighborhood} likes it.`,
    `Small plates and ${dish.toLowerCase()}, a few steps off the main street of ${neighborhood}.`,
  ])
}

function highlightOf(random: Random, index: number): 'acclaimed' | 'new' | 'comingSoon' | 'leavingSoon' | null {
  if (index % 11 === 5 || random.chance(0.06)) return 'acclaimed'
  if (random.chance(0.1)) return 'new'
  if (random.chance(0.02)) return 'comingSoon'
  return random.chance(0.03) ? 'leavingSoon' : null
}

function mealsOf(cuisine: string, random: Random): string[] {
  if (cuisine === 'Bakery' || cuisine === 'Café') return ['breakfast', 'brunch', 'lunch']
  return [
    ...random.some(['brunch'], 0.2),
    ...random.some(['lunch'], 0.75),
    'dinner',
    ...random.some(['lateNight'], 0.25),
  ]
}

function hoursOf(meals: readonly string[], random: Random) {
  const opens = meals.includes('breakfast') ? '07:30' : meals.includes('lunch') ? '11:30' : '17:00'
  const closes = meals.includes('lateNight') ? '25:00' : meals.includes('dinner') ? '22:00' : '16:00'
  const closedDay = random.chance(0.4) ? random.int(1, 2) : -1
  const days = [0, 1, 2, 3, 4, 5, 6].map((day) => [String(day), day === closedDay ? [] : [[opens, closes]]])
  return Object.fromEntries(days)
}

function menuOf({ dishes }: CuisineTemplate, priceRange: number, random: Random) {
  const price = () => random.int(6, 11) * 100 * priceRange + random.pick([0, 50, 95])
  const priced = dishes.map((name) => ({ name, priceCents: price() }))
  const half = Math.ceil(priced.length / 2)
  return [
    { section: 'To begin', dishes: priced.slice(0, half) },
    { section: 'To follow', dishes: priced.slice(half) },
  ]
}

function eventsOf(random: Random) {
  if (!random.chance(0.12)) return []
  return [
    {
      title: random.pick(['Wine with the maker', 'Jazz on the terrace', 'Chef’s table', 'Oyster hour']),
      date: `2027-0${random.int(1, 6)}-1${random.int(0, 9)}`,
      text: 'Seats are few. Reserve by telephone.',
    },
  ]
}

function joinedOn(random: Random, highlight: string | null): string {
  if (highlight === 'new') return `2026-09-${String(random.int(1, 28)).padStart(2, '0')}`
  return `202${random.int(1, 5)}-${String(random.int(1, 12)).padStart(2, '0')}-${String(random.int(1, 28)).padStart(2, '0')}`
}

function offerOf(random: Random, highlight: string | null) {
  const startsOn = '2021-01-01'
  const ratePercent = highlight === 'acclaimed' ? 150 : random.pick([100, 100, 100, 125])
  const endsOn = highlight === 'leavingSoon' ? '2027-03-31' : null
  if (random.chance(0.6)) return { type: 'Unlimited', startsOn, endsOn, ratePercent }
  const days = random.pick([
    [0, 1, 2, 3, 4, 5, 6],
    [0, 1, 2, 3, 4],
    [1, 2, 3, 4],
    [0, 1, 2, 3, 4, 5, 6],
  ])
  const maxSpendCents = random.pick([15_000, 25_000, 50_000])
  const maxVisitsPerMonth = random.pick([2, 3, 5])
  return {
    type: 'Limited',
    startsOn,
    endsOn,
    ratePercent,
    days,
    maxSpendCents,
    maxVisitsPerMonth,
    // A few offers are for early hours, a few for larger bills.
    ...(days.length === 4 && maxVisitsPerMonth === 2 && { hours: { from: '16:00', until: '18:30' } }),
    ...(maxSpendCents === 50_000 && maxVisitsPerMonth === 5 && { minSpendCents: 2_500 }),
  }
}

function tablesOf(random: Random) {
  const seats = [2, 2, 2, 4, 4, 4, 6, 8].slice(0, random.int(4, 8))
  return seats.map((count, index) => ({ name: `Table ${index + 1}`, seats: count }))
}

// Finds the nearest ZIP code with a coarse grid over the country.
function zipFinder(): ZipNear {
  const cells = new Map<string, { zip: string; latitude: number; longitude: number }[]>()
  const cell = (latitude: number, longitude: number) => `${Math.floor(latitude * 10)}:${Math.floor(longitude * 10)}`
  for (const entry of allZips()) {
    const key = cell(entry.latitude, entry.longitude)
    const list = cells.get(key)
    if (list) list.push(entry)
    else cells.set(key, [entry])
  }
  return (latitude, longitude) => {
    let best = { zip: '', away: Number.POSITIVE_INFINITY }
    for (const dy of [-0.1, 0, 0.1]) {
      for (const dx of [-0.1, 0, 0.1]) {
        for (const entry of cells.get(cell(latitude + dy, longitude + dx)) ?? []) {
          const away = (entry.latitude - latitude) ** 2 + ((entry.longitude - longitude) * 0.76) ** 2
          if (away < best.away) best = { zip: entry.zip, away }
        }
      }
    }
    return best.zip
  }
}
