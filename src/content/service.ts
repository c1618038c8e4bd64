import { isDeepStrictEqual } from 'node:util'
import { Refusal } from '../kit/refusal.ts'
import type { Ctx } from '../kit/server/context.ts'
import { type Db, inTransaction, lockName, type Tx } from '../kit/server/db.ts'
import { checkFields, type Fields } from './check.ts'
import {
  type EntryKey,
  insertRelease,
  insertVersion,
  newestVersions,
  publishedSince,
  type ReleaseRow,
  releasesOf,
  type VersionRow,
  versionsOf,
  withdrawRelease,
} from './store.ts'

export { collections, schemaOf } from './collections.ts'
export { type ContentShelf, createContentShelf } from './shelf.ts'
export type { EntryKey, Fields, ReleaseRow }

/** What the functions here need of a context; an operator's has no member. */
export type ContentCtx = Pick<Ctx, 'db' | 'partnerId'>

export interface VersionSummary {
  version: number
  savedBy: string
  savedAt: Date
  /** The version takes the entry away. */
  removed: boolean
}

export interface EntrySummary extends EntryKey {
  newest: VersionSummary
  live: ReleaseRow | null
  scheduled: ReleaseRow[]
  /** There is a version that was never released. */
  hasDraft: boolean
}

export interface EntryDetail extends EntrySummary {
  /** Of the newest version; null when it takes the entry away. */
  fields: Fields | null
  versions: VersionSummary[]
  releases: ReleaseRow[]
}

/** Every entry of the partner, in the order of its collection. */
export async function listContent({ db }: ContentCtx): Promise<EntrySummary[]> {
  const [versions, releases] = await Promise.all([newestVersions(db), releasesOf(db)])
  return versions.map((newest) => summaryOf(newest, releases.filter(isOf(newest))))
}

/** One entry with its history. Throws Refusal `contentNotFound`. */
export async function readEntry({ db }: ContentCtx, entry: EntryKey): Promise<EntryDetail> {
  const [versions, releases] = await Promise.all([versionsOf(db, entry), releasesOf(db, entry)])
  const newest = versions[0]
  if (!newest) throw new Refusal('contentNotFound')
  return {
    ...summaryOf(newest, releases),
    fields: newest.fields as Fields | null,
    versions: versions.map(versionSummary),
    releases,
  }
}

/** The fields of one version; null when it takes the entry away. Throws Refusal `contentNotFound`. */
export async function readVersion({ db }: ContentCtx, entry: EntryKey & { version: number }): Promise<Fields | null> {
  const found = (await versionsOf(db, entry)).find(({ version }) => version === entry.version)
  if (!found) throw new Refusal('contentNotFound')
  return found.fields as Fields | null
}

interface Draft extends EntryKey {
  fields: unknown
  /** The version that the editor saw; 0 for a new entry. */
  basedOn: number
}

/**
 * Saves what an editor wrote as the newest version; only a preview shows it. Fields that are already the newest version
 * add none. Throws FieldRefusal, and Refusal `editedMeanwhile` when somebody else saved since `basedOn`.
 */
export function saveDraft(ctx: ContentCtx, draft: Draft, by: string): Promise<{ version: number }> {
  const fields = checkFields(draft.collection, draft.slug, draft.fields)
  return change(ctx, draft, async (tx, newest) => {
    if (newest && isDeepStrictEqual(newest.fields, fields)) return { version: newest.version }
    return add(tx, draft, newest, { fields, by })
  })
}

/** Saves a version that takes the entry away once it is published. */
export function removeEntry(
  ctx: ContentCtx,
  entry: EntryKey & { basedOn: number },
  by: string,
): Promise<{ version: number }> {
  return change(ctx, entry, (tx, newest) => {
    if (!newest) throw new Refusal('contentNotFound')
    return add(tx, entry, newest, { fields: null, by })
  })
}

/** Makes an older version the draft again. */
export async function restore(
  ctx: ContentCtx,
  entry: EntryKey & { version: number; basedOn: number },
  by: string,
): Promise<{ version: number }> {
  const fields = await readVersion(ctx, entry)
  return fields === null ? removeEntry(ctx, entry, by) : saveDraft(ctx, { ...entry, fields }, by)
}

/**
 * Shows a version to everybody: at once or from `from` on, for good or until `until`. Throws Refusal
 * `contentNotFound`, and `badSchedule` when the time would be over before it began or already is.
 */
export async function publish(
  ctx: ContentCtx,
  entry: EntryKey & { version: number; from?: Date; until?: Date },
  by: string,
): Promise<void> {
  const { from, until } = entry
  if (until && until.getTime() <= Math.max(Date.now(), from?.getTime() ?? 0)) throw new Refusal('badSchedule')
  await inTransaction(ctx.db, async (tx) => {
    const versions = await versionsOf(tx, entry)
    const chosen = versions.find(({ version }) => version === entry.version)
    if (!chosen) throw new Refusal('contentNotFound')
    await insertRelease(tx, { versionId: chosen.id, from, until, releasedBy: by })
  })
}

/** Whether an editor has made something live since then: a preview that began before shows old drafts. */
export const hasPublishedSince = (db: Db, { editor, issuedAt }: { editor: string; issuedAt: Date }): Promise<boolean> =>
  publishedSince(db, editor, issuedAt)

/** Takes a release back: what was live before it is live again. Throws Refusal `contentNotFound`. */
export async function withdraw(ctx: ContentCtx, { releaseId }: { releaseId: number }, by: string): Promise<void> {
  const withdrawn = await inTransaction(ctx.db, (tx) => withdrawRelease(tx, releaseId, by))
  if (!withdrawn) throw new Refusal('contentNotFound')
}

/** Runs `work` with the newest version, while nobody else can save the same entry. */
function change<T>(
  ctx: ContentCtx,
  entry: EntryKey & { basedOn: number },
  work: (tx: Tx, newest: VersionRow | undefined) => Promise<T>,
): Promise<T> {
  return inTransaction(ctx.db, async (tx) => {
    await lockName(tx, `content:${ctx.partnerId}:${entry.collection}:${entry.slug}`)
    const newest = (await versionsOf(tx, entry))[0]
    if ((newest?.version ?? 0) !== entry.basedOn) throw new Refusal('editedMeanwhile', { savedBy: newest?.saved_by })
    return work(tx, newest)
  })
}

// A new entry stands behind the others: positions of seeded entries are their places in the file.
const behindAll = 1_000_000

async function add(
  tx: Tx,
  { collection, slug }: EntryKey,
  newest: VersionRow | undefined,
  { fields, by }: { fields: Fields | null; by: string },
): Promise<{ version: number }> {
  const version = (newest?.version ?? 0) + 1
  await insertVersion(tx, { collection, slug, version, position: newest?.position ?? behindAll, fields, savedBy: by })
  return { version }
}

function summaryOf(newest: VersionRow, releases: readonly ReleaseRow[]): EntrySummary {
  const standing = releases.filter(({ withdrawnAt }) => withdrawnAt === null)
  const now = Date.now()
  const live = standing
    .filter(({ from, until }) => from.getTime() <= now && (until === null || until.getTime() > now))
    .sort((a, b) => b.from.getTime() - a.from.getTime() || b.id - a.id)[0]
  return {
    collection: newest.collection,
    slug: newest.slug,
    newest: versionSummary(newest),
    live: live ?? null,
    scheduled: standing.filter(({ from }) => from.getTime() > now),
    hasDraft: !standing.some(({ version }) => version === newest.version),
  }
}

function versionSummary({ version, saved_by, saved_at, fields }: VersionRow): VersionSummary {
  return { version, savedBy: saved_by, savedAt: saved_at, removed: fields === null }
}

function isOf(entry: EntryKey) {
  return ({ collection, slug }: EntryKey) => collection === entry.collection && slug === entry.slug
}
