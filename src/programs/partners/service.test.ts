import type { Provider } from '@openfeature/server-sdk'
import { OpenFeatureEventEmitter, ProviderEvents } from '@openfeature/server-sdk'
import { expect, onTestFinished, test, vi } from 'vitest'
import type { ProgramConfig } from './contract.ts'
import { loadPrograms } from './load-programs.ts'
import { createFlagCache, flagsOf } from './service.ts'

const programs = new Map([...loadPrograms('programs')].filter(([code]) => ['beacon', 'skyharbor'].includes(code)))
const beacon = programs.get('beacon')?.config as ProgramConfig

/** Returns a provider of flags by program and key; one without events has to be polled. */
function createProvider({ hasEvents }: { hasEvents: boolean }) {
  const values: Record<string, Record<string, boolean>> = { beacon: {}, skyharbor: {} }
  const events = new OpenFeatureEventEmitter()
  const initialize = vi.fn(async () => {})
  const provider = {
    metadata: { name: 'test' },
    runsOn: 'server',
    initialize,
    ...(hasEvents && { events }),
    resolveBooleanEvaluation: async (key: string, value: boolean, { targetingKey = '' }) => ({
      value: values[targetingKey]?.[key] ?? value,
    }),
  } as unknown as Provider
  return { provider, values, initialize, emit: () => events.emit(ProviderEvents.ConfigurationChanged, {}) }
}

test('an unset flag is off, except the bot check and the filters, and a setting is that of the program', async () => {
  const { provider, values } = createProvider({ hasEvents: true })
  const { acclaimedEnabled, cmsPreview } = beacon
  values.beacon = {
    'partnerFeatureFlags.acclaimedEnabled': !acclaimedEnabled,
    'partnerFeatureFlags.cmsPreview': cmsPreview,
    'filters.isNew': false,
    'authFlags.joinMaintenance': true,
  }
  const cache = await createFlagCache(provider, programs)
  onTestFinished(() => cache.close())
  const closed = { loginMaintenance: false, joinMaintenance: false, siteMaintenance: false, botCheck: true }
  expect(cache.of('skyharbor')).toMatchObject({ authFlags: closed, partnerFeatureFlags: {} })
  expect(Object.values(cache.of('skyharbor').filters)).not.toContain(false)
  const { authFlags, filters, partnerFeatureFlags } = cache.of('beacon')
  expect(authFlags).toEqual({ ...closed, joinMaintenance: true })
  expect(Object.entries(filters).filter(([, value]) => !value)).toEqual([['isNew', false]])
  // Only what differs from the configuration.
  expect(partnerFeatureFlags).toEqual({ acclaimedEnabled: !acclaimedEnabled })
  const listed = flagsOf(beacon, cache.of('beacon'))
  expect(listed).toContainEqual({ kind: 'authFlags', name: 'joinMaintenance', value: true })
  expect(listed).toContainEqual({ kind: 'filters', name: 'isNew', value: false })
})

test('a change of the provider is reported for its program only, and a refresh waits for it', async () => {
  const { provider, values, initialize, emit } = createProvider({ hasEvents: true })
  const cache = await createFlagCache(provider, programs)
  onTestFinished(() => cache.close())
  const changed: string[] = []
  cache.onChange((partner) => changed.push(partner))
  emit()
  values.skyharbor = { 'authFlags.siteMaintenance': true }
  emit()
  await vi.waitFor(() => expect(changed).toEqual(['skyharbor']), 20_000)
  expect(cache.of('skyharbor').authFlags.siteMaintenance).toBe(true)
  values.beacon = { 'authFlags.botCheck': false }
  const before = initialize.mock.calls.length
  await cache.refresh()
  expect([initialize.mock.calls.length, cache.of('beacon').authFlags.botCheck]).toEqual([before + 1, false])
  expect(changed).toEqual(['skyharbor', 'beacon'])
})

test('a provider without events is polled every half second, until the cache is closed', async () => {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] })
  onTestFinished(() => void vi.useRealTimers())
  const { provider, values } = createProvider({ hasEvents: false })
  const cache = await createFlagCache(provider, programs)
  values.beacon = { 'authFlags.botCheck': false }
  vi.advanceTimersByTime(499)
  await new Promise((done) => setImmediate(done))
  expect(cache.of('beacon').authFlags.botCheck).toBe(true)
  vi.advanceTimersByTime(1)
  await vi.waitFor(() => expect(cache.of('beacon').authFlags.botCheck).toBe(false), 20_000)
  await cache.close()
  expect(vi.getTimerCount()).toBe(0)
})
