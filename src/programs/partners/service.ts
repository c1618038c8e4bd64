import { randomUUID } from 'node:crypto'
import { type Client, NOOP_PROVIDER, OpenFeature, type Provider, ProviderEvents } from '@openfeature/server-sdk'
import { type Db, inTransaction, type Tx } from '../../platform/database/db.ts'
import { SECOND } from '../../platform/time.ts'
import type { FeatureFlags, ProgramConfig } from './contract.ts'
import { flagKey } from './database-flags.ts'
import { booleanSettings } from './rules.ts'
import { writeFlag } from './store.ts'

export { DatabaseFlags } from './database-flags.ts'
export { readSetFlags, writeFlag } from './store.ts'

export interface ListedFlag {
  kind: 'authFlags' | 'filters' | 'partnerFeatureFlags'
  name: string
  value: boolean
}

/** Lists every flag of a program with its current value; `kind` and `name` identify it in the table. */
export function flagsOf(config: ProgramConfig, flags: FeatureFlags): ListedFlag[] {
  const rows = (kind: ListedFlag['kind'], entries: [string, boolean][]) =>
    entries.map(([name, value]) => ({ kind, name, value }))
  return [
    ...rows('authFlags', Object.entries(flags.authFlags)),
    ...rows('filters', Object.entries(flags.filters)),
    ...rows('partnerFeatureFlags', booleanSettings(config)),
  ]
}

/** The flags that together close a program. */
export const maintenanceFlags = ['siteMaintenance', 'loginMaintenance', 'joinMaintenance'] as const

/** Turns maintenance of the partner's site, sign-in and enrollment on or off. */
export function setMaintenance(db: Db | Tx, value: boolean, changedBy: string | null = null): Promise<void> {
  return inTransaction(db, async (tx) => {
    for (const name of maintenanceFlags) await writeFlag(tx, { kind: 'authFlags', name, value }, changedBy)
  })
}

/** In-memory cache of every partner's feature flags. */
export interface FlagCache {
  of(partnerId: string): FeatureFlags
  /** Calls back when a flag of a partner changed. */
  onChange(listener: (partnerId: string) => void): void
  /** Makes the provider refresh, and resolves when its values are effective here. */
  refresh(): Promise<void>
  close(): Promise<void>
}

/**
 * Evaluates every flag of every partner through OpenFeature, so that any provider can be used: on its change events,
 * and every 500 ms for a provider without events.
 */
export async function createFlagCache(
  provider: Provider,
  programs: ReadonlyMap<string, { config: ProgramConfig }>,
): Promise<FlagCache> {
  const domain = `dineback-${randomUUID()}`
  await OpenFeature.setProviderAndWait(domain, provider)
  const client = OpenFeature.getClient(domain)
  const shown = new Map<string, FeatureFlags>()
  const listeners: ((partnerId: string) => void)[] = []

  async function evaluateAll(): Promise<void> {
    for (const [partnerId, { config }] of programs) {
      const flags = await evaluate(client, partnerId, config)
      const before = shown.get(partnerId)
      if (before && JSON.stringify(before) === JSON.stringify(flags)) continue
      shown.set(partnerId, flags)
      for (const listener of listeners) listener(partnerId)
    }
  }

  await evaluateAll()
  // Evaluations run one after another: a slow one must not overwrite the values of a later one.
  let turn = Promise.resolve()
  const changed = () => {
    turn = turn.then(evaluateAll)
  }
  client.addHandler(ProviderEvents.ConfigurationChanged, changed)
  const pollTimer = provider.events ? undefined : setInterval(changed, SECOND / 2).unref()
  return {
    of: (partnerId) => shown.get(partnerId) as FeatureFlags,
    onChange: (listener) => void listeners.push(listener),
    async refresh() {
      await provider.initialize?.()
      changed()
      await turn
    },
    async close() {
      clearInterval(pollTimer)
      client.removeHandler(ProviderEvents.ConfigurationChanged, changed)
      await turn
      await OpenFeature.setProviderAndWait(domain, NOOP_PROVIDER)
    },
  }
}

/** Unset auth flags have fixed defaults; filters and the partner's own settings default to the configuration. */
async function evaluate(client: Client, partnerId: string, config: ProgramConfig): Promise<FeatureFlags> {
  const getFlag = (kind: string, name: string, defaultValue: boolean) =>
    client.getBooleanValue(flagKey(kind, name), defaultValue, { targetingKey: partnerId })
  const filters: Record<string, boolean> = {}
  for (const name of config.filters) filters[name] = await getFlag('filters', name, true)
  const partnerFeatureFlags: Record<string, boolean> = {}
  for (const [name, configured] of booleanSettings(config)) {
    const value = await getFlag('partnerFeatureFlags', name, configured)
    if (value !== configured) partnerFeatureFlags[name] = value
  }
  return {
    authFlags: {
      loginMaintenance: await getFlag('authFlags', 'loginMaintenance', false),
      joinMaintenance: await getFlag('authFlags', 'joinMaintenance', false),
      siteMaintenance: await getFlag('authFlags', 'siteMaintenance', false),
      botCheck: await getFlag('authFlags', 'botCheck', true),
    },
    filters,
    partnerFeatureFlags,
  }
}
