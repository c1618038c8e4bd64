import type { Tx } from '../../platform/database/db.ts'
import { addDays, startOfDay } from '../../platform/time.ts'
import type { Span } from './facts-store.ts'
import * as store from './months-store.ts'
import { type Flow, smallestGroup } from './names.ts'
import { endOfPeriod, shownPeople } from './rules.ts'

/** Stores the cohorts of a finished month, and where its dines and rewards come from. */
export async function computeMonth(tx: Tx, month: string, timeZone: string): Promise<void> {
  await store.insertCohorts(tx, month)
  const [dines, spend, rewards] = await Promise.all([
    spanShown(tx, 'dines', month, timeZone),
    spanShown(tx, 'spend', month, timeZone),
    spanShown(tx, 'rewards', month, timeZone),
  ])
  const spans = { dines, spend, rewards }
  const origins = await store.sumOrigins(tx, spans)
  const listed = await withoutSmall(tx, spans, origins)
  await store.insertOrigins(
    tx,
    listed.map((origin) => ({ ...origin, month, members: shownPeople(origin.members) ?? 0 })),
  )
}

/**
 * Returns the span of the facts that the days of a month show of a figure: from where the month before ended to show.
 * With other bounds, the difference of restaurants and days would be about those who are not shown.
 */
async function spanShown(tx: Tx, figure: Flow, month: string, timeZone: string): Promise<Span> {
  const [before, last] = await Promise.all([
    store.findLastShown(tx, figure, month),
    store.findLastShown(tx, figure, addDays(endOfPeriod('month', month), 1)),
  ])
  const after = (day: string | null) => (day === null ? new Date(0) : startOfDay(addDays(day, 1), timeZone))
  return { from: after(before), until: after(last) }
}

/** Joins the origins of small groups into one row of ten people or more; empty when there are not so many. */
async function withoutSmall(
  tx: Tx,
  spans: store.MonthSpans,
  origins: readonly store.Origin[],
): Promise<readonly store.Origin[]> {
  const isLarge = ({ fewest }: store.Origin) => fewest >= smallestGroup
  const large = origins.filter(isLarge).toSorted((a, b) => a.fewest - b.fewest)
  const small = origins.filter((origin) => !isLarge(origin))
  if (small.length === 0) return large
  const together = await store.sumTogether(tx, spans, small)
  if (isLarge(together)) return [...large, together]
  if (together.fewest === 0) return large
  // Too few also together: with the smallest that has dines, spend and rewards, so that each is about ten people.
  const next = large.find(({ dines, spend, rewards }) => dines !== 0 && spend !== 0 && rewards !== 0)
  if (!next) return []
  const joined = await store.sumTogether(tx, spans, [...small, next])
  if (!isLarge(joined)) return []
  return [...large.filter((origin) => origin !== next), joined]
}
