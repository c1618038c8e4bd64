import { isDeepStrictEqual } from 'node:util'
import {
  type EvaluationContext,
  type JsonValue,
  OpenFeatureEventEmitter,
  type Provider,
  ProviderEvents,
  type ResolutionDetails,
  StandardResolutionReasons,
} from '@openfeature/server-sdk'
import type { Pools } from '../../platform/database/db.ts'
import { createFollower, type Follower } from '../../platform/database/follower.ts'
import type { DatabaseListener } from '../../platform/database/listen.ts'
import { readFlags } from './store.ts'

/** Returns the key of a feature flag: `authFlags.loginMaintenance`. */
export const flagKey = (kind: string, name: string) => `${kind}.${name}`

/**
 * OpenFeature provider for our own table. The partner is the targeting key; unset flags have their default. Values are
 * cached in memory and refreshed by database notifications.
 */
export class DatabaseFlags implements Provider {
  readonly metadata = { name: 'dineback-database' }
  readonly runsOn = 'server'
  readonly events = new OpenFeatureEventEmitter()
  readonly #pools: Pools
  readonly #values = new Map<string, Map<string, unknown>>()
  readonly #follower: Follower
  #isStarted = false

  constructor(deps: {
    pools: Pools
    dbListener: DatabaseListener
    partners: readonly string[]
    onError: (e: Error) => void
  }) {
    this.#pools = deps.pools
    this.#follower = createFollower({
      listener: deps.dbListener,
      channel: 'flags_changed',
      keys: deps.partners,
      load: (partnerId) => this.#read(partnerId),
      onError: deps.onError,
    })
  }

  /** Reads every partner's flags, at startup or again. */
  async initialize(): Promise<void> {
    if (this.#isStarted) return this.#follower.refreshAll()
    await this.#follower.start()
    this.#isStarted = true
  }

  /** Called by OpenFeature when another provider takes its place. */
  onClose(): Promise<void> {
    return this.#follower.close()
  }

  async #read(partnerId: string): Promise<void> {
    const rows = await readFlags(this.#pools.forPartner(partnerId))
    const values = new Map(rows.map(({ kind, name, value }) => [flagKey(kind, name), value]))
    const before = this.#values.get(partnerId)
    this.#values.set(partnerId, values)
    if (before && !isDeepStrictEqual(before, values)) this.events.emit(ProviderEvents.ConfigurationChanged, {})
  }

  async #resolve<T>(
    key: string,
    defaultValue: T,
    type: string,
    context: EvaluationContext,
  ): Promise<ResolutionDetails<T>> {
    const value = this.#values.get(context.targetingKey ?? '')?.get(key)
    if (value === undefined) return { value: defaultValue, reason: StandardResolutionReasons.DEFAULT }
    if (typeof value !== type) return { value: defaultValue, reason: StandardResolutionReasons.ERROR }
    return { value: value as T, reason: StandardResolutionReasons.TARGETING_MATCH }
  }

  resolveBooleanEvaluation(key: string, defaultValue: boolean, context: EvaluationContext) {
    return this.#resolve(key, defaultValue, 'boolean', context)
  }
  resolveStringEvaluation(key: string, defaultValue: string, context: EvaluationContext) {
    return this.#resolve(key, defaultValue, 'string', context)
  }
  resolveNumberEvaluation(key: string, defaultValue: number, context: EvaluationContext) {
    return this.#resolve(key, defaultValue, 'number', context)
  }
  resolveObjectEvaluation<T extends JsonValue>(key: string, defaultValue: T, context: EvaluationContext) {
    return this.#resolve(key, defaultValue, 'object', context)
  }
}
