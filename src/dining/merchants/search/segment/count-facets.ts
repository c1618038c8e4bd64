import { type FacetCounter, type FilterBits, facetTally, tally } from '../facets.ts'
import type { Circle } from '../space/blocks.ts'
import { lowestBit } from './bitmap.ts'
import { type Condition, type Matches, wordsPerArea } from './matches.ts'
import type { Segment } from './segment.ts'
import { eachWithin } from './segment-query.ts'

/** Adds the facets of a segment's matches; `condition` has neither meals nor prices, which `filter` has. */
export function countFacets(
  segment: Segment,
  { condition, filter, circle }: { condition: Condition; filter: FilterBits; circle: Circle | null },
  counter: FacetCounter,
): void {
  const { facets } = segment
  const open = segment.matches(condition)
  if (open.slots) {
    eachWithin(segment, { matches: open, circle }, (slot) => counter.add(facets[slot] as number, filter))
    return
  }
  const tallyOf = (meals: number, prices: number) => {
    const matches = segment.matches({ ...condition, filterBits: { ...condition.filterBits, meals, prices } })
    return tallyWithin(segment, matches, circle)
  }
  const all = tallyOf(filter.meals, filter.prices)
  counter.addTallies({
    all,
    butMeals: filter.meals === 0 ? all : tallyOf(0, filter.prices),
    butPrices: filter.prices === 0 ? all : tallyOf(filter.meals, 0),
  })
}

function tallyWithin(segment: Segment, matches: Matches, circle: Circle | null): Uint32Array {
  const { facets, blocks } = segment
  const { bits } = matches
  const counts = facetTally()
  if (matches.slots) {
    eachWithin(segment, { matches, circle }, (slot) => tally(counts, facets[slot] as number))
    return counts
  }
  const area = (index: number) => {
    const known = matches.areaFacets.get(index) ?? tallyArea(facets, bits, index)
    matches.areaFacets.set(index, known)
    addTo(counts, known)
  }
  if (!circle) {
    for (let index = 0; index < matches.areaCounts.length; index++) area(index)
    return counts
  }
  blocks.visit(bits, circle, {
    area,
    word(at) {
      const index = Math.floor(at / wordsPerArea)
      const words = matches.wordFacets.get(index) ?? tallyWords(facets, bits, index)
      matches.wordFacets.set(index, words)
      const from = 32 * (at % wordsPerArea)
      for (let bit = 0; bit < 32; bit++) counts[bit] = (counts[bit] as number) + (words[from + bit] as number)
    },
    slot: (slot) => tally(counts, facets[slot] as number),
  })
  return counts
}

function tallyArea(facets: Uint32Array, bits: Uint32Array, area: number): Uint32Array {
  const histogram = new FacetHistogram()
  const until = Math.min(bits.length, (area + 1) * wordsPerArea)
  for (let at = area * wordsPerArea; at < until; at++) histogram.addWord(facets, at, bits[at] as number)
  return histogram.tally()
}

/** Counts the facets of each bitmap word of an area, at most 32 slots. */
function tallyWords(facets: Uint32Array, bits: Uint32Array, area: number): Uint8Array {
  const counts = new Uint8Array(32 * wordsPerArea)
  const from = area * wordsPerArea
  for (let at = from; at < Math.min(bits.length, from + wordsPerArea); at++) {
    const words = counts.subarray(32 * (at - from), 32 * (at - from + 1))
    for (let rest = bits[at] as number; rest !== 0; rest &= rest - 1)
      tally(words, facets[(at << 5) + lowestBit(rest)] as number)
  }
  return counts
}

function addTo(counts: Uint32Array, others: Uint32Array): void {
  for (let bit = 0; bit < counts.length; bit++) counts[bit] = (counts[bit] as number) + (others[bit] as number)
}

/** Counts facets byte by byte: each slot once per byte, whatever its bits; these are added up from the values. */
class FacetHistogram {
  readonly #values = new Uint32Array(4 * 256)

  add(facets: number): void {
    const values = this.#values
    const [b0, b1] = [facets & 255, 256 + ((facets >>> 8) & 255)]
    const [b2, b3] = [512 + ((facets >>> 16) & 255), 768 + (facets >>> 24)]
    values[b0] = (values[b0] as number) + 1
    values[b1] = (values[b1] as number) + 1
    values[b2] = (values[b2] as number) + 1
    values[b3] = (values[b3] as number) + 1
  }

  /** Adds the slots of a bitmap's word. */
  addWord(facets: Uint32Array, at: number, word: number): void {
    for (let rest = word; rest !== 0; rest &= rest - 1) this.add(facets[(at << 5) + lowestBit(rest)] as number)
  }

  /** Returns the counts per bit. The histogram cannot be used any more. */
  tally(): Uint32Array {
    const counts = facetTally()
    for (let byte = 0; byte < 4; byte++) {
      const values = this.#values.subarray(256 * byte, 256 * (byte + 1))
      // The upper half has the highest bit; folded onto the lower half, the next bit is the highest.
      for (let bit = 7; bit >= 0; bit--) {
        const half = 1 << bit
        for (let value = 0; value < half; value++) {
          const upper = values[half + value] as number
          counts[8 * byte + bit] = (counts[8 * byte + bit] as number) + upper
          values[value] = (values[value] as number) + upper
        }
      }
    }
    return counts
  }
}
