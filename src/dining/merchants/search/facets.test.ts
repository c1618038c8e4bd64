import { afterEach, expect, test, vi } from 'vitest'
import { features, meals } from '../names.ts'

afterEach(() => {
  vi.doUnmock(import('../names.ts'))
  vi.resetModules()
})

/** Loads the facets as they are with more features and meals than today. */
async function loadFacets(more: { features?: string[]; meals?: string[] }) {
  vi.resetModules()
  vi.doMock(import('../names.ts'), async (original) => ({
    ...(await original()),
    features: [...features, ...(more.features ?? [])] as never,
    meals: [...meals, ...(more.meals ?? [])] as never,
  }))
  return import('./facets.ts')
}

const names = (count: number) => Array.from({ length: count }, (_, index) => `added${index}`)

const plain = {
  participating: true,
  features: [],
  meals: [],
  priceRange: 0,
  highlight: null,
  acclaimedLevel: 0,
  reservationProvider: null,
}

test('an added feature or meal gets a bit of its own', async () => {
  const { facetBits } = await loadFacets({ features: ['patio', 'bar'], meals: ['tea'] })
  const facets = [
    { acclaimedLevel: 1 },
    { highlight: 'new' },
    { reservationProvider: 'own' },
    ...[...features, 'patio', 'bar'].map((name) => ({ features: [name] })),
    ...[...meals, 'tea'].map((name) => ({ meals: [name] })),
    ...[1, 2, 3, 4].map((priceRange) => ({ priceRange })),
  ]
  const bits = facets.map((facet) => facetBits({ ...plain, ...facet }) & ~facetBits(plain))
  expect(bits.filter((bit) => bit > 0 && (bit & (bit - 1)) === 0)).toHaveLength(facets.length)
  expect(new Set(bits).size).toBe(facets.length)
  expect(facetBits({ ...plain, priceRange: 5 })).toBe(facetBits(plain))
})

test('facets that do not fit the bits of one number stop the process when it starts', async () => {
  const left = 31 - 4 - features.length - meals.length - 4
  const { facetBits } = await loadFacets({ meals: names(left) })
  expect(facetBits({ ...plain, priceRange: 4 })).toBeGreaterThan(2 ** 30)
  await expect(loadFacets({ meals: names(left + 1) })).rejects.toThrow('32 facets do not fit the 31 bits of one number')
})
