import { type Selectable, sql } from 'kysely'
import type { ContentVersions } from '../../../db/schema.ts'
import type { Db, Tx } from '../../platform/database/db.ts'

export type VersionRow = Selectable<ContentVersions>

export interface EntryKey {
  collection: string
  slug: string
}

export interface LiveRow extends EntryKey {
  version: number
  position: number
  fields: unknown
  from: Date
  until: Date | null
}

const now = sql<Date>`now()`

/** Returns the live entries by the database clock, one row per entry, in collection order. */
export async function listLiveEntries(db: Db): Promise<LiveRow[]> {
  const rows = await db
    .selectFrom('content_releases as r')
    .innerJoin('content_versions as v', 'v.id', 'r.version_id')
    .distinctOn(['v.collection', 'v.slug'])
    .select(['v.collection', 'v.slug', 'v.version', 'v.position', 'v.fields', 'r.live_from', 'r.live_until'])
    .where('r.withdrawn_at', 'is', null)
    .where('r.live_from', '<=', now)
    .where((is) => is.or([is('r.live_until', 'is', null), is('r.live_until', '>', now)]))
    .orderBy('v.collection')
    .orderBy('v.slug')
    .orderBy('r.live_from', 'desc')
    .orderBy('r.id', 'desc')
    .execute()
  return rows
    .map(({ live_from, live_until, ...row }) => ({ ...row, from: live_from, until: live_until }))
    .sort((a, b) => a.position - b.position)
}

/** Returns milliseconds until the next release starts or ends, or null when none is scheduled within 20 days. */
export async function getMsUntilNextChange(db: Db): Promise<number | null> {
  const { rows } = await sql<{ ms: number | null }>`
    select ceil(extract(epoch from min(at) - now()) * 1000)::int8 as ms
    from content_releases, lateral (values (live_from), (live_until)) as change (at)
    where withdrawn_at is null and at > now() and at < now() + interval '20 days'`.execute(db)
  return rows[0]?.ms ?? null
}

/** Returns the newest version of every entry, including removed ones, in collection order. */
export async function listNewestVersions(db: Db | Tx): Promise<VersionRow[]> {
  const rows = await db
    .selectFrom('content_versions')
    .distinctOn(['collection', 'slug'])
    .selectAll()
    .orderBy('collection')
    .orderBy('slug')
    .orderBy('version', 'desc')
    .execute()
  return rows.sort((a, b) => a.position - b.position)
}

export async function listVersions(db: Db | Tx, { collection, slug }: EntryKey): Promise<VersionRow[]> {
  return db
    .selectFrom('content_versions')
    .selectAll()
    .where('collection', '=', collection)
    .where('slug', '=', slug)
    .orderBy('version', 'desc')
    .execute()
}

export async function insertVersion(
  tx: Tx,
  entry: EntryKey & { version: number; position: number; fields: unknown; savedBy: string },
): Promise<number> {
  const { savedBy, fields, ...rest } = entry
  const { id } = await tx
    .insertInto('content_versions')
    .values({ ...rest, fields: fields === null ? null : JSON.stringify(fields), saved_by: savedBy })
    .returning('id')
    .executeTakeFirstOrThrow()
  return id
}

export async function insertRelease(
  tx: Tx,
  release: { versionId: number; from?: Date | undefined; until?: Date | undefined; releasedBy: string },
): Promise<void> {
  await tx
    .insertInto('content_releases')
    .values({
      version_id: release.versionId,
      ...(release.from && { live_from: release.from }),
      ...(release.until && { live_until: release.until }),
      released_by: release.releasedBy,
    })
    .execute()
}

export interface ReleaseRow extends EntryKey {
  id: number
  version: number
  from: Date
  until: Date | null
  by: string
  at: Date
  withdrawnAt: Date | null
  withdrawnBy: string | null
}

/** Returns releases, newest first: of one entry, or of all. */
export async function listReleases(db: Db | Tx, entry?: EntryKey): Promise<ReleaseRow[]> {
  let query = db
    .selectFrom('content_releases as r')
    .innerJoin('content_versions as v', 'v.id', 'r.version_id')
    .select([
      'r.id',
      'v.collection',
      'v.slug',
      'v.version',
      'r.live_from as from',
      'r.live_until as until',
      'r.released_by as by',
      'r.released_at as at',
      'r.withdrawn_at as withdrawnAt',
      'r.withdrawn_by as withdrawnBy',
    ])
    .orderBy('r.id', 'desc')
  if (entry) query = query.where('v.collection', '=', entry.collection).where('v.slug', '=', entry.slug)
  return query.execute()
}

/** Withdraws a release; returns false when it does not exist or is already withdrawn. */
export async function withdrawRelease(tx: Tx, id: number, by: string): Promise<boolean> {
  const { numUpdatedRows } = await tx
    .updateTable('content_releases')
    .set({ withdrawn_by: by, withdrawn_at: now })
    .where('id', '=', id)
    .where('withdrawn_at', 'is', null)
    .executeTakeFirst()
  return numUpdatedRows > 0n
}

/** Returns whether an editor released something after `since` that is live now. */
export async function hasReleasedSince(db: Db, editor: string, since: Date): Promise<boolean> {
  const found = await db
    .selectFrom('content_releases')
    .select('id')
    .where('released_by', '=', editor)
    .where('released_at', '>', since)
    .where('live_from', '<=', now)
    .where((where) => where.or([where('live_until', 'is', null), where('live_until', '>', now)]))
    .where('withdrawn_at', 'is', null)
    .limit(1)
    .executeTakeFirst()
  return found !== undefined
}
