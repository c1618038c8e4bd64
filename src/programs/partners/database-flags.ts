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
  readonly #partners: readonly string[]
  readonly #values = new Map<string, Map<string, unknown>>()
  // Reads run one after another, so that an older result cannot overwrite a newer one.
  #turn: Promise<unknown> = Promise.resolve()

  constructor(deps: {
    pools: Pools
    dbListener: DatabaseListener
    partners: readonly string[]
    onError: (e: Error) => void
  }) {
    this.#pools = deps.pools
    this.#partners = deps.partners
    deps.dbListener.on('flags_changed', (partnerId) => {
      this.#reload(partnerId === null ? this.#partners : [partnerId])
        .then(() => this.events.emit(ProviderEvents.ConfigurationChanged, {}))
        .catch(deps.onError)
    })
  }

  /** Reads every partner's flags, at startup or again. */
  initialize(): Promise<void> {
    return this.#reload(this.#partners)
  }

  #reload(partnerIds: readonly string[]): Promise<void> {
    const reload = this.#turn.then(async () => {
      for (const id of partnerIds) await this.#read(id)
    })
    this.#turn = reload.catch(() => undefined)
    return reload
  }

  async #read(partnerId: string): Promise<void> {
    if (!this.#partners.includes(partnerId)) return
    const rows = await readFlags(this.#pools.forPartner(partnerId))
    this.#values.set(partnerId, new Map(rows.map(({ kind, name, value }) => [flagKey(kind, name), value])))
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
