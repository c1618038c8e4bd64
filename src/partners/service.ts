import type { Ctx } from '../kit/server/context.ts'
import type { Db } from '../kit/server/db.ts'
import type { FeatureFlags } from './contract.ts'
import { readFlags } from './store.ts'

// Asked for by every request: a second old is fresh enough, and one read a second is none.
const shelfLife = 1000
const shelf = new WeakMap<Db, { at: number; flags: Promise<FeatureFlags> }>()

/** The run-time switches, at most a second old; a failed read is not kept. */
export function recentFlags(ctx: Ctx): Promise<FeatureFlags> {
  const kept = shelf.get(ctx.db)
  if (kept && Date.now() - kept.at < shelfLife) return kept.flags
  const flags = featureFlags(ctx)
  shelf.set(ctx.db, { at: Date.now(), flags })
  flags.catch(() => shelf.delete(ctx.db))
  return flags
}

/** The run-time switches of this program; what nobody has set is off, filters are as configured. */
export async function featureFlags(ctx: Ctx): Promise<FeatureFlags> {
  const rows = await readFlags(ctx.db)
  const of = (kind: string) =>
    Object.fromEntries(rows.filter((row) => row.kind === kind).map((row) => [row.name, row.value]))
  const auth = of('authFlags')
  return {
    authFlags: {
      loginMaintenance: auth.loginMaintenance === true,
      joinMaintenance: auth.joinMaintenance === true,
      botCheck: auth.botCheck === true,
    },
    filters: {
      ...Object.fromEntries(ctx.program.config.filters.map((name) => [name, true])),
      ...(of('filters') as Record<string, boolean>),
    },
    partnerFeatureFlags: of('partnerFeatureFlags'),
  }
}
