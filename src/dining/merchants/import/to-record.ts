import { unstorablePath } from '../../../platform/text.ts'
import { addDays } from '../../../platform/time.ts'
import { MerchantRecord } from '../catalog/record.ts'
import { timeZoneOf } from '../catalog/time-zones.ts'
import { offersOf } from './offer-columns.ts'

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

export type Converted = { record: MerchantRecord } | { problems: string[] }

// Column names of public lists for our fields.
const synonyms: Record<string, string> = {
  id: 'sourceId',
  lat: 'latitude',
  lng: 'longitude',
  lon: 'longitude',
  zip: 'zipCode',
  postcode: 'zipCode',
  cuisine: 'cuisines',
  address: 'address1',
  street: 'address1',
}
const lists = new Set(['cuisines', 'features', 'meals', 'campaignCodes'])
const numbers = new Set(['latitude', 'longitude', 'priceRange', 'acclaimedLevel'])
const flags = new Set(['participating'])
const known = new Set(Object.keys(MerchantRecord.shape))

/**
 * Converts a row to a merchant, or returns its problems. Unknown columns are ignored; missing values are not invented.
 * `imported` are the merchants of earlier imports, by source id: a row without a join date has the day on which
 * its merchant joined.
 */
export function toRecord(
  row: Record<string, unknown>,
  defaults: ImportDefaults,
  imported: ReadonlyMap<string, ImportedMerchant> = new Map(),
): Converted {
  const fields: Record<string, unknown> = {}
  for (const [name, value] of Object.entries(row)) {
    const key = synonyms[name] ?? name
    if (known.has(key) && value !== '' && value !== null && value !== undefined) fields[key] = typed(key, value)
  }
  if (row.takeout === true || row.takeout === 'true') fields.features = [...listOf(fields.features), 'takeout']
  if (!fields.neighborhood && typeof row.borough === 'string') fields.neighborhood = row.borough
  if (fields.sourceId !== undefined) fields.sourceId = String(fields.sourceId)
  const { state, latitude, longitude } = fields
  if (typeof state === 'string' && typeof latitude === 'number' && typeof longitude === 'number')
    fields.timeZone ??= timeZoneOf(state, { latitude, longitude })
  const before = typeof fields.sourceId === 'string' ? imported.get(fields.sourceId) : undefined
  const isJoining = !before?.participating && (fields.participating ?? defaults.participating) === true
  fields.joinedOn ??= before && !isJoining ? before.joinedOn : defaults.joinedOn
  fields.offers ??= offersOf(row, fields.joinedOn)
  const parsed = MerchantRecord.safeParse({ ...defaults, ...fields, source: defaults.source })
  if (parsed.success) {
    const unstorable = unstorablePath(parsed.data)
    if (unstorable !== null) return { problems: [`${unstorable}: has a character that cannot be stored`] }
    if (parsed.data.joinedOn > addDays(new Date().toISOString().slice(0, 10), 1))
      return { problems: ['joinedOn: lies in the future'] }
    return { record: parsed.data }
  }
  const missingZone = (path: string) => path === 'timeZone' && [state, latitude, longitude].includes(undefined)
  return {
    problems: parsed.error.issues
      .map((issue) => ({ path: issue.path.join('.'), message: issue.message }))
      .filter(({ path }) => !missingZone(path))
      .map(({ path, message }) => `${path}: ${message}`),
  }
}

function typed(key: string, value: unknown): unknown {
  if (lists.has(key)) return listOf(value)
  if (typeof value !== 'string') return value
  if (numbers.has(key)) return Number(value)
  if (key === 'offers') return fromJson(value)
  if (flags.has(key)) return value === 'true' ? true : value === 'false' ? false : value
  return value
}

function listOf(value: unknown): string[] {
  if (Array.isArray(value)) return value.map(String)
  if (typeof value !== 'string') return []
  return value
    .split(';')
    .map((item) => item.trim())
    .filter(Boolean)
}

// Invalid JSON stays text, which validation then rejects.
function fromJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return text
  }
}
