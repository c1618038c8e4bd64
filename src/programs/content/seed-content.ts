import { isDeepStrictEqual } from 'node:util'
import { acquireAdvisoryLock, type Db, inTransaction, type Tx } from '../../platform/database/db.ts'
import type { Fields } from './check.ts'
import { type EntryKey, insertRelease, insertVersion, listNewestVersions, type VersionRow } from './store.ts'

/** Author of versions that came from the program's folder. */
export const seededBy = 'program files'

export interface SeedEntry extends EntryKey {
  /** As `checkFields` returns them. */
  fields: Fields
}

/**
 * Loads the content of a program's folder into the database and publishes it. An entry changed by an editor stays
 * unchanged; other entries follow the folder. A default is used until the folder or an editor has an entry in its place.
 * Idempotent. Returns the number of changed entries.
 */
export async function seedContent(
  db: Db,
  partnerId: string,
  { entries, defaults }: { entries: readonly SeedEntry[]; defaults: readonly SeedEntry[] },
): Promise<number> {
  return inTransaction(db, async (tx) => {
    await acquireAdvisoryLock(tx, `content-seed:${partnerId}`)
    const newest = await listNewestVersions(tx)
    const known = new Map(newest.map((row) => [keyOf(row), row]))
    const edited = newest.filter((row) => row.saved_by !== seededBy && row.fields !== null)
    const taken = new Set([...entries, ...edited].map(placeOf))
    let changed = 0
    const places = new Map<string, number>()
    for (const { collection, slug, fields } of [
      ...entries,
      ...defaults.filter((entry) => !taken.has(placeOf(entry))),
    ]) {
      const position = places.get(collection) ?? 0
      places.set(collection, position + 1)
      const before = known.get(keyOf({ collection, slug }))
      known.delete(keyOf({ collection, slug }))
      if (before && before.saved_by !== seededBy) continue
      if (before && before.position === position && isDeepStrictEqual(before.fields, fields)) continue
      await put(tx, { collection, slug, position, fields }, before)
      changed++
    }
    for (const gone of known.values()) {
      if (gone.saved_by !== seededBy || gone.fields === null) continue
      await put(tx, { ...gone, fields: null }, gone)
      changed++
    }
    return changed
  })
}

async function put(
  tx: Tx,
  { collection, slug, position, fields }: EntryKey & { position: number; fields: unknown },
  before: VersionRow | undefined,
): Promise<void> {
  const version = (before?.version ?? 0) + 1
  const versionId = await insertVersion(tx, { collection, slug, version, position, fields, savedBy: seededBy })
  await insertRelease(tx, { versionId, releasedBy: seededBy })
}

/** What one entry is enough for: a menu, a page at its address, the front page. */
function placeOf({ collection, slug, fields }: EntryKey & { fields: unknown }): string {
  if (collection === 'earn_details') return (fields as { url: string }).url
  return collection === '*' ? slug : collection
}

function keyOf({ collection, slug }: EntryKey): string {
  return `${collection}/${slug}`
}
