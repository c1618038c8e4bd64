import { createHash } from 'node:crypto'
import { type Selectable, sql } from 'kysely'
import { LRUCache } from 'lru-cache'
import type { Transactions } from '../../../db/schema.ts'
import type { Db, Tx } from '../../platform/database/db.ts'
import { rowSource } from '../../platform/database/rows.ts'
import type { AwardInput } from '../earning/terms.ts'

/** The inputs that all transactions at a restaurant share: stored once for all of them. */
export type AwardTerms = Pick<AwardInput, 'program' | 'merchant'>

/** A transaction row, its reason completed with the shared terms. */
export interface TransactionRow extends Selectable<Transactions> {
  /** Null for manual entries and bonuses. */
  terms: AwardTerms | null
}

/** Loads terms by their ids; ids that are not stored are missing in the result. */
type LoadTerms = (db: Db | Tx, ids: readonly string[]) => Promise<{ id: string; terms: AwardTerms }[]>

/** Returns a function that loads terms by id and caches them, up to `max`; cached terms are not queried. */
export function createTermsReader(load: LoadTerms, max: number) {
  // Ids are content hashes, so cached terms never go stale and may be shared across partners.
  const cache = new LRUCache<string, AwardTerms>({ max })
  return async (db: Db | Tx, ids: Iterable<string>): Promise<Map<string, AwardTerms>> => {
    const terms = new Map<string, AwardTerms>()
    const missing: string[] = []
    for (const id of ids) {
      const cached = cache.get(id)
      if (cached) terms.set(id, cached)
      else missing.push(id)
    }
    if (missing.length === 0) return terms
    for (const row of await load(db, missing)) {
      cache.set(row.id, row.terms)
      terms.set(row.id, row.terms)
    }
    return terms
  }
}

const readTerms = createTermsReader(loadTerms, 20_000)

/** Returns transactions with their terms. Throws when terms are missing. */
export async function withTerms<Row extends Selectable<Transactions>>(
  db: Db | Tx,
  rows: readonly Row[],
): Promise<(Row & TransactionRow)[]> {
  const terms = await readTerms(db, new Set(rows.flatMap(({ terms_id }) => terms_id ?? [])))
  return rows.map((row) => attachTerms(row, terms))
}

function attachTerms<Row extends Selectable<Transactions>>(
  row: Row,
  known: ReadonlyMap<string, AwardTerms>,
): Row & TransactionRow {
  // Old transactions store their terms themselves.
  if (row.terms_id === null) return { ...row, terms: null }
  const terms = known.get(row.terms_id)
  if (!terms) throw new Error(`the terms of transaction ${row.public_id} are missing`)
  const reason = row.reason as { inputs: object }
  return { ...row, terms, reason: { ...reason, inputs: { ...reason.inputs, ...terms } } as unknown as Row['reason'] }
}

async function loadTerms(db: Db | Tx, ids: readonly string[]): Promise<{ id: string; terms: AwardTerms }[]> {
  const { rows } = await sql<{ id: string; terms: AwardTerms }>`
    select id, terms from award_terms where partner_id = current_partner() and id = any(${ids}::uuid[])`.execute(db)
  return rows
}

const termsColumns = { id: 'uuid', terms: 'jsonb' }

/** The ids known to be stored, as seen by each transaction. */
const storedIn = new WeakMap<Tx, Set<string>>()

/** Stores terms, each once, and returns their ids, in order; those that this transaction has stored are skipped. */
export async function storeTerms(tx: Tx, terms: readonly AwardTerms[]): Promise<string[]> {
  const stored = storedIn.get(tx) ?? new Set()
  storedIn.set(tx, stored)
  const ids = terms.map(idOf)
  const all = new Map(terms.map(({ program, merchant }, index) => [ids[index] as string, { program, merchant }]))
  const byId = new Map([...all].filter(([id]) => !stored.has(id)))
  if (byId.size > 0) await insertMissing(tx, byId)
  for (const id of byId.keys()) stored.add(id)
  return ids
}

async function insertMissing(tx: Tx, all: ReadonlyMap<string, AwardTerms>): Promise<void> {
  const byId = new Map(all)
  const { rows } = await sql<{ id: string }>`
    select id from award_terms where partner_id = current_partner() and id = any(${[...byId.keys()]}::uuid[])`.execute(
    tx,
  )
  for (const { id } of rows) byId.delete(id)
  const fresh = [...byId].map(([id, each]) => ({ id, terms: each })).toSorted((a, b) => (a.id < b.id ? -1 : 1))
  if (fresh.length === 0) return
  // A concurrent transaction may be inserting the same terms.
  await sql`insert into award_terms (id, terms)
    select id, terms from ${rowSource(fresh, termsColumns)}
    on conflict (partner_id, id) do nothing`.execute(tx)
}

function idOf({ program, merchant }: AwardTerms): string {
  return createHash('sha256')
    .update(`${textOf(program)} ${merchant && textOf(merchant)}`)
    .digest('hex')
    .slice(0, 32)
    .replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-')
}

// The transactions of a batch share their terms: each is serialized once.
const texts = new WeakMap<object, string>()

function textOf(terms: object): string {
  const known = texts.get(terms)
  if (known !== undefined) return known
  const text = JSON.stringify(inOrder(terms))
  texts.set(terms, text)
  return text
}

/** Returns the value with the keys of all its objects sorted, so that equal terms have equal ids. */
function inOrder(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(inOrder)
  if (typeof value !== 'object' || value === null) return value
  const fields = Object.entries(value).filter(([, field]) => field !== undefined)
  return Object.fromEntries(
    fields.toSorted(([a], [b]) => (a < b ? -1 : 1)).map(([name, field]) => [name, inOrder(field)]),
  )
}
