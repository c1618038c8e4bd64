import { DAY } from '../../platform/time.ts'

/** A meal as a member names it in a claim. */
export interface ClaimedMeal {
  /** Null when the restaurant is not known: its name is compared. */
  merchantId: number | null
  merchantName: string
  /** Noon UTC of the day that the member named. */
  dinedAt: Date
  cents: number
}

/** A meal as the card network reported it. */
export interface ReportedMeal {
  merchantId: number | null
  merchantName: string
  dinedAt: Date
  /** `YYYY-MM-DD`, on the restaurant's calendar. */
  localDate: string
  ticketCents: number
  /** The final charge; 0 until then. */
  clearedCents: number
}

/** Returns whether an amount is the one that a member named, within a tip: 70 % to 140 % of it. */
export function isSameWithinTip(cents: number, namedCents: number): boolean {
  // Whole numbers: 1.4 * 45 is less than 63.
  return 10 * cents >= 7 * namedCents && 10 * cents <= 14 * namedCents
}

type Place = Pick<ClaimedMeal, 'merchantId' | 'merchantName'>

/** Returns whether a claim names this restaurant: by its id, where the claim has one, else by its name in any case. */
export function isSamePlace(claimed: Place, other: Place): boolean {
  return claimed.merchantId === null
    ? other.merchantName.toLowerCase() === claimed.merchantName.toLowerCase()
    : other.merchantId === claimed.merchantId
}

/**
 * Returns how much a reported meal resembles a claimed one: `exact` for the restaurant, its day and the final amount;
 * `similar` for the restaurant, the same or the adjacent day, and the amount within a tip; null for another meal.
 */
export function likenessOf(claimed: ClaimedMeal, reported: ReportedMeal): 'exact' | 'similar' | null {
  if (!isSamePlace(claimed, reported)) return null
  const day = claimed.dinedAt.toISOString().slice(0, 10)
  if (reported.localDate === day && finalCentsOf(reported) === claimed.cents) return 'exact'
  const isNear = Math.abs(reported.dinedAt.getTime() - claimed.dinedAt.getTime()) <= 1.5 * DAY
  const cents = Math.max(reported.ticketCents, reported.clearedCents)
  return isNear && isSameWithinTip(cents, claimed.cents) ? 'similar' : null
}

/**
 * Returns whether two claims may be about one meal: the same restaurant, the same or the adjacent day, and either amount
 * the other one within a tip.
 */
export function areSimilarClaims(a: ClaimedMeal, b: ClaimedMeal): boolean {
  return (
    (isSamePlace(a, b) || isSamePlace(b, a)) &&
    Math.abs(a.dinedAt.getTime() - b.dinedAt.getTime()) <= 1.5 * DAY &&
    (isSameWithinTip(a.cents, b.cents) || isSameWithinTip(b.cents, a.cents))
  )
}

const finalCentsOf = ({ clearedCents, ticketCents }: ReportedMeal) => (clearedCents === 0 ? ticketCents : clearedCents)

/** One exact pair counts more than any number of similar ones, and one more pair more than all differences. */
const exactWeight = 1e12
const similarWeight = 1e9

/** Returns how well a reported meal fits a claimed one; 0 when it does not. A cent counts more than a day. */
function weightOf(claimed: ClaimedMeal, reported: ReportedMeal): number {
  const likeness = likenessOf(claimed, reported)
  if (likeness === null) return 0
  const days = Math.abs(Date.parse(reported.localDate) - Date.parse(claimed.dinedAt.toISOString().slice(0, 10))) / DAY
  const difference = Math.abs(finalCentsOf(reported) - claimed.cents) * 10 + days
  return (likeness === 'exact' ? exactWeight : similarWeight) - difference
}

/**
 * Assigns reported meals to claimed ones, each at most once: first as many exact pairs as possible, then as many pairs as
 * possible, then the smallest differences. The result depends on the two sets only when both are in an order of their
 * own, not on the order of arrival. `mayBe` excludes pairs. Returns the reported meal of each claimed one.
 */
export function assignMeals<C extends ClaimedMeal, R extends ReportedMeal>(
  claimed: readonly C[],
  reported: readonly R[],
  mayBe: (claim: C, meal: R) => boolean,
): Map<C, R> {
  const weights = claimed.map((claim) => reported.map((meal) => (mayBe(claim, meal) ? weightOf(claim, meal) : 0)))
  const assigned = maximumWeightMatching(weights)
  return new Map(
    claimed.flatMap((claim, row): [C, R][] => {
      const meal = reported[assigned[row] ?? -1]
      return meal ? [[claim, meal]] : []
    }),
  )
}

/**
 * Returns, for each row, the column assigned to it, or -1: each column at most once, with the largest sum of weights. A
 * weight of 0 is no pair. Each round extends the assignment along the path of alternating pairs that gains the most.
 */
function maximumWeightMatching(weights: readonly (readonly number[])[]): number[] {
  const columnOf = weights.map(() => -1)
  const rowOf = (weights[0] ?? []).map(() => -1)
  for (;;) {
    const path = bestPath(weights, columnOf, rowOf)
    if (path === null) return columnOf
    for (const [row, column] of path) {
      columnOf[row] = column
      rowOf[column] = row
    }
  }
}

/** Returns the pairs of the best extension, from its end to its start; null when none gains anything. */
function bestPath(
  weights: readonly (readonly number[])[],
  columnOf: readonly number[],
  rowOf: readonly number[],
): [number, number][] | null {
  // The largest gain of a path that ends in each column, and the row before it.
  const gains = rowOf.map(() => Number.NEGATIVE_INFINITY)
  const rowBefore = rowOf.map(() => -1)
  const gainBefore = (row: number) => {
    const column = columnOf[row] ?? -1
    return column === -1 ? 0 : (gains[column] as number) - (weights[row]?.[column] as number)
  }
  for (let changed = true; changed; ) {
    changed = false
    for (const [row, ofRow] of weights.entries()) {
      for (const [column, weight] of ofRow.entries()) {
        const gain = gainBefore(row) + weight
        if (weight === 0 || columnOf[row] === column || gain <= (gains[column] as number)) continue
        gains[column] = gain
        rowBefore[column] = row
        changed = true
      }
    }
  }
  const free = [...rowOf.keys()].filter((column) => rowOf[column] === -1 && (gains[column] as number) > 0)
  const [end] = free.toSorted((a, b) => (gains[b] as number) - (gains[a] as number) || a - b)
  return end === undefined ? null : pathTo(end, columnOf, rowBefore)
}

function pathTo(end: number, columnOf: readonly number[], rowBefore: readonly number[]): [number, number][] {
  const path: [number, number][] = []
  for (let column = end; column !== -1; ) {
    const row = rowBefore[column] as number
    path.push([row, column])
    column = columnOf[row] as number
  }
  return path
}
