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
import type { Notices } from '../../platform/database/notices.ts'
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

  constructor(parts: { pools: Pools; notices: Notices; partners: readonly string[]; onError: (e: Error) => void }) {
    this.#pools = parts.pools
    this.#partners = parts.partners
    parts.notices.on('flags_changed', (partnerId) => {
      this.#look(partnerId === null ? this.#partners : [partnerId])
        .then(() => this.events.emit(ProviderEvents.ConfigurationChanged, {}))
        .catch(parts.onError)
    })
  }

  /** Reads every partner's flags, at startup or again. */
  initialize(): Promise<void> {
    return this.#look(this.#partners)
  }

  #look(partnerIds: readonly string[]): Promise<void> {
    const look = this.#turn.then(async () => {
      for (const id of partnerIds) await this.#read(id)
    })
    this.#turn = look.catch(() => undefined)
    return look
  }

  async #read(partnerId: string): Promise<void> {
    if (!this.#partners.includes(partnerId)) return
    const rows = await readFlags(this.#pools.forPartner(partnerId))
    this.#values.set(partnerId, new Map(rows.map(({ kind, name, value }) => [flagKey(kind, name), value])))
  }

  async #resolve<T>(
    key: string,
    otherwise: T,
    type: string,
    context: EvaluationContext,
  ): Promise<ResolutionDetails<T>> {
    const value = this.#values.get(context.targetingKey ?? '')?.get(key)
    if (value === undefined) return { value: otherwise, reason: StandardResolutionReasons.DEFAULT }
    if (typeof value !== type) return { value: otherwise, reason: StandardResolutionReasons.ERROR }
    return { value: value as T, reason: StandardResolutionReasons.TARGETING_MATCH }
  }

  resolveBooleanEvaluation(key: string, otherwise: boolean, context: EvaluationContext) {
    return this.#resolve(key, otherwise, 'boolean', context)
  }
  resolveStringEvaluation(key: string, otherwise: string, context: EvaluationContext) {
    return this.#resolve(key, otherwise, 'string', context)
  }
  resolveNumberEvaluation(key: string, otherwise: number, context: EvaluationContext) {
    return this.#resolve(key, otherwise, 'number', context)
  }
  resolveObjectEvaluation<T extends JsonValue>(key: string, otherwise: T, context: EvaluationContext) {
    return this.#resolve(key, otherwise, 'object', context)
  }
}
