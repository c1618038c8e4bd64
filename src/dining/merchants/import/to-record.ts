import { type CellProblem, explainIssues, type ReadRow } from '../../../platform/files/columns.ts'
import { unstorablePath } from '../../../platform/text.ts'
import { addDays } from '../../../platform/time.ts'
import { MerchantRecord } from '../catalog/record.ts'
import { timeZoneOf } from '../catalog/time-zones.ts'
import { merchantColumns } from './columns.ts'
import { offerColumnOf, offersOf } from './offer-columns.ts'

export interface ImportDefaults {
  source: string
  /** Value for rows without the field. A business that never joined must not appear as a participant. */
  participating: boolean
  /** Join date, `YYYY-MM-DD`, for new participants without one. */
  joinedOn: string
}

/** What an earlier import has stored of a merchant. */
export interface ImportedMerchant {
  participating: boolean
  joinedOn: string
}

export type Converted = { record: MerchantRecord } | { problems: CellProblem[] }

const known = new Set(Object.keys(MerchantRecord.shape))

/**
 * Converts a row to a merchant, or returns all its problems. Unknown columns are ignored; missing values are not invented.
 * `imported` are the merchants of earlier imports, by source id: a row without a join date has the day on which
 * its merchant joined.
 */
export function toRecord(
  row: ReadRow,
  defaults: ImportDefaults,
  imported: ReadonlyMap<string, ImportedMerchant> = new Map(),
): Converted {
  const fields = Object.fromEntries(Object.entries(row.value).filter(([name]) => known.has(name)))
  if (row.value.takeout === true) fields.features = [...((fields.features as string[]) ?? []), 'takeout']
  if (!fields.neighborhood && typeof row.value.borough === 'string') fields.neighborhood = row.value.borough
  if (fields.sourceId !== undefined) fields.sourceId = String(fields.sourceId)
  const { state, latitude, longitude } = fields
  if (typeof state === 'string' && typeof latitude === 'number' && typeof longitude === 'number')
    fields.timeZone ??= timeZoneOf(state, { latitude, longitude })
  const before = typeof fields.sourceId === 'string' ? imported.get(fields.sourceId) : undefined
  const isJoining = !before?.participating && (fields.participating ?? defaults.participating) === true
  fields.joinedOn ??= before && !isJoining ? before.joinedOn : defaults.joinedOn
  const hasOfferColumns = fields.offers === undefined
  fields.offers ??= offersOf(row.value, fields.joinedOn)
  const given = { ...defaults, ...fields, source: defaults.source }
  // Before it is cleaned: a file with such a character is probably not a text file, or cut off.
  const unstorable = unstorablePath(given)
  if (unstorable !== null)
    return { problems: [{ column: unstorable, text: 'It has a character that cannot be stored.' }] }
  const parsed = MerchantRecord.safeParse(given)
  if (parsed.success && row.problems.length === 0) {
    const problem = recordProblem(parsed.data)
    return problem ? { problems: [problem] } : { record: parsed.data }
  }
  // Without its place a restaurant has no time zone: the place is named already.
  const isWithoutPlace = [state, latitude, longitude].includes(undefined)
  const issues = (parsed.error?.issues ?? [])
    .filter(({ path }) => !(path[0] === 'timeZone' && isWithoutPlace))
    .map((issue) => (hasOfferColumns ? inOfferColumn(issue) : issue))
  const values = { ...row.value, ...fields }
  return { problems: explainIssues(issues, { ...row, value: values }, merchantColumns) }
}

/** An issue of the offer that the columns make is one of its column. */
function inOfferColumn<I extends { path: PropertyKey[] }>(issue: I): I {
  const [list, , field] = issue.path
  const column = list === 'offers' ? offerColumnOf(String(field ?? 'type')) : undefined
  return column ? { ...issue, path: [column] } : issue
}

function recordProblem(record: MerchantRecord): CellProblem | null {
  if (record.joinedOn > addDays(new Date().toISOString().slice(0, 10), 1))
    return { column: 'joinedOn', text: `“${record.joinedOn}” lies in the future.` }
  return null
}
