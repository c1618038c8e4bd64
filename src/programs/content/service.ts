import { isDeepStrictEqual } from 'node:util'
import { acquireAdvisoryLock, type Db, inTransaction, type Tx } from '../../platform/database/db.ts'
import { ApiError } from '../../platform/errors.ts'
import type { Ctx } from '../../platform/http/context.ts'
import { checkFields, type Fields } from './check.ts'
import {
  type EntryKey,
  hasReleasedSince,
  insertRelease,
  insertVersion,
  listNewestVersions,
  listReleases,
  listVersions,
  type ReleaseRow,
  type VersionRow,
  withdrawRelease,
} from './store.ts'

export { defaultMessages } from '../../default-messages.ts'
export { collections, schemaOf } from './collections.ts'
export { type ContentCache, createContentCache } from './content-cache.ts'
export type { EntryKey, Fields, ReleaseRow }

/** The parts of the context that content functions use; operators have no member. */
export type ContentCtx = Pick<Ctx, 'db' | 'partnerId'>

export interface VersionSummary {
  version: number
  savedBy: string
  savedAt: Date
  /** The version removes the entry. */
  removed: boolean
}

export interface EntrySummary extends EntryKey {
  newest: VersionSummary
  live: ReleaseRow | null
  scheduled: ReleaseRow[]
  /** True when a version was never released. */
  hasDraft: boolean
}

export interface EntryDetail extends EntrySummary {
  /** Fields of the newest version; null when it removes the entry. */
  fields: Fields | null
  versions: VersionSummary[]
  releases: ReleaseRow[]
}

/** Lists every entry of the partner, in the order of its collection. */
export async function listContent({ db }: ContentCtx): Promise<EntrySummary[]> {
  const [versions, releases] = await Promise.all([listNewestVersions(db), listReleases(db)])
  return versions.map((newest) => summaryOf(newest, releases.filter(isOf(newest))))
}

/** Returns one entry with its history. Throws ApiError `contentNotFound`. */
export async function readEntry({ db }: ContentCtx, entry: EntryKey): Promise<EntryDetail> {
  const [versions, releases] = await Promise.all([listVersions(db, entry), listReleases(db, entry)])
  const newest = versions[0]
  if (!newest) throw new ApiError('contentNotFound')
  return {
    ...summaryOf(newest, releases),
    fields: newest.fields as Fields | null,
    versions: versions.map(versionSummary),
    releases,
  }
}

/** Returns the fields of one version; null when it removes the entry. Throws ApiError `contentNotFound`. */
export async function readVersion({ db }: ContentCtx, entry: EntryKey & { version: number }): Promise<Fields | null> {
  const found = (await listVersions(db, entry)).find(({ version }) => version === entry.version)
  if (!found) throw new ApiError('contentNotFound')
  return found.fields as Fields | null
}

interface Draft extends EntryKey {
  fields: unknown
  /** The version that the editor started from; 0 for a new entry. */
  basedOn: number
}

/**
 * Saves the fields as the newest version, visible only in previews. Fields equal to the newest version add none. Throws
 * ValidationError, and ApiError `editedMeanwhile` when another editor saved since `basedOn`.
 */
export function saveDraft(ctx: ContentCtx, draft: Draft, by: string): Promise<{ version: number }> {
  const fields = checkFields(draft.collection, draft.slug, draft.fields)
  return change(ctx, draft, async (tx, newest) => {
    if (newest && isDeepStrictEqual(newest.fields, fields)) return { version: newest.version }
    return add(tx, draft, newest, { fields, by })
  })
}

/** Saves a version that removes the entry once published. */
export function removeEntry(
  ctx: ContentCtx,
  entry: EntryKey & { basedOn: number },
  by: string,
): Promise<{ version: number }> {
  return change(ctx, entry, (tx, newest) => {
    if (!newest) throw new ApiError('contentNotFound')
    return add(tx, entry, newest, { fields: null, by })
  })
}

/** Saves an older version again as the newest draft. */
export async function restore(
  ctx: ContentCtx,
  entry: EntryKey & { version: number; basedOn: number },
  by: string,
): Promise<{ version: number }> {
  const fields = await readVersion(ctx, entry)
  return fields === null ? removeEntry(ctx, entry, by) : saveDraft(ctx, { ...entry, fields }, by)
}

/**
 * Publishes a version: now or from `from`, permanently or until `until`. Throws ApiError `contentNotFound`, and
 * `badSchedule` when the end is before the start or in the past.
 */
export async function publish(
  ctx: ContentCtx,
  entry: EntryKey & { version: number; from?: Date; until?: Date },
  by: string,
): Promise<void> {
  const { from, until } = entry
  if (until && until.getTime() <= Math.max(Date.now(), from?.getTime() ?? 0)) throw new ApiError('badSchedule')
  await inTransaction(ctx.db, async (tx) => {
    const versions = await listVersions(tx, entry)
    const chosen = versions.find(({ version }) => version === entry.version)
    if (!chosen) throw new ApiError('contentNotFound')
    await insertRelease(tx, { versionId: chosen.id, from, until, releasedBy: by })
  })
}

/** Returns whether the editor has published since the pass was issued: an older preview would show old drafts. */
export const hasPublishedSince = (db: Db, { editor, issuedAt }: { editor: string; issuedAt: Date }): Promise<boolean> =>
  hasReleasedSince(db, editor, issuedAt)

/** Withdraws a release: the previous one is live again. Throws ApiError `contentNotFound`. */
export async function withdraw(ctx: ContentCtx, { releaseId }: { releaseId: number }, by: string): Promise<void> {
  const withdrawn = await inTransaction(ctx.db, (tx) => withdrawRelease(tx, releaseId, by))
  if (!withdrawn) throw new ApiError('contentNotFound')
}

/** Runs `work` with the newest version, while no other save of the same entry can run. */
function change<T>(
  ctx: ContentCtx,
  entry: EntryKey & { basedOn: number },
  work: (tx: Tx, newest: VersionRow | undefined) => Promise<T>,
): Promise<T> {
  return inTransaction(ctx.db, async (tx) => {
    await acquireAdvisoryLock(tx, `content:${ctx.partnerId}:${entry.collection}:${entry.slug}`)
    const newest = (await listVersions(tx, entry))[0]
    if ((newest?.version ?? 0) !== entry.basedOn) throw new ApiError('editedMeanwhile', { savedBy: newest?.saved_by })
    return work(tx, newest)
  })
}

// A new entry is last: positions of seeded entries are their positions in the file.
const lastPosition = 1_000_000

async function add(
  tx: Tx,
  { collection, slug }: EntryKey,
  newest: VersionRow | undefined,
  { fields, by }: { fields: Fields | null; by: string },
): Promise<{ version: number }> {
  const version = (newest?.version ?? 0) + 1
  await insertVersion(tx, {
    collection,
    slug,
    version,
    position: newest?.position ?? lastPosition,
    fields,
    savedBy: by,
  })
  return { version }
}

export function summaryOf(newest: VersionRow, releases: readonly ReleaseRow[]): EntrySummary {
  const active = releases.filter(({ withdrawnAt }) => withdrawnAt === null)
  const now = Date.now()
  const live = active
    .filter(({ from, until }) => from.getTime() <= now && (until === null || until.getTime() > now))
    .sort((a, b) => b.from.getTime() - a.from.getTime() || b.id - a.id)[0]
  return {
    collection: newest.collection,
    slug: newest.slug,
    newest: versionSummary(newest),
    live: live ?? null,
    scheduled: active.filter(({ from }) => from.getTime() > now),
    hasDraft: !active.some(({ version }) => version === newest.version),
  }
}

function versionSummary({ version, saved_by, saved_at, fields }: VersionRow): VersionSummary {
  return { version, savedBy: saved_by, savedAt: saved_at, removed: fields === null }
}

function isOf(entry: EntryKey) {
  return ({ collection, slug }: EntryKey) => collection === entry.collection && slug === entry.slug
}
